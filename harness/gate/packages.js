/**
 * Completes the sides: with packages, and with what a command of the user makes. The sides share the installed
 * packages, unless base and head ask for other ones by a package.json or a lock file: then each side gets its own, by
 * the tool whose lock file it has.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MeasurementError } from '../model/errors.js'
import { NO_REPOSITORY } from '../processes/git.js'
import { startProcess, supervise } from '../processes/processes.js'
import { foldersIn, foldersOf, foldersOfCode, isWithin, linkInstalled, PACKAGES, sidesIn } from './sides.js'

/** @import { Found, Prepared } from './gate.js' */

const MANIFEST = 'package.json'
/** Fields of a package.json by which it asks for packages. */
const ASKING = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
  'pnpm',
  'workspaces'
]
const PNPM_LOCK = 'pnpm-lock.yaml'
const NPM_QUIET = '--no-audit --no-fund'
/** A machine without a network must not wait for it. */
const NPM_RETRIES = '--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=1000'

/**
 * Commands by lock file. The first takes packages from the cache alone; the next may ask the registry.
 *
 * @type {Record<string, string[]>}
 */
const COMMANDS = {
  'npm-shrinkwrap.json': [`npm ci --offline ${NPM_QUIET}`, `npm ci --prefer-offline ${NPM_QUIET} ${NPM_RETRIES}`],
  'package-lock.json': [`npm ci --offline ${NPM_QUIET}`, `npm ci --prefer-offline ${NPM_QUIET} ${NPM_RETRIES}`],
  [PNPM_LOCK]: ['pnpm install --frozen-lockfile --offline', 'pnpm install --frozen-lockfile --prefer-offline'],
  'yarn.lock': ['yarn install --frozen-lockfile --offline', 'yarn install --frozen-lockfile --prefer-offline'],
  'bun.lock': ['bun install --frozen-lockfile'],
  'bun.lockb': ['bun install --frozen-lockfile']
}
/** Yarn from version 2 on, whose lock file begins otherwise. */
const YARN_BERRY = ['yarn install --immutable']
const WITHOUT_LOCK = ['--offline', `--prefer-offline ${NPM_RETRIES}`].map(
  how => `npm install --no-package-lock ${NPM_QUIET} ${how}`
)
export const LOCKFILES = Object.keys(COMMANDS)

/** Prefix of npm's errors, and lines that add no information. */
const NPM = /^npm (?:error|ERR!) ?/
const EMPTY = /^(code|errno|syscall|path|cwd|A complete log|$)/

/** @typedef {{base: string, head: string, control: string}} Folders */

/**
 * @param {Prepared} prepared
 * @returns {Promise<Found>}
 */
export async function givePackages ({ directory, plan, setup, signal, changed }) {
  const { install: command, onNote = () => {} } = setup
  const { root, isSelfCheck } = plan.gate
  const sides = foldersOf(sidesIn(directory))
  const own = isSelfCheck ? [] : findAsking(changed, { root, sides, places: foldersOfCode(plan) })
  if (own.length === 0 && !command) return {}
  const differs = `base and head ask for other packages (${own.join(', ')})`
  const unmeasured = (/** @type {string} */ what, /** @type {string} */ why) => ({
    own,
    gate: { unmeasured: [`${what}, and both ran those that are installed now${why}`] }
  })
  if (command === false) return unmeasured(differs, ', by --no-install')
  onNote(own.length > 0 ? `${differs}: each side gets its own` : `packages of each side: ${command}`)
  const installed = await installPackages(sides, { asking: own, root, command, signal })
  if ('fault' in installed) return unmeasured(own.length > 0 ? differs : '--install failed', `: ${installed.fault}`)
  return { own, gate: { warnings: own.length > 0 ? [`${differs}: each side had its own, by ${installed.by}`] : [] } }
}

/**
 * @param {Prepared} prepared
 * @returns {Promise<Found>}
 * @throws {MeasurementError} when the command fails in a side
 */
