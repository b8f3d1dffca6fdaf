/** Runs git in a repository. What git refuses is reported in its own words, with its own cure. */
import { execFileSync } from 'node:child_process'
import { UsageError } from '../model/errors.js'

/**
 * @param {string} folder
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {{timeout?: number}} [limits]  Milliseconds.
 * @returns {string}
 * @throws {UsageError}
 */
export function git (folder, args, env, limits) {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C', ...env },
      ...limits
    }).trim()
  } catch (error) {
    const { stderr, message, code } = /** @type {any} */ (error)
    if (code === 'ENOENT') throw new UsageError(`git cannot be started: ${message} (install git)`)
    const words = (stderr || message).trim().split('\n')
    const reason = words.findLast((/** @type {string} */ line) => /^(fatal|error):/.test(line)) ?? words.at(-1)
    // Git indents a command that helps.
    const cure = words.find((/** @type {string} */ line) => /^\tgit /.test(line))
    const command = args.slice(args.includes('-c') ? args.lastIndexOf('-c') + 2 : 0).slice(0, 2)
    throw new UsageError(`git ${command.join(' ')} in ${folder}: ${reason}${cure ? ` (try ${cure.trim()})` : ''}`)
  }
}

/**
 * @type {typeof git}
 * @returns what git prints, or nothing where it refuses
 */
export function askGit (...call) {
  try {
    return git(...call)
  } catch {
    return ''
  }
}

/** @param {string} listed  Names that git lists with -z. */
export const namesIn = listed => listed.split('\0').filter(Boolean)
