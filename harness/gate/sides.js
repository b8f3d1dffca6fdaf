/**
 * Sides of a gate as folders with paths of equal length, checked out by git: the base's commit as base and control, the
 * working tree as head. Git uses a separate index and object store, so the user's repository does not change.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SIDES } from '../model/cell.js'
import { UsageError } from '../model/errors.js'

/** @import { Side } from '../model/cell.js' */
/** @import { Sides } from '../plan/plan.js' */

/** Settings of the user that would change what is checked out, or write beside the index that is given. */
const PLAIN = [
  'core.splitIndex=false',
  'core.fsmonitor=false',
  'core.safecrlf=false',
  'submodule.recurse=false'
].flatMap(setting => ['-c', setting])

/**
 * @param {string} folder
 * @returns {string} the root of its repository
 * @throws {UsageError} when the folder is in none
 */
export function repositoryRoot (folder) {
  try {
    return git(folder, ['rev-parse', '--show-toplevel'])
  } catch {
    throw new UsageError(
      `gate compares revisions, but ${folder} is in no git repository (two results directories: timerq compare)`
    )
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
    return git(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
  } catch {
    throw new UsageError(
      `--base must be a revision or a baseline file, got "${ref}" (a shallow clone lacks it: ` +
        `git fetch origin ${ref}; on CI check out with fetch-depth 0; two results directories: timerq compare)`
    )
  }
}

/**
 * @param {string} root
 * @param {string} commit
 * @param {string} file  Relative to the root.
 */
export function isInCommit (root, commit, file) {
  try {
    git(root, ['cat-file', '-e', `${commit}:${file.split(path.sep).join('/')}`])
    return true
  } catch {
    return false
  }
}

/**
 * @param {string} folder  Folder of all sides.
 * @returns {Record<Side, string>}
 */
export function foldersOf (folder) {
  const side = (/** @type {string} */ name) => path.resolve(folder, name)
  return { base: side('a'), head: side('b'), control: side('c') }
}

/**
 * Where each side runs. Code that reads a file by a relative path reads the file of its side.
 *
 * @param {string} folder  Folder of all sides, which are there.
 * @param {string} root  Folder of the repository.
 * @returns {Sides}
 */
export function placesOf (folder, root) {
  const here = isWithin(root, process.cwd()) ? path.relative(root, process.cwd()) : ''
  const places = Object.entries(foldersOf(folder)).map(([side, folder]) => {
    const cwd = path.join(folder, here)
    return [side, { folder, cwd: existsSync(cwd) ? cwd : folder }]
  })
  return Object.fromEntries(places)
}

/**
 * @param {string} folder  Folder of all sides.
 * @returns {boolean} false where sides were never prepared, or not completely
 */
export const areSidesThere = folder => Object.values(foldersOf(folder)).every(side => existsSync(side))

/**
 * @param {string} folder  Folder of all sides. An older one is replaced, and a new one is there whole or not at all.
 * @param {object} gate
 * @param {string} [gate.root]  Folder of the repository.
 * @param {string} [gate.baseCommit]
 * @param {boolean} [gate.isSelfCheck]  The head is the base, too.
 * @returns {{trees: {base: string, head: string}, changed: string[]}} hashes of the sides, and files in which they
 *   differ, relative to the root
 * @throws {UsageError} when git cannot check a side out
 */
export function prepareSides (folder, { root = '', baseCommit = '', isSelfCheck }) {
  const unfinished = `${path.resolve(folder)}.new`
  for (const old of [folder, unfinished]) rmSync(old, { recursive: true, force: true })
  // Outside of the repository, where git would take it for a part of the working tree.
  const store = mkdtempSync(path.join(os.tmpdir(), 'timerq-git-'))
  try {
    const env = storeIn(root, store)
    const headTree = isSelfCheck ? baseCommit : writeTree(root, env)
    mkdirSync(unfinished)
    // Node looks upwards for a package.json: the repository's own must not apply to a side that has none.
    writeFileSync(path.join(unfinished, 'package.json'), '{}\n')
    const sides = foldersOf(unfinished)
    for (const side of SIDES) {
      const tree = side === 'head' ? headTree : baseCommit
      mkdirSync(sides[side])
      git(root, [...PLAIN, 'read-tree', '--reset', '-u', tree], {
        ...env,
        GIT_INDEX_FILE: path.join(store, side),
        GIT_WORK_TREE: sides[side]
      })
      const inside = lines(git(root, ['ls-tree', '-r', '-d', '-z', '--name-only', '--full-tree', tree], env))
      for (const place of ['.', ...inside]) linkPackages(root, sides[side], path.join(place, 'node_modules'))
    }
    renameSync(unfinished, folder)
    const treeOf = (/** @type {string} */ tree) => git(root, ['rev-parse', `${tree}^{tree}`], env)
    return {
      trees: { base: treeOf(baseCommit), head: treeOf(headTree) },
      changed: lines(git(root, ['diff-tree', '-r', '-z', '--name-only', baseCommit, headTree], env))
    }
  } finally {
    rmSync(store, { recursive: true })
  }
}

/**
 * Finds a loaded file of another side, or of the working tree. Packages are common to all sides: they are installed
 * once.
 *
 * @param {string[]} urls  Loaded modules.
 * @param {string} side
 * @param {string} root  Folders of the side and the repository.
 * @returns {string | undefined} a path
 */
export function findForeign (urls, side, root) {
  const real = realpathSync(side)
  const homes = [path.dirname(real), realpathSync(root)]
  return urls
    .map(url => fileURLToPath(url))
    .find(file => {
      const home = homes.find(folder => isWithin(folder, file))
      return home && !isWithin(real, file) && !path.relative(home, file).split(path.sep).includes('node_modules')
    })
}

/**
 * @param {string} folder
 * @param {string} file  Or the folder itself.
 */
export function isWithin (folder, file) {
  return file === folder || file.startsWith(folder + path.sep)
}

/**
 * @param {string} root
 * @param {string} store  Folder for new objects and an index; the repository's own objects are only read.
 */
function storeIn (root, store) {
  const inRepository = (/** @type {string[]} */ ...what) => path.resolve(root, git(root, ['rev-parse', ...what]))
  const { GIT_ALTERNATE_OBJECT_DIRECTORIES: more } = process.env
  mkdirSync(path.join(store, 'objects'))
  return {
    GIT_DIR: inRepository('--absolute-git-dir'),
    GIT_OBJECT_DIRECTORY: path.join(store, 'objects'),
    // Git reads a quoted path whole, colons included.
    GIT_ALTERNATE_OBJECT_DIRECTORIES: [
      JSON.stringify(inRepository('--git-path', 'objects')),
      ...(more ? [more] : [])
    ].join(path.delimiter),
    GIT_INDEX_FILE: path.join(store, 'index')
  }
}

/**
 * @param {string} root
 * @param {ReturnType<typeof storeIn>} env
 * @returns {string} the tree of the working tree: tracked files, and files that git neither tracks nor ignores
 */
function writeTree (root, env) {
  const index = path.resolve(root, git(root, ['rev-parse', '--git-path', 'index']))
  if (existsSync(index)) {
    copyFileSync(index, env.GIT_INDEX_FILE)
    // Git reads no file older than the index: the date of the copy would hide edits in the second after a commit.
    const before = statSync(index).mtimeMs / 1000 - 1
    utimesSync(env.GIT_INDEX_FILE, before, before)
  }
  git(root, [...PLAIN, 'add', '--all'], { ...env, GIT_WORK_TREE: root })
  return git(root, [...PLAIN, 'write-tree'], env)
}

/**
 * Links to the packages that are installed now. Workspaces are links into the repository, replaced by links to the
 * side's copy.
 *
 * @param {string} root
 * @param {string} side
 * @param {string} folder  A node_modules folder, or the folder of a scope in it, relative to both.
 */
function linkPackages (root, side, folder) {
  const [installed, linked] = [root, side].map(home => path.join(home, folder))
  if (!existsSync(installed) || existsSync(linked)) return
  mkdirSync(linked)
  for (const entry of readdirSync(installed, { withFileTypes: true })) {
    const name = path.join(folder, entry.name)
    const target = entry.isSymbolicLink() ? path.resolve(installed, readlinkSync(path.join(root, name))) : ''
    if (entry.isDirectory() && entry.name.startsWith('@')) linkPackages(root, side, name)
    else {
      symlinkSync(
        isWithin(root, target)
          ? path.relative(linked, path.join(side, path.relative(root, target)))
          : path.join(root, name),
        path.join(side, name)
      )
    }
  }
}

/** @param {string} listed  Names that git lists with -z. */
const lines = listed => listed.split('\0').filter(Boolean)

/**
 * @param {string} folder
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @throws {UsageError} with git's own words
 */
function git (folder, args, env) {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env }
    }).trim()
  } catch (error) {
    const { stderr, message } = /** @type {any} */ (error)
    const lines = (stderr || message).trim().split('\n')
    const reason = lines.findLast((/** @type {string} */ line) => /^(fatal|error):/.test(line)) ?? lines.at(-1)
    const command = args.slice(args.lastIndexOf('-c') + (args.includes('-c') ? 2 : 0)).slice(0, 2)
    throw new UsageError(`git ${command.join(' ')} in ${folder}: ${reason}`)
  }
}
