/** Checks a queue in two processes: one tries sequences, the other counts work. */
import { WORK_FLAGS } from '../measure/micro/alone.js'
import { SampleError, UsageError } from '../model/errors.js'
import { askOnce, Child } from '../processes/child.js'
import { checked, loaded } from '../processes/shapes.js'
import { COMPLEXITY_CLAUSES } from './clauses.js'
/** @import { Runtime } from '../processes/child.js' */
/** @import { Sequences } from './index.js' */

const PROCESS = new URL('subject/child.js', import.meta.url)
/** Long lives make many objects that stay: a small young generation would copy them again and again. */
const YOUNG_FLAGS = ['--min-semi-space-size=32', '--max-semi-space-size=64']
const LOAD_LIMIT_MS = 10_000
/** Ten times what the slowest queue needs. An endless loop in a sequence is ended long before. */
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
  const child = new Child(PROCESS, { runtime, signal, flags: YOUNG_FLAGS })
  try {
    const { faults } = await child.ask({ type: 'load', queueUrl }, LOAD_LIMIT_MS, loaded).catch(refuse(queueUrl))
    const searching = child.ask({ type: 'search', queueUrl, seed, effort }, CHECK_LIMIT_MS[effort], checked)
    const { broken, sequences = null } = await searching.catch(blame(['returns']))
    if (faults.length > 0) broken.set('meta', faults.join('\n'))
    return { broken, sequences }
  } finally {
    await child.end()
  }
}

/**
 * @param {string | URL} queue
 * @param {AbortSignal} [signal]
 * @param {string} [clause]  The only clause to count for; all by default.
 * @returns {Promise<Map<string, string>>} counts by broken clause
 */
export async function countWork (queue, signal, clause) {
  const request = { type: 'count', queueUrl: String(queue), clause }
  const options = { flags: [...WORK_FLAGS, '--expose-gc'], limitMs: CHECK_LIMIT_MS.full, shape: checked, signal }
  const { broken } = await askOnce(PROCESS, request, options).catch(blame(COMPLEXITY_CLAUSES, 'not counted: '))
  return broken
}

/**
 * Blames these clauses where the queue's process dies or does not reply in time.
 *
 * @type {(clauses: string[], prefix?: string) => (error: unknown) => {broken: Map<string, string>}}
 */
const blame = (clauses, prefix = '') => error => {
  if (!(error instanceof SampleError)) throw error
  return { broken: new Map(clauses.map(name => [name, prefix + error.message])) }
}

/** @type {(queueUrl: string) => (error: unknown) => never} */
const refuse = queueUrl => error => {
  if (!(error instanceof SampleError)) throw error
  throw new UsageError(error.code === 'refused' ? error.message : `${queueUrl}: cannot be loaded: ${error.message}`)
}
