/** The repository and the revision that a gate compares with, and advice where git does not have it. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../model/errors.js'
import { askGit, git, namesIn } from '../processes/git.js'

const BRANCH = /^refs\/(heads|remotes)\//
const COMMIT = /^[0-9a-f]{40}$/
/** Values of CI where there is no base: nothing, a remote without a branch, zeros, a range. */
const NO_BASE = /^\s*$|^[^/]+\/$|^0{40}$|\.\./
const DEFAULT_BRANCHES = ['main', 'master', 'trunk']
/** Places in which git looks for a name, with the first at hand taken. */
const PLACES = ['', 'tags/', 'heads/', 'remotes/'].map(place => `refs/${place}`)

/**
 * @param {string} folder
 * @returns {string} the root of its repository
 * @throws {UsageError} when the folder is in none, or git refuses to read it
 */
export function repositoryRoot (folder) {
  try {
    // Git has slashes on every system.
    return path.resolve(git(folder, ['rev-parse', '--show-toplevel']))
  } catch (error) {
    if (!/not a git repository/.test(String(error))) throw error
    throw new UsageError(
      `gate compares revisions, but ${folder} is in no git repository (two results directories: timerq compare)`
    )
  }
}

/**
 * The base of a gate. Without a name, it is the commit where the head left the default branch; on that branch itself,
 * the latest commit that differs from the working tree.
 *
 * @param {string} root
 * @param {string} [ref]
 * @param {RevisionOptions} [options]
 * @returns {Revision}
 * @throws {UsageError} when git does not know it, knows two, or there is none
 */
