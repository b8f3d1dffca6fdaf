/**
 * The conformance kit: does a queue keep the contract?
 *
 *     import { checkQueue } from 'timerq/conformance'
 *
 *     const { holds, clauses } = await checkQueue(new URL('my-queue.js', import.meta.url))
 *
 * Every clause of the contract is tested with generated sequences of operations and with long lives of many timers; the
 * declared complexity is compared with exact counts of the queue's work. The queue runs in separate processes, so that
 * nothing it does, not even an endless loop, harms the caller.
 */
import { clauses } from './clauses.js'
import { countWork, notCounted, trySequences } from './children.js'

/**
 * @typedef {import('./clauses.js').Verdict} Verdict
 *
 * @typedef {object} Sequences  How much was tried: less when the queue is slow, or when an operation does not return.
 * @property {number} tried  Generated sequences.
 * @property {number} planned
 * @property {{tried: number, planned: number}} largest  Timers pending at once, or starts of a few timers, in the
 *   longest lives tried; 0 when none was.
 */

/**
 * @param {string | URL} queue  URL of its module.
 * @param {{seed?: number, signal?: AbortSignal}} [options]  The same seed tries the same sequences, as many as there is
 *   time for.
 * @returns {Promise<{holds: boolean, clauses: Verdict[], sequences: Sequences | null}>} no `sequences` where the queue's
 *   process died
 * @throws {import('../model/errors.js').UsageError} when there is no queue to check
 */
export async function checkQueue (queue, { seed = 1, signal } = {}) {
  const { broken, sequences } = await trySequences(queue, seed, signal)
  const counted = broken.has('returns')
    ? notCounted('not counted, since not every operation returns')
    : await countWork(queue, signal)
  const counterexamples = new Map([...broken, ...counted])
  return {
    holds: counterexamples.size === 0,
    sequences,
    clauses: clauses.map(({ name, sentence }) => {
      const counterexample = counterexamples.get(name) ?? null
      return { clause: name, sentence, holds: counterexample === null, counterexample }
    })
  }
}

/**
 * A first look, in about a second of CPU time: small sequences only, no long lives, and the complexity is not verified.
 *
 * @param {string | URL} queue  URL of its module.
 * @param {{seed?: number, signal?: AbortSignal}} [options]
 * @returns {Promise<string[]>} the sentences of the clauses that the queue breaks; empty where none was seen to break
 * @throws {import('../model/errors.js').UsageError} when there is no queue to check
 */
export async function checkBriefly (queue, { seed = 1, signal } = {}) {
  const { broken } = await trySequences(queue, seed, signal, { quick: true })
  return clauses.filter(({ name }) => broken.has(name)).map(({ sentence }) => sentence)
}
