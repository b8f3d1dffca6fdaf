/**
 * Base, head and sham head as three folders whose paths are equally long. The base is a revision checked out by git, the
 * head the working tree as it stands, and the sham head the base again, made file by file as the head is. They change
 * places from round to round, so that none profits from its path.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '../model/errors.js'

/**
 * @typedef {import('./plan.js').Arm} Arm
 * @typedef {Record<Arm, string>} Folders
 */

/** @type {Arm[]} */
const ARMS = ['base', 'head', 'again']
const PLACES = ['a', 'b', 'c']
/** A file that names the arm whose folder it is in. */
const MARK = '.timerq-side'
/** Dependencies that are folders, in package.json. */
const FOLDER_DEPENDENCY = /^(?:file|link|portal):(.+)/

/**
 * @param {string} folder  In the repository.
 * @returns {string} the root of the repository
 * @throws {UsageError} when the folder is in none
 */
export function repositoryRoot (folder) {
  try {
    return git(folder, 'rev-parse', '--show-toplevel')
  } catch {
    throw new UsageError(`gate compares revisions, but ${folder} is in no git repository (two results directories: timerq compare)`)
  }
}

/**
 * @param {string} root
 * @param {string} ref
 * @returns {string}
 * @throws {UsageError} when git does not know it
 */
