/**
 * Base and head as two folders whose paths are equally long: the base a revision checked out by git, the head the
 * working tree as it stands. They change places from time to time, so that neither profits from its path.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../model/errors.js'

/** Says in a folder which side it holds. */
const MARK = '.timerq-side'

/**
 * @param {string} folder  Seen from here.
 * @returns {string} the root of its repository
 * @throws {UsageError} outside of one
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

export class Sides {
  #folder

  /** @param {string} folder  Of both sides; where they were before, they are found again. */
  constructor (folder) {
    this.#folder = path.resolve(folder)
  }

  /**
   * @param {string} root  Of the repository.
   * @param {string} commit
   * @param {string[]} files  Queue modules, relative to the root.
   * @throws {UsageError} when git cannot check the revision out
   */
  prepare (root, commit, files) {
    this.remove()
    mkdirSync(this.#folder, { recursive: true })
    this.#checkOut(root, commit)
    this.#copyWorkingTree(root)
    for (const side of ['a', 'b']) linkPackages(root, this.#path(side), files)
    writeFileSync(path.join(this.#path('a'), MARK), 'base')
    writeFileSync(path.join(this.#path('b'), MARK), 'head')
  }

  get areThere () {
    return ['a', 'b', 'c'].filter(side => existsSync(this.#path(side))).length === 2
  }

  /**
   * @param {boolean} swapped
   * @returns {{base: string, head: string}} the folders
   */
  place (swapped) {
    const [base, head] = swapped ? ['b', 'a'] : ['a', 'b']
    while (this.#markOf(base) !== 'base' || this.#markOf(head) !== 'head') this.#swap()
    return { base: this.#path(base), head: this.#path(head) }
  }

  remove () {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #swap () {
    // A gate that was killed between two renamings left its third name behind.
    if (existsSync(this.#path('c'))) return renameSync(this.#path('c'), this.#path(existsSync(this.#path('a')) ? 'b' : 'a'))
    renameSync(this.#path('a'), this.#path('c'))
    renameSync(this.#path('b'), this.#path('a'))
    renameSync(this.#path('c'), this.#path('b'))
  }

  /**
   * @param {string} root
   * @param {string} commit
   */
  #checkOut (root, commit) {
    const folder = this.#path('a')
    git(root, 'worktree', 'add', '--detach', '--force', folder, commit)
    // From here on it is a folder like the other. `git worktree prune` would also forget the user's own worktrees on
    // disks that are not mounted now.
    const link = path.join(folder, '.git')
    const [, record] = /** @type {RegExpExecArray} */ (/^gitdir: (.+)$/m.exec(readFileSync(link, 'utf8')))
    rmSync(path.resolve(folder, record), { recursive: true })
    rmSync(link)
  }

  /** @param {string} root */
  #copyWorkingTree (root) {
    const files = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')
    mkdirSync(this.#path('b'))
    for (const file of files) {
      const from = path.join(root, file)
      const isOurs = !from.startsWith(this.#folder)
      if (file !== '' && isOurs && existsSync(from) && statSync(from).isFile()) cpSync(from, path.join(this.#path('b'), file), { recursive: true })
    }
  }

  /** @param {string} side */
  #path (side) {
    return path.join(this.#folder, side)
  }

  /** @param {string} side */
  #markOf (side) {
    const file = path.join(this.#path(side), MARK)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
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
 * Both sides use the packages that are installed now.
 *
 * @param {string} root
 * @param {string} side
 * @param {string[]} files
 */
function linkPackages (root, side, files) {
  const folders = new Set(files.flatMap(file => ancestors(path.dirname(file))))
  for (const folder of folders) {
    const packages = path.join(root, folder, 'node_modules')
    const link = path.join(side, folder, 'node_modules')
    if (existsSync(packages) && existsSync(path.dirname(link)) && !existsSync(link)) symlinkSync(packages, link, 'junction')
  }
}

/**
 * @param {string} folder  Relative.
 * @returns {string[]}
 */
function ancestors (folder) {
  return folder === '.' ? ['.'] : [folder, ...ancestors(path.dirname(folder))]
}

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
