/**
 * Completes the sides by commands of the user: with packages, and with what a build makes. Without a command, both
 * sides share the packages that are installed.
 */
import { lstatSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { MeasurementError } from '../model/errors.js'
import { NO_REPOSITORY } from '../processes/git.js'
import { startProcess, supervise } from '../processes/processes.js'
import { differencesOf, differingFiles } from './differences.js'
import { foldersAbove, foldersIn, namesOf, PACKAGES } from './paths.js'
/** @import { Found, Prepared } from './gate.js' */

/** Prefix of npm's errors, and lines that add no information. */
const NPM = /^npm (?:error|ERR!) ?/
const EMPTY = /^(code|errno|syscall|path|cwd|A complete log|$)/

/**
 * @param {Prepared} prepared
 * @returns {Promise<Found>}
 * @throws {MeasurementError} when the command of the user fails in a side
 */
export async function install (prepared) {
  const { plan, setup, differences } = prepared
  const asking = differences.filter(({ kind }) => kind === 'packages').map(({ file }) => file)
  const differs = `base and head ask for other packages (${namesOf(asking)})`
  if (setup.install) {
    // Through a link, a command would write into the user's packages.
    for (const { folder } of Object.values(plan.sides)) removePackages(folder)
    await runInSides('install', prepared)
    return asking.length > 0 ? { gate: { warnings: [`${differs}: each side had its own, by ${setup.install}`] } } : {}
  }
  if (asking.length === 0) return {}
  const why = setup.install === false ? ', by --no-install' : ' (give each side its own: --install "npm ci")'
  return { gate: { unmeasured: [`${differs}, and both ran those that are installed now${why}`] } }
}

/**
 * @param {Prepared} prepared
 * @returns {Promise<Found>} with the files that differ now
 * @throws {MeasurementError} when the command fails in a side
 */
export async function build (prepared) {
  const { plan, plan: { sides: { base, head } }, setup, differences } = prepared
  if (!setup.prepare) return {}
  await runInSides('prepare', prepared)
  const known = new Set(differences.map(({ file }) => file))
  const made = differingFiles(base.folder, head.folder).filter(file => !known.has(file))
  return { differences: [...differences, ...differencesOf(made, plan, [])] }
}

/**
 * Runs the command of an option in the working directory of each side.
 *
 * @param {'install' | 'prepare'} option
 * @param {Prepared} prepared
 */
async function runInSides (option, { plan, setup: { [option]: command, onNote = () => {} }, signal }) {
  for (const [side, { cwd }] of Object.entries(plan.sides)) {
    onNote(`${side}: ${command}`)
    const { ok, words } = await runInSide(String(command), { cwd, signal })
    if (!ok) throw new MeasurementError(`${side}: --${option} "${command}" failed: ${words}`)
  }
}

/** @param {string} folder */
function removePackages (folder) {
  for (const place of foldersIn(folder)) {
    const packages = path.join(folder, place, PACKAGES)
    if (lstatSync(packages, { throwIfNoEntry: false })) rmSync(packages, { recursive: true, force: true })
  }
}

/**
 * Runs a command of a shell in the folder of a side. Git sees no repository there: a hook of a package must not change
 * the user's.
 *
 * @param {string} command
 * @param {{cwd: string, signal?: AbortSignal}} options
 * @returns {Promise<{ok: boolean, words: string}>} `words`: how it ended, in one line
 */
export async function runInSide (command, { cwd, signal }) {
  const ceiling = foldersAbove(realpathSync(cwd)).join(path.delimiter)
  const env = { ...process.env, ...NO_REPOSITORY, GIT_CEILING_DIRECTORIES: ceiling, HUSKY: '0' }
  const child = startProcess([command], { cwd, shell: true, signal, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stderr?.on('data', text => (output += text))
  const { ok, ending } = await supervise(child, text => (output += text)).ended
  signal?.throwIfAborted()
  return { ok, words: reasonIn(output) ?? ending }
}

/** @param {string} output */
function reasonIn (output) {
  const lines = output.split('\n').map(line => line.trim())
  const ofNpm = lines.filter(line => NPM.test(line)).map(line => line.replace(NPM, ''))
  return (
    ofNpm.find(line => !EMPTY.test(line)) ??
    lines.find(line => /^\W*\w*error\b/i.test(line)) ??
    lines.findLast(line => line !== '')
  )
}
