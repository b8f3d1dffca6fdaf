/** Files of a repository that a gate compares: each side runs its own copy of them. */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../model/errors.js'
import { SIDE_URL } from '../plan/plan.js'
import { isInCommit } from './revisions.js'

/** @import { GatedQueue, GatedScenario, GateSettings, Plan } from '../plan/plan.js' */
/** @import { Missing } from './gate-plan.js' */

/**
 * @typedef {object} GatedFiles
 * @property {GatedScenario[]} scenarios
 * @property {GatedQueue[]} queues
 * @property {Missing[]} missing  Files that the base does not have.
 * @property {NonNullable<GateSettings['gone']>} [gone]
 */

/**
 * Tells the files of queues, of workloads without a queue, and of servers from modules that both sides share.
 *
 * @param {Pick<Plan, 'scenarios' | 'queues'>} parts
 * @param {object} options
 * @param {string} options.root  Root of the repository.
 * @param {string} options.baseRef
 * @param {string} options.baseCommit
 * @param {string[] | null} options.servers  URLs of the user's servers, if servers are compared, not queues.
 * @param {boolean} options.isNamed  The user named the queues.
 * @param {NonNullable<GateSettings['gone']>} options.gone  Files that the head lacks.
 * @param {(files: string[]) => string[]} options.matches  The files among them that the user's patterns match.
 * @returns {GatedFiles}
 * @throws {UsageError} when a file lies outside of the repository
 */
export function gateFiles (parts, { root, baseRef, baseCommit, servers, isNamed, gone, matches }) {
  /** @type {GatedScenario[]} */
  const scenarios = parts.scenarios.map(scenario => {
    const { kind, url } = scenario
    if (kind !== 'code' && !servers?.includes(url)) return scenario
    const file = fileIn(root, url)
    if (file !== undefined) return { ...scenario, url: SIDE_URL, file, isCounted: kind === 'code' }
    throw new UsageError(`--scenario must name files of the repository ${root}, got ${fileURLToPath(url)}`)
  })
  /** @type {GatedQueue[]} */
  const queues = parts.queues.map(queue => {
    const { name, origin, url } = queue
    const isBuiltIn = origin === 'built-in'
    if ((isBuiltIn && servers) || url === SIDE_URL) return queue
    const file = isBuiltIn ? undefined : fileIn(root, url)
    if (file !== undefined) return { ...queue, url: SIDE_URL, file }
    if (origin === 'code') return queue
    throw new UsageError(
      isNamed
        ? `--queue must name files of the repository ${root}, got ${name} (try --queue ./src/my-queue.js)`
        : 'gate needs --queue: a file of this repository (./src/my-queue.js); or --scenario: a file that needs no queue'
    )
  })
  const named = [
    ...scenarios.map(({ name, file }) => ({ scenario: name, file })),
    ...queues.map(({ name, file }) => ({ queue: name, file }))
  ]
  const codes = scenarios.flatMap(({ kind, file = '' }) => (kind === 'code' ? file.split(path.sep).join('/') : []))
  const renamed = gone.filter(({ now }) => now !== undefined && codes.includes(now))
  const lost = matches(gone.filter(file => !renamed.includes(file)).map(({ file }) => file)).map(file => ({ file }))
  const here = new Set(renamed.map(({ now = '' }) => path.normalize(now)))
  const missing = named.flatMap(({ file, ...place }) =>
    file === undefined || here.has(file) || isInCommit(root, baseCommit, file)
      ? []
      : { ...place, reason: `${file} is not in ${baseRef}: nothing to compare with` }
  )
  return { scenarios, queues, missing, ...(renamed.length + lost.length > 0 && { gone: [...renamed, ...lost] }) }
}

/**
 * Relative to the root; undefined outside of the repository, in its packages, and for a module whose URL has a query.
 *
 * @param {string} root
 * @param {string} url
 */
function fileIn (root, url) {
  if (new URL(url).search) return
  const named = fileURLToPath(url)
  // The path may lead through a link.
  const real = path.join(realpathSync(path.dirname(named)), path.basename(named))
  return [named, real]
    .map(file => path.relative(root, file))
    .find(file => !file.startsWith('..') && !path.isAbsolute(file) && !file.split(path.sep).includes('node_modules'))
}
