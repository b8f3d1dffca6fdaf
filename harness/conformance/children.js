/** Checks a queue in two processes: one tries sequences, the other counts work. */
import { Child, SampleError } from '../processes/child.js'
import { UsageError } from '../model/errors.js'
import * as shapes from '../processes/shapes.js'
import { WORK_FLAGS } from '../measure/work-counter.js'
import { OPERATIONS } from './clauses.js'

const SEQUENCES_CHILD = new URL('sequences-child.js', import.meta.url)
const COMPLEXITY_CHILD = new URL('complexity-child.js', import.meta.url)
const COMPLEXITY_CLAUSES = OPERATIONS.map(operation => `complexity-${operation}`)
const RUNTIME = { name: 'own', path: process.execPath, flags: [] }

const LOAD_LIMIT_MS = 10_000
/** Ten times what the slowest queue needs. An endless loop in a sequence is ended long before. */
const CHECK_LIMIT_MS = 300_000
const QUICK_LIMIT_MS = 30_000

/**
 * @param {string | URL} queue
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @param {{quick?: boolean}} [options]  `quick` tries fewer sequences and no long lives, in about a second of CPU time.
 * @returns {Promise<{broken: Map<string, string>, sequences: import('./index.js').Sequences | null}>} counter-examples by
 *   broken clause; no `sequences` where the queue's process died or the check was quick
 * @throws {UsageError} when there is no queue to check
 */
export async function trySequences (queue, seed, signal, { quick = false } = {}) {
  const task = { queueUrl: String(queue), seed, quick }
  return inChild(SEQUENCES_CHILD, [], async child => {
    const loading = child.ask({ ...task, type: 'load' }, LOAD_LIMIT_MS, signal).then(answer => shapes.assertShape(answer, shapes.loaded))
    const { faults } = await loading.catch(refuse(task.queueUrl))
    const checking = child.ask({ ...task, type: 'check' }, quick ? QUICK_LIMIT_MS : CHECK_LIMIT_MS, signal).then(answer => shapes.assertShape(answer, shapes.checked))
    /** @type {{broken: Map<string, string>, sequences?: import('./index.js').Sequences | null}} */
    const { broken, sequences = null } = await checking.catch(blame('returns'))
    if (faults.length > 0) broken.set('meta', faults.join('\n'))
    return { broken, sequences }
  })
}

/**
 * @param {string | URL} queue
 * @param {AbortSignal} [signal]
 * @param {{clause?: string}} [options]  The only clause to count for; all by default.
 * @returns {Promise<Map<string, string>>} the counts that break a clause, by clause
 */
export async function countWork (queue, signal, { clause } = {}) {
  const task = { type: 'check', queueUrl: String(queue), clause }
  return inChild(COMPLEXITY_CHILD, WORK_FLAGS, async child => {
    const checking = child.ask(task, CHECK_LIMIT_MS, signal).then(answer => shapes.assertShape(answer, shapes.checked))
    return (await checking.catch(blame(...COMPLEXITY_CLAUSES))).broken
  })
}

/** @param {string} why */
export function notCounted (why) {
  return allOf(COMPLEXITY_CLAUSES, why)
}

/**
 * @template Answer
 * @param {URL} entry
 * @param {string[]} flags
 * @param {(child: Child) => Promise<Answer>} check
 */
async function inChild (entry, flags, check) {
  const child = new Child(entry, { runtime: RUNTIME, flags })
  try {
    return await check(child)
  } finally {
    await child.end()
  }
}

/**
 * Blames these clauses where the queue's process dies or does not answer in time.
 *
 * @param {...string} names
 */
function blame (...names) {
  return (/** @type {unknown} */ error) => {
    if (!(error instanceof SampleError)) throw error
    return { broken: allOf(names, error.message) }
  }
}

/**
 * @param {string[]} names
 * @param {string} counterexample
 */
function allOf (names, counterexample) {
  return new Map(names.map(name => [name, counterexample]))
}

/**
 * @param {string} queueUrl
 * @returns {(error: unknown) => never}
 */
function refuse (queueUrl) {
  return error => {
    if (!(error instanceof SampleError)) throw error
    const namesQueue = error.message.startsWith(queueUrl) || error.message.startsWith('queue "')
    throw new UsageError(namesQueue ? error.message : `${queueUrl}: cannot be loaded: ${error.message}`)
  }
}
