/**
 * Sides of a gate as folders with paths of equal length, checked out by git: the base's commit as base and control, the
 * working tree as head. Git uses a separate index and object store, so the user's repository does not change.
 */
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { END_OF_PROJECT } from '../formats/end-of-project.js'
import { SIDES } from '../model/cell.js'
import { MeasurementError } from '../model/errors.js'
import { askGit, git, namesIn } from '../processes/git.js'
import { removeAtEnd } from '../processes/processes.js'
import { askedFolders, differencesOf } from './differences.js'
import { benchmarksIn } from './gate-plan.js'
import { foldersAbove, foldersIn, isWithin, PACKAGES } from './paths.js'
import { commitWith } from './revisions.js'

/** @import { Side } from '../model/cell.js' */
/** @import { Sides } from '../plan/plan.js' */
/** @import { SidedPlan } from './gate-plan.js' */
/** @import { Found, Prepared } from './gate.js' */

/** Overrides user settings that would change the checked-out files, or write files other than the given index. */
const PLAIN = [
  'core.splitIndex=false',
  'core.fsmonitor=false',
  'core.safecrlf=false',
  `core.hooksPath=${os.devNull}`,
  'submodule.recurse=false'
].flatMap(setting => ['-c', setting])

/**
 * Files that Node, tsx and timerq look for upwards. The repository's own, whose paths may lead into the working tree,
 * must not apply to a side that has none.
 */
const BOUNDARY = { 'package.json': '{}\n', 'tsconfig.json': '{}\n', [END_OF_PROJECT]: '' }

/** Folders of the sides, whose paths are of equal length. */
const NAMES = { base: 'a', head: 'b', control: 'c' }
/**
 * Makes the folders of the sides, which go when this process ends. They lie outside of the project, where no test
 * runner takes their files for the project's own.
 *
 * @param {Prepared} prepared
 * @returns {Found}
 */
export function checkOutSides ({ directory, plan }) {
  const { gate } = plan.of
  const { root, baseCommit, isSelfCheck } = gate
  const folder = makeFolderOfSides(root)
  const { sides, trees, changed, warnings } = prepareSides(
    folder,
    { ...gate, benchmarks: [...benchmarksIn(plan).keys()] },
    resultsBeside(directory)
  )
  if (!isSelfCheck && trees.base === trees.head && !hasSubmodules(root)) {
    throw new MeasurementError(
      `base and head are the same: ${gate.baseRef} (${baseCommit.slice(0, 7)}), and the working tree has no change ` +
        '(name an earlier --base; --self-check shows the noise of this machine)'
    )
  }
  const headCommit = isSelfCheck ? baseCommit : commitWith(root, trees.head)
  const placed = { ...plan, sides }
  return {
    plan: placed,
    differences: differencesOf(changed, placed, askedFolders(root, foldersOfCode(plan))),
    gate: { trees, warnings, ...(headCommit && { headCommit }) }
  }
}

/**
 * Whether the working tree may have changes that its tree does not show.
 *
 * @param {string} root
 */
const hasSubmodules = root => existsSync(path.join(root, '.gitmodules'))

/**
 * A new folder. Packages above the repository are found from there, too.
 *
 * @param {string} root  Folder of the repository.
 */
function makeFolderOfSides (root) {
  const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'timerq-sides-'))
  removeAtEnd(folder)
  const outer = foldersAbove(root).map(above => path.join(above, PACKAGES)).find(place => existsSync(place))
  if (outer) symlinkSync(outer, path.join(folder, PACKAGES), 'junction')
  return path.join(folder, 'sides')
}

/**
 * The folder that holds nothing but the sides of a gate.
 *
 * @param {Sides} sides
 */
export const homeOf = ({ base: { folder = '' } }) => path.dirname(path.dirname(folder))

/**
 * Folders of the gated code, relative to the root.
 *
 * @param {SidedPlan} plan
 */
export function foldersOfCode ({ queues, scenarios, of: { program, gate: { root } } }) {
  if (program) return [path.relative(root, program.cwd) || '.']
  return [...queues, ...scenarios].flatMap(({ file }) => (file === undefined ? [] : [path.dirname(file)]))
}

/**
 * The working directory of a side, so that code reads its side's files by relative paths.
 *
 * @param {string} folder
 * @param {string} root  Folder of the repository.
 */
function directoryIn (folder, root) {
  const cwd = path.join(folder, isWithin(root, process.cwd()) ? path.relative(root, process.cwd()) : '')
  return existsSync(cwd) ? cwd : folder
}

/**
 * @param {string} folder  Folder of all sides, which is replaced.
 * @param {object} gate
 * @param {string} gate.root  Folder of the repository.
 * @param {string} gate.baseCommit
 * @param {boolean} [gate.isSelfCheck]  The head is the base, too.
 * @param {string[]} [gate.benchmarks]  Files of the head, relative to the root, also those that git ignores.
 * @param {string[]} [results]  Folders of results, which are no part of the working tree unless git tracks them.
 * @returns {{sides: SidedPlan['sides'], trees: {base: string, head: string}, changed: string[], warnings: string[]}}
 *   hashes of the sides, files in which they differ, relative to the root, and warnings of git
 * @throws {UsageError} when git cannot check a side out
 */
