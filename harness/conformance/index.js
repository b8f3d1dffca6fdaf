/**
 * The conformance kit tests whether a queue fulfils the contract:
 *
 *     import { checkQueue } from 'timerq/conformance'
 *
 *     const { holds, clauses } = await checkQueue(new URL('my-queue.js', import.meta.url))
 *
 * Generated sequences and long lives of many timers test every clause of the contract; exact counts of work test the
 * declared complexity. The queue runs in separate processes, so that not even an endless loop harms the caller.
 */
import { trySequences, countWork } from './check.js'
import { COMPLEXITY_CLAUSES, clauses, NOT_COUNTED, shortestFirst } from './clauses.js'

/**
 * @import { UsageError } from '../model/errors.js'
 * @import { Runtime } from '../processes/child.js'
 * @import { ClauseVerdict } from './clauses.js'
 *
 * @typedef {object} Sequences  How much was tried: less if the queue is slow, or if an operation does not return.
 * @property {number} tried  Generated sequences.
 * @property {number} planned
 * @property {{tried: number, planned: number}} largest  Timers pending at once, or starts of a few timers, in the
 *   longest lives; 0 if none was tried.
 */

/**
 * @param {string | URL} queue  URL of its module.
 * @param {{seed?: number, signal?: AbortSignal}} [options]  The same seed tries the same sequences, as far as time
 *   allows.
 * @returns {Promise<{holds: boolean, clauses: ClauseVerdict[], sequences: Sequences | null}>} broken clauses come
 *   first, the shortest test before all; `sequences` is null if the queue's process died, or if queues share state
 * @throws {UsageError} when there is no queue to check
 */
export async function checkQueue (queue, { seed = 1, signal } = {}) {
  const { broken, counted, sequences } = await bothAtOnce(queue, { seed, signal })
  const counterexamples = new Map([...broken, ...counted])
  const verdicts = clauses.map(({ name, sentence }) => {
    const counterexample = counterexamples.get(name) ?? null
    return { clause: name, sentence, holds: counterexample === null, counterexample }
  })
  return { holds: counterexamples.size === 0, sequences, clauses: shortestFirst(verdicts) }
}

/**
 * Counts work while the sequences are tried. Work is not counted to the end where an operation does not return.
 *
 * @param {string | URL} queue
 * @param {{seed: number, signal?: AbortSignal}} options
 */
async function bothAtOnce (queue, { seed, signal }) {
  const ending = new AbortController()
  const counting = countWork(queue, signal ? AbortSignal.any([signal, ending.signal]) : ending.signal)
  // Awaited later, or given up.
  counting.catch(() => {})
  try {
    const tried = await trySequences(queue, { seed, signal, effort: 'full' })
    const counted = tried.broken.has('returns')
      ? new Map(COMPLEXITY_CLAUSES.map(clause => [clause, NOT_COUNTED]))
      : await counting
    return { ...tried, counted }
  } finally {
    ending.abort()
    await counting.catch(() => {})
  }
}

/**
 * Tries a few sequences, in about a second of CPU time: no long lives, no shortest counter-example, no complexity.
 *
 * @param {string | URL} queue  URL of its module.
 * @param {{seed?: number, runtime?: Runtime, signal?: AbortSignal}} [options]
 * @returns {Promise<string[]>} sentences of the clauses that the queue breaks
 * @throws {UsageError} when there is no queue to check
 */
export async function checkBriefly (queue, { seed = 1, runtime, signal } = {}) {
  const { broken } = await trySequences(queue, { seed, runtime, signal, effort: 'brief' })
  return clauses.filter(({ name }) => broken.has(name)).map(({ sentence }) => sentence)
}
