/** Runs git in a folder. What git says is reported in its own words: warnings, reasons and cures. */
import { spawnSync } from 'node:child_process'
import { UsageError } from '../model/errors.js'

/**
 * Variables by which git tells a hook which repository it works for. They would lead every command there, also in a
 * submodule and in the folder of a side: the repository is that of the folder.
 */
export const NO_REPOSITORY = Object.fromEntries(
  ['DIR', 'WORK_TREE', 'INDEX_FILE', 'COMMON_DIR', 'OBJECT_DIRECTORY', 'PREFIX', 'NAMESPACE', 'SHALLOW_FILE'].map(
    name => [`GIT_${name}`, undefined]
  )
)

const NO_PROMPT = { GIT_TERMINAL_PROMPT: '0' }

/**
 * @param {string} folder
 * @param {string[]} args
 * @param {object} [options]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {Set<string>} [options.warnings]  Gets the warnings of git, where git succeeds.
 * @returns {string}
 * @throws {UsageError}
 */
export function git (folder, args, { env, warnings } = {}) {
  const run = (/** @type {string[]} */ words, /** @type {NodeJS.ProcessEnv} */ hidden) =>
    spawnSync('git', ['-C', folder, ...words], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A partial clone fetches files, and must not wait for a password that nobody types.
      env: { ...process.env, ...(!process.stdin.isTTY && NO_PROMPT), ...hidden, LC_ALL: 'C', ...env }
    })
  let ended = run(args, NO_REPOSITORY)
  // A work tree may lie apart from its repository, which only the variables name.
  const isApart = () => process.env.GIT_DIR && run(['rev-parse', '--git-dir'], NO_REPOSITORY).status !== 0
  if (ended.status !== 0 && isApart()) ended = run(args, {})
  const { status, stdout, stderr, error } = ended
  if (/** @type {any} */ (error)?.code === 'ENOENT') {
    throw new UsageError(`git cannot be started: ${error?.message} (install git)`)
  }
  const lines = (stderr ?? '').split('\n').flatMap(line => line.trim() || [])
  if (status === 0) {
    for (const warning of warningsIn(lines)) warnings?.add(`git: ${warning}`)
    return stdout.replace(/\n$/, '')
  }
  const reason = lines.join('; ').replaceAll(':; ', ': ') || (error?.message ?? `exit code ${status}`)
  const command = args.slice(args.includes('-c') ? args.lastIndexOf('-c') + 2 : 0).slice(0, 2)
  throw new UsageError(`git ${command.join(' ')} in ${folder}: ${reason}`)
}

/**
 * Warnings in the output of filters and remotes. A line without a prefix continues the line above it.
 *
 * @param {string[]} lines
 */
function warningsIn (lines) {
  const said = lines.join('\n').split(/\n(?=\w+: )/)
  return said.flatMap(text => (/^(warning|error): /.test(text) ? text.replace(/^\w+: /, '').replaceAll('\n', ' ') : []))
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