export function prepareSides (folder, { root, baseCommit, isSelfCheck, benchmarks }, results = []) {
  rmSync(folder, { recursive: true, force: true })
  // Outside of the repository, where git would take it for a part of the working tree.
  const store = mkdtempSync(path.join(os.tmpdir(), 'timerq-git-'))
  try {
    const options = { ...storeIn(root, store), warnings: new Set() }
    const headTree = isSelfCheck ? baseCommit : writeTree(root, options, { leftOut: results, benchmarks })
    mkdirSync(folder)
    for (const [name, text] of Object.entries(BOUNDARY)) writeFileSync(path.join(folder, name), text)
    const sides = SIDES.map(name => {
      const side = path.resolve(folder, NAMES[name])
      const tree = name === 'head' ? headTree : baseCommit
      const isWorkingTree = name === 'head' && !isSelfCheck
      checkOut({ root, tree, options, isWorkingTree }, side, path.join(store, name))
      for (const place of foldersIn(side)) linkPackages(root, side, path.join(place, PACKAGES))
      return [name, { folder: side, cwd: directoryIn(side, root) }]
    })
    const treeOf = (/** @type {string} */ tree) => git(root, ['rev-parse', `${tree}^{tree}`], options)
    return {
      sides: /** @type {any} */ (Object.fromEntries(sides)),
      trees: { base: treeOf(baseCommit), head: treeOf(headTree) },
      changed: namesIn(git(root, ['diff-tree', '-r', '-z', '--name-only', baseCommit, headTree], options)),
      warnings: [...options.warnings]
    }
  } finally {
    rmSync(store, { recursive: true })
  }
}

/**
 * Checks out a tree with its submodules, as far as their commits are here. Of the working tree, a submodule has the
 * files that are there now.
 *
 * @param {{root: string, tree: string, options: GitOptions, isWorkingTree: boolean}} source
 * @param {string} folder
 * @param {string} store  Path for an index; temporary folders are made next to it.
 */
function checkOut ({ root, tree, options, isWorkingTree }, folder, store) {
  mkdirSync(folder, { recursive: true })
  const own = { GIT_INDEX_FILE: `${store}-index`, GIT_WORK_TREE: folder }
  git(root, [...PLAIN, 'read-tree', '--reset', '-u', tree], { ...options, env: { ...options.env, ...own } })
  const entries = namesIn(git(root, ['ls-tree', '-r', '-z', '--full-tree', tree], options))
  const submodules = entries.flatMap(entry => {
    const [, commit, name] = /^160000 commit ([0-9a-f]+)\t([^]*)$/.exec(entry) ?? []
    return name !== undefined && existsSync(path.join(root, name, '.git')) ? { commit, name } : []
  })
  for (const [i, { commit, name }] of submodules.entries()) {
    const sub = path.join(root, name)
    const subStore = `${store}-${i}`
    mkdirSync(subStore)
    const subOptions = { ...options, ...storeIn(sub, subStore) }
    const subTree = isWorkingTree ? writeTree(sub, subOptions) : commit
    if (!askGit(sub, ['rev-parse', '--verify', '--quiet', `${subTree}^{tree}`], subOptions)) continue
    checkOut(
      { root: sub, tree: subTree, options: subOptions, isWorkingTree },
      path.join(folder, name),
      path.join(subStore, 'sub')
    )
  }
}

/**
 * Loaded files that do not lie in the side. Packages are common to all sides: they are installed once.
 *
 * @param {string[]} urls  Loaded modules.
 * @param {string} side
 * @param {string} root  Folders of the side and the repository.
 * @returns {{foreign?: string, outside: string[]}} a path of another side or of the working tree, and those that lie in
 *   no side and not in the repository
 */
export function straysAmong (urls, side, root) {
  const real = realpathSync(side)
  const homes = [path.dirname(real), realpathSync(root)]
  const boundary = Object.keys(BOUNDARY).map(name => path.join(homes[0], name))
  const files = [...new Set(urls.map(url => fileURLToPath(url)))]
  const homeOf = (/** @type {string} */ file) => homes.find(folder => isWithin(folder, file))
  const strays = files.filter(
    file =>
      !boundary.includes(file) &&
      !isWithin(real, file) &&
      !path.relative(homeOf(file) ?? '/', file).split(path.sep).includes(PACKAGES)
  )
  return { foreign: strays.find(homeOf), outside: strays.filter(file => !homeOf(file)) }
}

/**
 * @typedef {{env: Record<string, string>, warnings: Set<string>}} GitOptions  Variables with which git writes into a
 *   store, and the place for its warnings.
 */

/**
 * @param {string} root
 * @param {string} store  Folder for new objects and an index; the repository's own objects are only read.
 * @returns {Pick<GitOptions, 'env'>}
 */