export function resolveBase (root, ref, options) {
  if (ref !== undefined) return resolveRevision(root, ref, options)
  const [remote] = remotesOf(root)
  const named = askGit(root, ['symbolic-ref', '--quiet', '--short', `refs/remotes/${remote}/HEAD`])
  const branches = [named, ...DEFAULT_BRANCHES, ...DEFAULT_BRANCHES.map(name => `${remote}/${name}`)]
  const branch = branches.find(name => name !== '' && commitOf(root, name))
  const here = askGit(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  const isOnBranch = branch === undefined || here === branch || branch === `${remote}/${here}`
  const hasLeft = !isOnBranch && commitOf(root, branch) !== commitOf(root, 'HEAD')
  const isClean = askGit(root, ['status', '--porcelain']) === ''
  const base = hasLeft ? branch : isClean ? 'HEAD~1' : 'HEAD'
  if (commitOf(root, base)) return resolveRevision(root, base, options)
  throw new UsageError(`gate compares with an earlier commit, and ${root} has none (commit a change, or name a --base)`)
}

/**
 * @typedef {object} RevisionOptions
 * @property {(typed: string, names: string[]) => string} [suggest]  Says which name was meant.
 * @property {boolean} [isTip]  Takes the latest commit of a branch.
 *
 * @typedef {{baseRef: string, baseCommit: string, behind?: number, warnings?: string[]}} Revision `behind`: later
 *   commits of the branch; `warnings`: of git.
 */

/**
 * A branch that only the remote has here is found, too. The base of a branch is the commit where the head left it:
 * later ones are no change of the head.
 *
 * @param {string} root
 * @param {string} ref
 * @param {RevisionOptions} [options]
 * @returns {Revision}
 * @throws {UsageError} when git does not know it, or knows two
 */
export function resolveRevision (root, ref, { suggest = () => '', isTip = false } = {}) {
  if (NO_BASE.test(ref)) {
    throw new UsageError(`--base must be a revision, got "${ref}": CI has handed over no base (try --base origin/main)`)
  }
  const found = [ref, ...remotesOf(root).map(remote => `${remote}/${ref}`)].find(name => commitOf(root, name))
  if (found) {
    assertOneMeaning(root, found)
    const warnings = new Set()
    const tip = git(root, ['rev-parse', '--verify', `${found}^{commit}`], { warnings })
    const isBranch = !isTip && BRANCH.test(askGit(root, ['rev-parse', '--symbolic-full-name', found]))
    const baseCommit = isBranch ? whereLeft(root, found, tip) : tip
    const behind = Number(git(root, ['rev-list', '--count', `${baseCommit}..${tip}`]))
    return {
      baseRef: found,
      baseCommit,
      ...(behind > 0 && { behind }),
      ...(warnings.size > 0 && { warnings: [...warnings] })
    }
  }
  throw new UsageError(`--base must be a revision, got "${ref}"${adviseOn(root, ref, suggest)}`)
}

/**
 * @param {string} root
 * @param {string} branch
 * @param {string} tip  Its latest commit.
 * @returns {string} the latest commit that the head and the branch have in common
 * @throws {UsageError} when there is none here
 */
function whereLeft (root, branch, tip) {
  const common = askGit(root, ['merge-base', 'HEAD', tip])
  if (common) return common
  const advice =
    isShallow(root) && remotesOf(root).length > 0
      ? fetchOf(root, branch)
      : `name the commit to compare with: --base ${tip.slice(0, 10)}`
  throw new UsageError(`--base ${branch} and the head have no commit in common here (${advice})`)
}

/** @param {string} root */
const isShallow = root => askGit(root, ['rev-parse', '--is-shallow-repository']) === 'true'

/**
 * Git takes a tag before a branch of the same name, and a branch before an abbreviated hash.
 *
 * @param {string} root
 * @param {string} ref  Revision that git knows.
 * @throws {UsageError} when it could mean another commit, too
 */
function assertOneMeaning (root, ref) {
  const [name] = ref.split(/[~^:]|@\{/, 1)
  const steps = ref.slice(name.length)
  const places = [...PLACES.map(place => place + name), `refs/remotes/${name}/HEAD`]
  const refs = name === '' ? '' : git(root, ['for-each-ref', '--format=%(refname)', ...places])
  const objects = /^[0-9a-f]{4,64}$/.test(name) ? askGit(root, ['rev-parse', `--disambiguate=${name}`]) : ''
  const full = [...refs.split('\n').filter(found => places.includes(found)), ...objects.split('\n').filter(Boolean)]
  const meanings = new Map(full.map(found => [commitOf(root, found + steps), found + steps]))
  const taken = commitOf(root, ref)
  if (!meanings.has(taken)) meanings.set(taken, taken)
  meanings.delete('')
  if (meanings.size === 1) return
  const each = [...meanings].map(([commit, meant]) => `--base ${meant} for ${commit.slice(0, 10)}`)
  throw new UsageError(`--base must name one commit, and "${ref}" names ${each.length} (try ${each.join(' or ')})`)
}

/**
 * @param {string} root
 * @param {string} commit
 * @param {string} file  Relative to the root.
 */
export const isInCommit = (root, commit, file) =>
  git(root, ['ls-tree', '--full-tree', commit, '--', file.split(path.sep).join('/')]) !== ''

/**
 * Files of a commit that the working tree lacks. A renamed file is not lost.
 *
 * @param {string} root
 * @param {string} commit
 * @returns {string[]} relative to the root
 */
export const deletedSince = (root, commit) =>
  namesIn(git(root, ['diff-index', '-z', '-M', '--name-only', '--diff-filter=D', commit])).filter(
    file => !existsSync(path.join(root, file))
  )

/**
 * Files in which the working tree differs from a commit, with those that git does not track, and submodules.
 *
 * @param {string} root
 * @param {string} commit
 * @returns {string[]} relative to the root
 */
export const changedSince = (root, commit) =>
  [
    ['diff', '-z', '--name-only', '--no-renames', '--no-ext-diff', '--ignore-submodules=none', commit],
    ['ls-files', '-z', '--others', '--exclude-standard']
  ].flatMap(words => namesIn(git(root, words)))

/**
 * @param {string} root
 * @param {string} commit
 * @param {string} file  Relative to the root.
 * @returns {string | null} null where the commit has no such file, or an empty one
 */
export const textInCommit = (root, commit, file) => askGit(root, ['show', `${commit}:${file}`]) || null

/**
 * @param {string} root
 * @param {string} commit
 */
export const isCommitHere = (root, commit) => commitOf(root, commit) !== ''

/**
 * @param {string} root
 * @param {string} tree  Hash.
 * @returns {string | undefined} the commit that is checked out, if this is its tree
 */
export const commitWith = (root, tree) =>
  askGit(root, ['rev-parse', 'HEAD^{tree}']) === tree ? commitOf(root, 'HEAD') : undefined

/**
 * @param {string} root
 * @param {string} name
 * @returns {string} empty where there is none
 */
const commitOf = (root, name) => askGit(root, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])

/**
 * @param {string} root
 * @returns {string[]} origin first
 */
function remotesOf (root) {
  const remotes = askGit(root, ['remote']).split('\n').filter(Boolean)
  return remotes.sort((a, b) => Number(b === 'origin') - Number(a === 'origin'))
}

/**
 * @type {(root: string, ref: string, suggest: (typed: string, names: string[]) => string) => string}
 * @returns the name that was meant, if one was, and what to do, in brackets
 */
function adviseOn (root, ref, suggest) {
  if (existsSync(ref)) return ' (two results directories: timerq compare)'
  if (!commitOf(root, 'HEAD')) return ` (${root} has no commit yet)`
  const [name] = ref.split(/[~^]/, 1)
  if (commitOf(root, name) && !isShallow(root)) return ` (${name} has no such ancestor)`
  const refs = askGit(root, ['for-each-ref', '--format=%(refname)'])
  const here = [...refs.matchAll(/^refs\/(?:heads|tags|remotes\/[^/]+)\/(.+)$/gm)].map(([, name]) => name)
  const meant = suggest(name, [...new Set(here)])
  return meant || remotesOf(root).length === 0
    ? `${meant} (git branch --all and git tag list what is there)`
    : ` (${fetchOf(root, name)})`
}

/**
 * The command that fetches a revision, and of a shallow clone the whole history, which shows where the head left it. No
 * remote is asked whether it has the revision.
 *
 * @param {string} root
 * @param {string} name  A branch, a tag or a commit.
 */
function fetchOf (root, name) {
  const remotes = remotesOf(root)
  const remote = remotes.find(remote => name.startsWith(`${remote}/`)) ?? remotes[0]
  const wanted = name.startsWith(`${remote}/`) ? name.slice(remote.length + 1) : name
  const revision =
    commitOf(root, name) || (COMMIT.test(wanted) ? wanted : `${wanted}:refs/remotes/${remote}/${wanted}`)
  const [reason, ...history] = isShallow(root)
    ? ['this clone is shallow', '--unshallow', remote, commitOf(root, 'HEAD')]
    : [`if ${remote} has it`, remote]
  return `${reason}: git fetch ${[...new Set([...history, revision])].join(' ')}; on CI check out with fetch-depth 0`
}
