/** Code and workloads that both sides share: have they changed since the base? */
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compact } from '../model/compact.js'
import { groupBy } from '../model/group-by.js'
import { SIDE_URL } from '../plan/plan.js'
import { askGit } from '../processes/git.js'
import { filesIn, foldersAbove, isWithin } from './paths.js'

/** @import { SidedPlan } from './gate-plan.js' */
/** @import { Found, Prepared } from './gate.js' */

/**
 * Names changed files of workloads, which both sides take from the working tree.
 *
 * @param {Prepared} prepared
 * @returns {Found}
 */
export function findShared ({ plan: { scenarios, of: { gate: { root, baseRef } } }, differences }) {
  const folders = scenarios.flatMap(({ url }) => (url === SIDE_URL ? [] : path.dirname(fileURLToPath(url))))
  const files = differences.map(({ file }) => file)
  const workloads = files.filter(file => folders.some(folder => isWithin(folder, path.join(root, file))))
  const options = process.env.NODE_OPTIONS
  const warnings = [
    workloads.length > 0 &&
      `not as in ${baseRef}: ${workloads.join(', ')}; both sides were measured under the workload of the working tree`,
    options && `NODE_OPTIONS is set, for both sides: ${options}`
  ]
  return { gate: { warnings: compact(...warnings) } }
}

/**
 * @param {string[]} found  Files that both sides have loaded, or folders of packages, with symbolic links resolved.
 * @param {Pick<SidedPlan['of']['gate'], 'root' | 'baseRef' | 'baseCommit'>} gate
 * @returns {{unmeasured: string[], shared: string[]}} sentences on code that has changed since the base, and on other
 *   code
 */
export function describeOutside (found, { root, baseRef, baseCommit }) {
  if (found.length === 0) return { unmeasured: [], shared: [] }
  const since = Number(askGit(root, ['log', '-1', '--format=%ct', baseCommit]))
  const [changed, others] = [true, false].map(hasChanged =>
    [...groupBy(found, packageOf)]
      .filter(([folder, files]) => mayHaveChanged(folder, files, since) === hasChanged)
      .map(([folder]) => path.relative(root, folder))
  )
  const ran = (/** @type {string[]} */ folders) => `both sides ran ${folders.join(', ')}, outside of the repository`
  return {
    unmeasured: changed.length > 0 ? [`${ran(changed)}, which may have changed since ${baseRef}`] : [],
    shared: others.length > 0 ? [`${ran(others)}, unchanged since ${baseRef}`] : []
  }
}

/**
 * The folder of a file's package, or else of the file.
 *
 * @param {string} file  Or the folder of a package.
 */
function packageOf (file) {
  const own = isFolder(file) ? file : path.dirname(file)
  return [own, ...foldersAbove(own)].find(folder => existsSync(path.join(folder, 'package.json'))) ?? own
}

/**
 * Git knows whether a file is the same as in a commit. Without git, only the time of the last change is known.
 *
 * @param {string} folder
 * @param {string[]} found
 * @param {number} since  Seconds since 1970.
 */
function mayHaveChanged (folder, found, since) {
  const files = found.flatMap(file => (isFolder(file) ? ownFilesIn(file) : file))
  // A file that has vanished since it was loaded may have been another one.
  const timeOf = (/** @type {string} */ file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
  const recent = files.filter(file => timeOf(file) / 1000 >= since)
  if (recent.length === 0) return false
  const names = recent.map(file => path.relative(folder, file))
  const isTracked = askGit(folder, ['ls-files', '--error-unmatch', '--', ...names]) !== ''
  const isClean = isTracked && askGit(folder, ['status', '--porcelain', '--', ...names]) === ''
  return !isClean || Number(askGit(folder, ['log', '-1', '--format=%ct', '--', ...names])) >= since
}

/** @param {string} file */
const isFolder = file => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true

/** @param {string} folder */
const ownFilesIn = folder =>
  filesIn(folder).filter(name => !name.split('/').includes('.git')).map(name => path.join(folder, name))