export async function runPrepare ({ plan, setup: { prepare: command, onNote = () => {} }, signal }) {
  for (const [side, { cwd }] of command === undefined ? [] : Object.entries(plan.sides)) {
    onNote(`${side}: ${command}`)
    const { ok, words } = await runInSide(String(command), { cwd, signal })
    if (!ok) throw new MeasurementError(`${side}: --prepare "${command}" failed: ${words}`)
  }
  return {}
}

/**
 * Files by which base and head ask for other packages, in the folders above the gated code and in the workspaces that
 * are linked there.
 *
 * @param {string[]} changed  Files that differ between the sides, relative to the root.
 * @param {object} gate
 * @param {string} gate.root
 * @param {Folders} gate.sides
 * @param {string[]} gate.places  Folders of the gated code, relative to the root.
 * @returns {string[]}
 */
export function findAsking (changed, { root, sides, places }) {
  const known = new Set(places.flatMap(above))
  for (const folder of known) {
    for (const workspace of workspacesIn(root, folder)) for (const place of above(workspace)) known.add(place)
  }
  const isAsking = (/** @type {string} */ file) =>
    asksForOther(path.join(sides.base, file), path.join(sides.head, file))
  return changed.filter(file => {
    const folder = path.dirname(file)
    if (!known.has(folder) || ![MANIFEST, ...LOCKFILES].includes(path.basename(file)) || !isAsking(file)) return false
    if (path.basename(file) !== MANIFEST) return true
    const lock = lockAbove(sides.head, folder)
    // A lock file that has changed says whether the same packages are meant.
    return lock === undefined || !changed.includes(lock) || isAsking(lock)
  })
}

/**
 * Gives each side the packages that it asks for. The control gets those of the base.
 *
 * @param {Folders} sides
 * @param {object} options
 * @param {string[]} options.asking  Files that ask for them.
 * @param {string} options.root  Folder whose packages the sides share if this fails.
 * @param {string} [options.command]  Command of the user.
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<{by: string} | {fault: string}>} the command, or why the packages of a side were not installed
 */
export async function installPackages (sides, { asking, root, command, signal }) {
  let by = command ?? ''
  for (const side of /** @type {const} */ (['base', 'head'])) {
    const folders = new Set(
      asking.length > 0 ? asking.map(file => installedFrom(sides[side], path.dirname(file))) : ['.']
    )
    for (const folder of folders) {
      const home = path.join(sides[side], folder)
      if (!existsSync(path.join(home, MANIFEST))) continue
      removePackages(home)
      const ended = await runFirst(command ? [command] : commandsOf(home), home, signal)
      by = ended.by
      if (ended.ok) continue
      for (const each of Object.values(sides)) {
        removePackages(each)
        linkInstalled(root, each)
      }
      return { fault: `${side} got none by ${by}: ${ended.words}` }
    }
  }
  removePackages(sides.control)
  linkInstalled(sides.base, sides.control)
  linkInstalled(root, sides.control)
  return { by }
}

/**
 * Packages that are linked from outside of the repository: both sides run the same files.
 *
 * @param {string} root
 * @param {string[]} places  Folders of the gated code, relative to the root.
 * @returns {string[]} folders with symbolic links resolved
 */
export function linkedFromOutside (root, places) {
  const home = realpathSync(root)
  return [...new Set(places.flatMap(above))].flatMap(folder =>
    linksIn(path.join(root, folder, PACKAGES)).filter(
      target => !isWithin(home, target) && !target.split(path.sep).includes(PACKAGES)
    )
  )
}

/**
 * @param {string} folder  Relative to the root.
 * @returns {string[]} the folder, and those above it up to the root
 */
function above (folder) {
  const names = path
    .normalize(folder)
    .split(path.sep)
    .filter(name => name !== '.')
  return Array.from({ length: names.length + 1 }, (_, i) => names.slice(0, names.length - i).join(path.sep) || '.')
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]} folders of the repository, relative to the root
 */
function workspacesIn (root, folder) {
  const home = realpathSync(root)
  return linksIn(path.join(root, folder, PACKAGES))
    .filter(target => isWithin(home, target) && !target.split(path.sep).includes(PACKAGES))
    .map(target => path.relative(home, target) || '.')
}