export function resolveCommit (root, ref) {
  try {
    return git(root, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`)
  } catch {
    throw new UsageError(`--base must be a revision or a baseline file, got "${ref}" (a shallow clone lacks it: git fetch origin ${ref}; on CI check out with fetch-depth 0; two results directories: timerq compare)`)
  }
}

/**
 * @param {string} root
 * @param {string} commit
 * @param {string} file  Relative to the root.
 */
export function isInCommit (root, commit, file) {
  try {
    git(root, 'cat-file', '-e', `${commit}:${file.split(path.sep).join('/')}`)
    return true
  } catch {
    return false
  }
}

/** Lockfiles, wherever they are. */
export const LOCKFILES = ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'].map(name => `:(glob)**/${name}`)

/**
 * Files in which the working tree differs from a revision, new ones included.
 *
 * @param {string} root
 * @param {string} commit
 * @param {string[]} wanted  Patterns as git takes them, absolute paths or relative to the root.
 * @returns {string[]} relative to the root
 */
export function changedFiles (root, commit, wanted) {
  if (wanted.length === 0) return []
  return [
    ...lines(git(root, 'diff', '--name-only', '-z', commit, '--', ...wanted)),
    ...lines(git(root, 'ls-files', '-z', '--others', '--exclude-standard', '--', ...wanted))
  ]
}

export class Sides {
  #folder

  /** @param {string} folder  Where all three are, or will be. */
  constructor (folder) {
    this.#folder = path.resolve(folder)
  }

  /**
   * @param {string} root  Of the repository.
   * @param {string} commit
   * @param {{isSelfCheck?: boolean}} [options]  The head is the base, too.
   * @throws {UsageError} when git cannot check the revision out
   */
  prepare (root, commit, { isSelfCheck = false } = {}) {
    this.remove()
    mkdirSync(this.#folder, { recursive: true })
    // Node looks upwards for a package.json: the repository's own must not apply to a side that has none.
    writeFileSync(path.join(this.#folder, 'package.json'), '{}\n')
    const committed = lines(git(root, 'ls-tree', '-r', '-z', '--name-only', commit))
    const present = lines(git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'))
    const [base, head, again] = PLACES.map(place => path.join(this.#folder, place))
    checkOut(root, commit, base)
    const copied = isSelfCheck
      ? copyFiles(base, committed, head)
      : copyFiles(root, present.filter(file => !isWithin(this.#folder, path.join(root, file))), head)
    copyFiles(base, committed, again)
    const sides = [{ folder: base, files: committed }, { folder: head, files: copied }, { folder: again, files: committed }]
    for (const { folder, files } of sides) {
      redirectLinks(root, folder, files)
      linkPackages(root, folder, files)
    }
    ARMS.forEach((arm, i) => writeFileSync(path.join(this.#folder, PLACES[i], MARK), arm))
  }

  get areThere () {
    return ARMS.every(arm => this.#nameOf(arm) !== undefined)
  }

  /**
   * Moves the folders to their places. Call it only while nothing is being measured.
   *
   * @param {number} turn  After three turns all are where they were.
   * @returns {Folders}
   */
  place (turn) {
    const placeOf = (/** @type {number} */ index) => PLACES[(index + turn) % PLACES.length]
    const misplaced = [...ARMS.entries()].filter(([index, arm]) => this.#nameOf(arm) !== placeOf(index))
    // By way of the arm's own name: a gate killed in between finds every folder again.
    for (const [, arm] of misplaced) this.#rename(/** @type {string} */ (this.#nameOf(arm)), arm)
    for (const [index, arm] of misplaced) this.#rename(arm, placeOf(index))
    const [base, head, again] = ARMS.map((_, index) => path.join(this.#folder, placeOf(index)))
    return { base, head, again }
  }

  /**
   * The file of the repository that one arm would run though it belongs to another, or to the working tree. Packages are
   * common to all: they are installed once.
   *
   * @param {string[]} urls  Of modules that the arm has loaded.
   * @param {string} side  Its folder.
   * @param {string} root  Of the repository.
   * @returns {string | undefined} a path
   */
  findForeign (urls, side, root) {
    const own = realpathSync(side)
    const homes = [realpathSync(this.#folder), realpathSync(root)]
    return urls.map(url => fileURLToPath(url)).find(file => {
      const home = homes.find(folder => isWithin(folder, file))
      return home && !isWithin(own, file) && !path.relative(home, file).split(path.sep).includes('node_modules')
    })
  }

  remove () {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  #rename (from, to) {
    if (from !== to) renameSync(path.join(this.#folder, from), path.join(this.#folder, to))
  }

  /**
   * @param {Arm} arm
   * @returns {string | undefined} what its folder is called now
   */
  #nameOf (arm) {
    return [...PLACES, arm].find(name => {
      const mark = path.join(this.#folder, name, MARK)
      return existsSync(mark) && readFileSync(mark, 'utf8') === arm
    })
  }
}

/**
 * @param {string} folder
 * @param {string} file
 */
export function moduleUrl (folder, file) {
  return pathToFileURL(path.join(folder, file)).href
}

/**
 * @param {string} root
 * @param {string} commit
 * @param {string} folder
 */
function checkOut (root, commit, folder) {
  // Twice: replaces even what git itself had locked, when it was killed while it did this before.
  git(root, 'worktree', 'add', '--detach', '--force', '--force', folder, commit)
  // From here on it is a folder like the others. `git worktree prune` would also forget the user's own worktrees on disks
  // that are not mounted now.
  const link = path.join(folder, '.git')
  const [, record] = /** @type {RegExpExecArray} */ (/^gitdir: (.+)$/m.exec(readFileSync(link, 'utf8')))
  rmSync(path.resolve(folder, record), { recursive: true })
  rmSync(link)
}

/**
 * @param {string} from
 * @param {string[]} files  As git lists them.
 * @param {string} to
 * @returns {string[]} those that are there: no submodules, nothing deleted, nothing in a folder that a link has replaced
 */
function copyFiles (from, files, to) {
  mkdirSync(to)
  /** @type {Map<string, boolean>} */
  const known = new Map([['.', true]])
  /** @type {(folder: string) => boolean} */
  const isFolder = folder => {
    const found = known.get(folder) ?? (isFolder(path.dirname(folder)) && lstatSync(path.join(from, folder), { throwIfNoEntry: false })?.isDirectory() === true)
    known.set(folder, found)
    return found
  }
  const there = files.filter(file => isFolder(path.dirname(file)) && lstatSync(path.join(from, file), { throwIfNoEntry: false })?.isDirectory() === false)
  for (const file of there) cpSync(path.join(from, file), path.join(to, file), { verbatimSymlinks: true })
  return there
}

/**
 * Symbolic links of the repository lead where they lead there: to the side's own copy of what is in the repository, and
 * to the one place of what is not.
 *
 * @param {string} root
 * @param {string} side
 * @param {string[]} files
 */
function redirectLinks (root, side, files) {
  for (const file of files) {
    const link = path.join(side, file)
    if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) continue
    const target = path.resolve(path.dirname(path.join(root, file)), readlinkSync(link))
    rmSync(link)
    linkTo(target, link, root, side)
  }
}

/**
 * All sides use the packages that are installed now, except packages that are folders of the repository: workspaces, and
 * dependencies such as `file:./core`. Each side uses its own copy of them.
 *
 * @param {string} root
 * @param {string} side
 * @param {string[]} files
 */
function linkPackages (root, side, files) {
  for (const folder of foldersOf(files)) {
    const installed = path.join(root, folder, 'node_modules')
    const linked = path.join(side, folder, 'node_modules')
    if (!existsSync(installed) || !existsSync(path.dirname(linked)) || existsSync(linked)) continue
    mkdirSync(linked)
    const ofRepository = folderDependencies(root, folder)
    for (const name of packageNames(installed)) {
      const link = path.join(linked, name)
      mkdirSync(path.dirname(link), { recursive: true })
      linkTo(ofRepository.get(name) ?? realpathSync(path.join(installed, name)), link, root, side)
    }
  }
}

/**
 * @param {string} target  Absolute; a folder or file of the repository stands for the side's copy, but an installed
 *   package for itself.
 * @param {string} link
 * @param {string} root
 * @param {string} side
 */
function linkTo (target, link, root, side) {
  const within = path.relative(realpathSync(root), target)
  const isCopied = isWithin(realpathSync(root), target) && !within.split(path.sep).includes('node_modules')
  // Relative, because sides change places.
  symlinkSync(isCopied ? path.relative(path.dirname(link), path.join(side, within)) : target, link)
}

/**
 * @param {string[]} files
 * @returns {Set<string>} the folders that hold them, and those above
 */
function foldersOf (files) {
  const folders = new Set(['.'])
  for (const file of files) {
    for (let folder = path.dirname(file); !folders.has(folder); folder = path.dirname(folder)) folders.add(folder)
  }
  return folders
}

/**
 * @param {string} installed  A node_modules folder.
 * @returns {string[]} with their scope; links that lead nowhere are left out
 */
function packageNames (installed) {
  const names = readdirSync(installed).filter(name => !name.startsWith('.'))
  return names.flatMap(name => name.startsWith('@') ? readdirSync(path.join(installed, name)).map(inScope => path.join(name, inScope)) : [name])
    .filter(name => existsSync(path.join(installed, name)))
}

/**
 * Some package managers copy such folders into node_modules, so that no link shows where they came from.
 *
 * @param {string} root
 * @param {string} folder  Relative to it.
 * @returns {Map<string, string>} by name, the absolute path
 */
function folderDependencies (root, folder) {
  const manifest = path.join(root, folder, 'package.json')
  if (!existsSync(manifest)) return new Map()
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
  return new Map(Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).flatMap(([name, version]) => {
    const [, target] = FOLDER_DEPENDENCY.exec(version) ?? []
    const resolved = target && path.resolve(realpathSync(root), folder, target)
    return resolved && isWithin(realpathSync(root), resolved) && statSync(resolved, { throwIfNoEntry: false })?.isDirectory()
      ? [[path.normalize(name), resolved]]
      : []
  }))
}

/**
 * @param {string} folder
 * @param {string} file  Or the folder itself.
 */
export function isWithin (folder, file) {
  return file === folder || file.startsWith(folder + path.sep)
}

/** @param {string} listed  By git with -z. */
const lines = listed => listed.split('\0').filter(Boolean)

/**
 * @param {string} folder
 * @param {string[]} args
 * @throws {UsageError} with git's own words
 */
function git (folder, ...args) {
  try {
    return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  } catch (error) {
    const { stderr, message } = /** @type {any} */ (error)
    const lines = (stderr || message).trim().split('\n')
    const reason = lines.findLast((/** @type {string} */ line) => /^(fatal|error):/.test(line)) ?? lines.at(-1)
    throw new UsageError(`git ${args.slice(0, 2).join(' ')} in ${folder}: ${reason}`)
  }
}
