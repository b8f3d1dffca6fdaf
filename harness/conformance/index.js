/**
 * The conformance kit: does a queue keep the contract?
 *
 *     import { checkQueue } from 'timerq/conformance'
 *
 *     const { holds, clauses } = await checkQueue(new URL('my-queue.js', import.meta.url))
 *
 * Every clause of the contract is held against generated sequences of operations, what the queue declares of its
 * complexity against exact counts of its work. The queue runs in processes of its own, so that nothing it does,
 * looping for ever included, harms the caller.
 */
import { Child, SampleError } from '../child.js'
import { UsageError } from '../model/errors.js'
import { WORK_FLAGS } from '../work-counter.js'
import { OPERATIONS, clauses } from './clauses.js'

/**
 * @typedef {import('./clauses.js').Verdict} Verdict
 *
 * @typedef {{tried: number, planned: number}} Sequences  Fewer are tried when the queue is slow, or when an operation
 *   does not return. null where the process could not say.
 */

const SEQUENCES_CHILD = new URL('sequences-child.js', import.meta.url)
const COMPLEXITY_CHILD = new URL('complexity-child.js', import.meta.url)
const COMPLEXITY_CLAUSES = OPERATIONS.map(operation => `complexity-${operation}`)
const RUNTIME = { name: 'own', path: process.execPath, flags: [] }

const LOAD_LIMIT_MS = 10_000
/** Ten times what counting a hashed wheel takes, the slowest. What a sequence makes endless ends long before. */
const CHECK_LIMIT_MS = 120_000

/**
 * @param {string | URL} queue  URL of its module.
 * @param {{seed?: number, signal?: AbortSignal}} [options]  The same seed tries the same sequences, as far as there is
 *   time for them.
 * @returns {Promise<{holds: boolean, clauses: Verdict[], sequences: Sequences | null}>}
 * @throws {UsageError} when there is no queue to check
 */
export async function checkQueue (queue, { seed = 1, signal } = {}) {
  const task = { type: 'check', queueUrl: String(queue), seed }
  const { broken, sequences } = await inChild(SEQUENCES_CHILD, [], async child => {
    const { faults } = await child.ask({ ...task, type: 'load' }, LOAD_LIMIT_MS, signal).catch(refuse)
    const { broken, sequences = null } = await child.ask(task, CHECK_LIMIT_MS, signal).catch(blame('returns'))
    if (faults.length > 0) broken.set('meta', faults.join('\n'))
    return { broken, sequences }
  })
  const counted = broken.has('returns')
    ? allOf(COMPLEXITY_CLAUSES, 'not counted, since not every operation returns')
    : await inChild(COMPLEXITY_CHILD, WORK_FLAGS, async child =>
      (await child.ask(task, CHECK_LIMIT_MS, signal).catch(blame(...COMPLEXITY_CLAUSES))).broken)
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
 * A queue whose process dies or is late keeps none of these clauses.
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
 * @param {unknown} error
 * @returns {never}
 */
function refuse (error) {
  throw error instanceof SampleError ? new UsageError(error.message) : error
}
