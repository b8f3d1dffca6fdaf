/**
 * Completes the sides: with packages, and with what a command of the user makes. The sides share the installed
 * packages. Where base and head ask for different ones, only a command of the user gives each its own.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MeasurementError } from '../model/errors.js'
import { NO_REPOSITORY } from '../processes/git.js'
import { startProcess, supervise } from '../processes/processes.js'
import { foldersIn, foldersOfCode, isWithin, namesOf, PACKAGES } from './sides.js'

/** @import { SidedPlan } from './gate-plan.js' */
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
/** Scripts that may change packages after they are unpacked. No lock file tells of them. */
const SCRIPTS = ['preinstall', 'install', 'postinstall']
/** Files whose every change may change the packages. */
const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'pnpm-workspace.yaml', 'bunfig.toml']
/** Folders of patches, each next to the package.json that they are for. */
const PATCH = /(^|\/)(\.yarn\/)?patches\/.*\.(patch|diff)$/
const PNPM_LOCK = 'pnpm-lock.yaml'
/** Commands to advise, by lock file. */
const COMMANDS = /** @type {Record<string, string>} */ ({
  'npm-shrinkwrap.json': 'npm ci',
  'package-lock.json': 'npm ci',
  [PNPM_LOCK]: 'pnpm install --frozen-lockfile',
  'yarn.lock': 'yarn install --frozen-lockfile',
  'bun.lock': 'bun install --frozen-lockfile',
  'bun.lockb': 'bun install --frozen-lockfile'
})
const LOCKFILES = Object.keys(COMMANDS)

/** Prefix of npm's errors, and lines that add no information. */
const NPM = /^npm (?:error|ERR!) ?/
const EMPTY = /^(code|errno|syscall|path|cwd|A complete log|$)/

/**
 * @param {Prepared} prepared
 * @returns {Promise<Found>}
 * @throws {MeasurementError} when the command of the user fails in a side
 */
export async function givePackages ({ plan, setup, signal, changed }) {
  const { sides, of: { gate: { root, isSelfCheck } } } = plan
  const asking = isSelfCheck ? [] : findAsking(changed, { root, sides, places: foldersOfCode(plan) })
  const differs = `base and head ask for other packages (${namesOf(asking)})`
  if (setup.install) {
    // Through a link, a command would write into the user's packages.
    for (const { folder } of Object.values(sides)) removePackages(folder)
    await runInSides('install', { plan, setup, signal })
    return asking.length > 0 ? { gate: { warnings: [`${differs}: each side had its own, by ${setup.install}`] } } : {}
  }
  if (asking.length === 0) return {}
  const why = setup.install === false ? ', by --no-install' : ` (--install "${adviseFor(asking[0], sides.head)}")`
  return { gate: { unmeasured: [`${differs}, and both ran those that are installed now${why}`] } }
}

/**
 * @param {Prepared} prepared
 * @returns {Promise<Found>}
 * @throws {MeasurementError} when the command fails in a side
 */
export async function runPrepare (prepared) {
  await runInSides('prepare', prepared)
  return {}
}

/**
 * Runs the command of an option, if there is one, in the working directory of each side.
 *
 * @param {'install' | 'prepare'} option
 * @param {Pick<Prepared, 'plan' | 'setup' | 'signal'>} prepared
 */
async function runInSides (option, { plan, setup: { [option]: command, onNote = () => {} }, signal }) {
  for (const [side, { cwd }] of command ? Object.entries(plan.sides) : []) {
    onNote(`${side}: ${command}`)
    const { ok, words } = await runInSide(String(command), { cwd, signal })
    if (!ok) throw new MeasurementError(`${side}: --${option} "${command}" failed: ${words}`)
  }
}

/**
 * Files by which base and head ask for other packages, in the folders above the gated code and in the workspaces that
 * are linked there.
 *
 * @param {string[]} changed  Files that differ between the sides, relative to the root.
 * @param {object} gate
 * @param {string} gate.root
 * @param {SidedPlan['sides']} gate.sides
 * @param {string[]} gate.places  Folders of the gated code, relative to the root.
 * @returns {string[]}
 */
export function findAsking (changed, { root, sides: { base, head }, places }) {
  const known = new Set(places.flatMap(above))
  for (const folder of known) {
    for (const workspace of workspacesIn(root, folder)) for (const place of above(workspace)) known.add(place)
  }
  const isAsking = (/** @type {string} */ file) =>
    asksForOther(path.join(base.folder, file), path.join(head.folder, file))
  return changed.filter(file => {
    const name = path.basename(file)
    if (!known.has(ownerOf(file))) return false
    if (SETTINGS.includes(name) || PATCH.test(file)) return true
    if (LOCKFILES.includes(name)) return isAsking(file)
    if (name !== MANIFEST) return false
    if (differIn(SCRIPTS, ...[base, head].map(({ folder }) => parse(path.join(folder, file)).scripts))) return true
    const lock = lockAbove(head.folder, path.dirname(file))
    // A lock file that has changed says whether the same packages are meant.
    return isAsking(file) && (lock === undefined || !changed.includes(lock) || isAsking(lock))
  })
}

/** @param {string} file  File by which a package asks for others. */
const ownerOf = file => path.dirname(file.replace(PATCH, '$1-'))

/**
 * The command that installs what a file asks for, typed in the working directory of a side.
 *
 * @param {string} file
 * @param {{folder: string, cwd: string}} side
 */
function adviseFor (file, { folder, cwd }) {
  const lock = lockAbove(folder, ownerOf(file))
  const home = path.join(folder, lock === undefined ? ownerOf(file) : path.dirname(lock))
  const command = lock === undefined ? 'npm install' : COMMANDS[path.basename(lock)]
  // pnpm would find the workspaces of the repository around the side.
  const isAlone = lock?.endsWith(PNPM_LOCK) && !existsSync(path.join(home, 'pnpm-workspace.yaml'))
  return `${home === cwd ? '' : `cd ${path.relative(cwd, home)} && `}${command}${isAlone ? ' --ignore-workspace' : ''}`
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
    return differIn(ASKING, parse(base), parse(head))
  }
  if (!base.endsWith('.json')) return read(base) !== read(head)
  return !isDeepStrictEqual(resolvedIn(base), resolvedIn(head))
}

/**
 * @param {string[]} fields
 * @param {Record<string, any>} [before]
 * @param {Record<string, any>} [after]
 */
const differIn = (fields, before = {}, after = {}) =>
  fields.some(field => !isDeepStrictEqual(before[field] ?? {}, after[field] ?? {}))

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
