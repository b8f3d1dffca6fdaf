/** Checks a queue in two processes: one tries sequences of operations, the other counts work. */
import { WORK_FLAGS } from '../measure/micro/count.js'
import { SampleError, UsageError } from '../model/errors.js'
import { askOnce, Child } from '../processes/child.js'
import { checked, loaded } from '../processes/shapes.js'
import { COMPLEXITY_CLAUSES } from './clauses.js'
/** @import { Runtime } from '../processes/child.js' */
/** @import { Sequences } from './index.js' */

const CHILD_MODULE = new URL('subject/child.js', import.meta.url)
/** Long sequences create many long-lived objects, which a small young generation would copy again and again. */
const YOUNG_GENERATION_FLAGS = ['--min-semi-space-size=32', '--max-semi-space-size=64']
const LOAD_LIMIT_MS = 10_000
/** Ten times the slowest queue's time. The child itself stops an endless loop within a sequence much earlier. */
const CHECK_LIMIT_MS = { full: 300_000, brief: 30_000 }

/**
 * @param {string | URL} queue
 * @param {object} options
 * @param {number} options.seed
 * @param {Runtime} [options.runtime]
 * @param {AbortSignal} [options.signal]
 * @param {'full' | 'brief'} options.effort
 * @returns {Promise<{broken: Map<string, string>, sequences: Sequences | null}>} counter-examples by broken clause;
 *   `sequences` is null if the queue's process died
 * @throws {UsageError} when there is no queue to check
 */
export async function trySequences (queue, { seed, runtime, signal, effort }) {
  const queueUrl = String(queue)
  const child = new Child(CHILD_MODULE, { runtime, signal, flags: YOUNG_GENERATION_FLAGS })
  try {
    const { faults } = await child.ask({ type: 'load', queueUrl }, LOAD_LIMIT_MS, loaded).catch(refuse(queueUrl))
    const searched = child.ask({ type: 'search', queueUrl, seed, effort }, CHECK_LIMIT_MS[effort], checked)
    const { broken, sequences = null } = await searched.catch(blame(['returns']))
    if (faults.length > 0) broken.set('meta', faults.join('\n'))
    return { broken, sequences }
  } finally {
    await child.end()
  }
}

/**
 * @param {string | URL} queue
 * @param {AbortSignal} [signal]
 * @param {string} [clause]  The only clause to check; default: all that need counts.
 * @returns {Promise<Map<string, string>>} counts that break a clause, by clause
 */
export async function countWork (queue, signal, clause) {
  const request = { type: 'count', queueUrl: String(queue), clause }
  const options = { flags: [...WORK_FLAGS, '--expose-gc'], limitMs: CHECK_LIMIT_MS.full, shape: checked, signal }
  const { broken } = await askOnce(CHILD_MODULE, request, options).catch(blame(COMPLEXITY_CLAUSES, 'not counted: '))
  return broken
}

/**
 * Returns a handler that reports these clauses as broken if the queue's process died or did not reply in time.
 *
 * @type {(clauses: string[], prefix?: string) => (error: unknown) => {broken: Map<string, string>}}
 */
const blame = (clauses, prefix = '') => error => {
  if (!(error instanceof SampleError)) throw error
  return { broken: new Map(clauses.map(name => [name, prefix + error.message])) }
}

/**
 * Returns a handler that turns a failure to load the queue into a usage error.
 *
 * @type {(queueUrl: string) => (error: unknown) => never}
 */
const refuse = queueUrl => error => {
  if (!(error instanceof SampleError)) throw error
  throw new UsageError(error.code === 'refused' ? error.message : `${queueUrl}: cannot be loaded: ${error.message}`)
}