/**
 * Targets of the links to packages, which may be in the folders of scopes.
 *
 * @param {string} packages
 * @returns {string[]}
 */
function linksIn (packages) {
  if (!existsSync(packages)) return []
  return readdirSync(packages, { withFileTypes: true }).flatMap(entry => {
    const name = path.join(packages, entry.name)
    if (entry.isDirectory()) return entry.name.startsWith('@') ? linksIn(name) : []
    return entry.isSymbolicLink() && !entry.name.startsWith('.') && existsSync(name) ? [realpathSync(name)] : []
  })
}

/**
 * @param {string} side
 * @param {string} folder
 * @returns {string | undefined} relative to the side
 */
function lockAbove (side, folder) {
  for (const place of above(folder)) {
    const lock = LOCKFILES.find(name => existsSync(path.join(side, place, name)))
    if (lock) return path.join(place, lock)
  }
}

/**
 * The folder in which packages are installed: that of the lock file, or of the workspaces, or the package itself.
 *
 * @param {string} side
 * @param {string} folder
 */
function installedFrom (side, folder) {
  const lock = lockAbove(side, folder)
  if (lock) return path.dirname(lock)
  return above(folder).findLast(place => 'workspaces' in parse(path.join(side, place, MANIFEST))) ?? folder
}

/** @param {string} folder */
function commandsOf (folder) {
  const lock = LOCKFILES.find(name => existsSync(path.join(folder, name)))
  if (lock === undefined) return WITHOUT_LOCK
  if (lock === 'yarn.lock' && read(path.join(folder, lock)).includes('__metadata:')) return YARN_BERRY
  // pnpm would find the workspaces of the repository around the side.
  const isAlone = lock === PNPM_LOCK && !existsSync(path.join(folder, 'pnpm-workspace.yaml'))
  return isAlone ? COMMANDS[lock].map(command => `${command} --ignore-workspace`) : COMMANDS[lock]
}

/**
 * @param {string[]} commands
 * @param {string} cwd
 * @param {AbortSignal} [signal]
 * @returns {Promise<{by: string, ok: boolean, words: string}>} of the command that succeeded, or of the last
 */
async function runFirst ([command, ...others], cwd, signal) {
  const ended = await runInSide(command, { cwd, signal })
  return ended.ok || others.length === 0
    ? { by: command.replace(/ --.*/, ''), ...ended }
    : runFirst(others, cwd, signal)
}

/** @param {string} folder */
function removePackages (folder) {
  for (const place of foldersIn(folder)) {
    const packages = path.join(folder, place, PACKAGES)
    if (lstatSync(packages, { throwIfNoEntry: false })) rmSync(packages, { recursive: true, force: true })
  }
}

/**
 * @param {string} base  Path of a package.json or of a lock file.
 * @param {string} head
 */
function asksForOther (base, head) {
  if (path.basename(base) === MANIFEST) {
    const [before, after] = [base, head].map(parse)
    return ASKING.some(field => !isDeepStrictEqual(before[field] ?? {}, after[field] ?? {}))
  }
  if (!base.endsWith('.json')) return read(base) !== read(head)
  return !isDeepStrictEqual(resolvedIn(base), resolvedIn(head))
}

/**
 * The packages that a lock file of npm installs, without its own versions.
 *
 * @param {string} lock
 */
function resolvedIn (lock) {
  const { packages = {}, dependencies = {} } = parse(lock)
  const installed = Object.entries(packages).filter(([place]) => place.includes(PACKAGES))
  return installed.length > 0 ? Object.fromEntries(installed) : dependencies
}

/**
 * @param {string} file
 * @returns {Record<string, any>} empty where the file is missing or damaged
 */
function parse (file) {
  try {
    return Object(JSON.parse(read(file)))
  } catch {
    return {}
  }
}

/** @param {string} file */
function read (file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
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

/**
 * @param {string} folder
 * @returns {string[]}
 */
function foldersAbove (folder) {
  const above = path.dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
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