function storeIn (root, store) {
  const inRepository = (/** @type {string[]} */ ...what) => path.resolve(root, git(root, ['rev-parse', ...what]))
  const { GIT_ALTERNATE_OBJECT_DIRECTORIES: more } = process.env
  mkdirSync(path.join(store, 'objects'))
  // Git reads a quoted path whole, colons included.
  const objects = [JSON.stringify(inRepository('--git-path', 'objects')), ...(more ? [more] : [])]
  return {
    env: {
      GIT_DIR: inRepository('--absolute-git-dir'),
      GIT_OBJECT_DIRECTORY: path.join(store, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.join(path.delimiter),
      GIT_INDEX_FILE: path.join(store, 'index')
    }
  }
}

/**
 * @param {string} root
 * @param {GitOptions} options
 * @param {{leftOut?: string[], benchmarks?: string[]}} [named]  `leftOut`: folders.
 * @returns {string} the tree of the working tree: tracked files, files that git neither tracks nor ignores, and
 *   benchmark files, which a `.gitignore` may ignore that lists what it keeps
 */
function writeTree (root, options, { leftOut = [], benchmarks = [] } = {}) {
  const { env, warnings } = options
  const index = path.resolve(root, git(root, ['rev-parse', '--git-path', 'index']))
  if (existsSync(index)) {
    copyFileSync(index, env.GIT_INDEX_FILE)
    // Git reads no file older than the index: the date of the copy would hide edits in the second after a commit.
    const before = statSync(index).mtimeMs / 1000 - 1
    utimesSync(env.GIT_INDEX_FILE, before, before)
  }
  const inTree = { env: { ...env, GIT_WORK_TREE: root }, warnings }
  // Git lists another repository as a folder, and can take it only once it has a commit.
  const untracked = namesIn(git(root, [...PLAIN, 'ls-files', '-z', '--others', '--exclude-standard'], inTree))
  const empty = untracked.filter(name => name.endsWith('/') && !askGit(path.join(root, name), ['rev-parse', 'HEAD']))
  const others = empty.length > 0 ? ['--', '.', ...empty.map(name => `:(exclude,literal)${name}`)] : []
  git(root, [...PLAIN, 'add', '--all', '--no-warn-embedded-repo', ...others], inTree)
  const taken = new Set(namesIn(git(root, ['ls-files', '-z', '--full-name', ':/'], inTree)))
  const ignored = benchmarks.filter(file => !taken.has(file))
  if (ignored.length > 0) git(root, [...PLAIN, '--literal-pathspecs', 'add', '--force', '--', ...ignored], inTree)
  const within = leftOut
    .map(folder => realpathSync(folder))
    .filter(folder => isWithin(realpathSync(root), folder) && git(root, ['ls-files', '--', folder]) === '')
  const remove = ['rm', '-r', '-f', '--quiet', '--cached', '--ignore-unmatch', '--']
  if (within.length > 0) git(root, [...PLAIN, ...remove, ...within], inTree)
  return git(root, [...PLAIN, 'write-tree'], options)
}

/**
 * @param {string} directory  Results.
 * @returns {string[]} all results in its folder: where git does not ignore them, each gate would change the head
 */
export function resultsBeside (directory) {
  const folder = path.dirname(path.resolve(directory))
  return readdirSync(folder)
    .map(name => path.join(folder, name))
    .filter(place => existsSync(path.join(place, 'run.json')))
}

/**
 * Links to the packages that are installed now, unless the side has them. Workspaces are links into the repository,
 * replaced by links to the side's copy.
 *
 * @param {string} root
 * @param {string} side
 * @param {string} folder  A node_modules folder, or the folder of a scope in it, relative to both.
 */
function linkPackages (root, side, folder) {
  const [installed, linked] = [root, side].map(home => path.join(home, folder))
  if (!existsSync(installed)) return
  removeLost(linked)
  if (lstatSync(linked, { throwIfNoEntry: false })?.isSymbolicLink()) return
  mkdirSync(linked, { recursive: true })
  for (const entry of readdirSync(installed, { withFileTypes: true })) {
    const name = path.join(folder, entry.name)
    const target = entry.isSymbolicLink() ? path.resolve(installed, readlinkSync(path.join(root, name))) : null
    removeLost(path.join(side, name))
    if (entry.isDirectory() && entry.name.startsWith('@')) linkPackages(root, side, name)
    else if (!existsSync(path.join(side, name))) {
      symlinkSync(
        target !== null && isWithin(root, target)
          ? path.relative(linked, path.join(side, path.relative(root, target)))
          : path.join(root, name),
        path.join(side, name),
        // Windows lets every user make these; Node makes their paths absolute.
        'junction'
      )
    }
  }
}

/**
 * Removes a link of the repository that leads nowhere, seen from the folder of a side.
 *
 * @param {string} link
 */
function removeLost (link) {
  if (!existsSync(link)) rmSync(link, { force: true })
}
