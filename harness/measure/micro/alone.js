/**
 * Figures of one micro cell that are not compared within heats: counts, and the slowest calls. Each comes from a fresh
 * process.
 */
import { formatNumber } from '../../model/numbers.js'
import { askOnce } from '../../processes/child.js'
import { PROCESS } from '../../processes/entries.js'
import { together } from '../../processes/processes.js'
import * as shapes from '../../processes/shapes.js'
import { warnOfLoading } from './loading.js'
/** @import { Warning } from '../../model/warnings.js' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Shape } from '../../processes/shapes.js' */
/** @import { CountedFunction } from '../../subject/count/work-counter.js' */
/** @import { Tail } from '../../subject/micro/call-times.js' */
/** @import { MicroJob, TurnTimes } from './queue-process.js' */

/**
 * Node flags of a process that counts basic blocks: tiers above the interpreter may inline a call or drop a counter.
 */
export const WORK_FLAGS = ['--no-opt', '--no-maglev', '--no-sparkplug']
/** The heap is the same to the byte when no code comes or goes in the background. */
const WEIGH_FLAGS = [...WORK_FLAGS, '--expose-gc', '--single-threaded', '--no-flush-bytecode']
/** One thread, so that no compiler takes the core away; a young generation that does not grow on the way. */
export const STEADY_FLAGS = [
  '--single-threaded',
  '--hash-seed=1',
  '--random-seed=1',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--expose-gc'
]
/** Blocks of a cycle of new draws, in blocks of the same again, from which on results must have been kept. */
const REMEMBERED = 1.25
/** Fewest repeats of the calls: the queue is filled again for each. */
const REPEATS = 5

/**
 * Work per operation, allocated bytes and bytes per timer; the work of the longest advance where the scenario asks for
 * it. A workload without a queue has only the first two, and nothing where a phase is awaited.
 *
 * @param {MicroJob & {countsLongestAdvance?: boolean}} job
 * @param {Runtime} runtime
 * @param {number} limitMs
 * @param {AbortSignal} [signal]
 * @returns {Promise<{metrics: Record<string, number>, details?: {functions: CountedFunction[]}, warnings: Warning[]}>}
 *   `functions`: blocks per operation, of a workload without a queue
 * @throws {SampleError} when a process dies or takes too long
 */
export async function countMicro ({ countsLongestAdvance, ...job }, runtime, limitMs, signal) {
  const ask =
    (/** @type {string} */ type, /** @type {string[]} */ flags, /** @type {Shape} */ shape) =>
      (/** @type {AbortSignal} */ end) =>
        askOnce(PROCESS, { type, ...job }, { runtime, flags, limitMs, shape, signal: end })
  const allocations = ask('countAllocations', STEADY_FLAGS, shapes.allocated)
  const counts = job.isCode
    ? [ask('countCodeBlocks', WORK_FLAGS, shapes.countedCode), allocations]
    : [
        ask('count', WORK_FLAGS, shapes.counted),
        allocations,
        ask('weigh', WEIGH_FLAGS, shapes.weighed),
        ...(countsLongestAdvance ? [ask('countLongestAdvance', WORK_FLAGS, shapes.longestAdvance)] : [])
      ]
  const { functions, firstWorkPerOp, nextWorkPerOp, loadMs = 0, usedMs = 0, ...metrics } = Object.assign(
    {},
    ...(await together(counts, signal))
  )
  return {
    metrics,
    ...(functions && { details: { functions } }),
    warnings: [
      ...(firstWorkPerOp > REMEMBERED * nextWorkPerOp ? [warnOfMemory(firstWorkPerOp, nextWorkPerOp)] : []),
      ...warnOfLoading(loadMs, usedMs)
    ]
  }
}

/** @type {(first: number, next: number) => Warning} */
const warnOfMemory = (first, next) => ({
  kind: 'remembered',
  text:
    `${formatNumber(first)} blocks per operation for new ones, ${formatNumber(next)} when they repeat, ` +
    'as they do in every cycle but the first'
})

/**
 * `longestAdvanceNs` (none where the workload never advances the queue), `opP99Ns` and `opP999Ns`. Each time is the
 * fastest of up to 15 repeats of the same call, so a busy core makes the measurement longer and leaves the figures
 * alone.
 *
 * @param {MicroJob & {timing: Pick<TurnTimes, 'tailMs' | 'limitMs'>}} job  Once `tailMs` have passed, no repeat
 *   begins after the fifth.
 * @param {Runtime} runtime
 * @param {string[]} pin  Command prefix (see pinning.js).
 * @param {AbortSignal} [signal]
 * @returns {Promise<{metrics: Record<string, number>, warnings: Warning[]}>}
 * @throws {SampleError} when the process dies or takes too long
 */
export async function timeSlowestCalls ({ timing: { tailMs, limitMs }, ...job }, runtime, pin, signal) {
  const request = { type: 'timeCalls', budgetMs: tailMs, ...job }
  const options = { runtime, flags: STEADY_FLAGS, pin, limitMs: REPEATS * limitMs, shape: shapes.tails, signal }
  const { metrics } = await askOnce(PROCESS, request, options)
  return { metrics, warnings: [] }
}

/**
 * The same for each kind of call, of a workload that starts, cancels and polls.
 *
 * @param {MicroJob & {timing: Pick<TurnTimes, 'tailMs' | 'limitMs'>}} job
 * @param {Runtime} runtime
 * @param {string[]} pin
 * @returns {Promise<Record<'insert' | 'cancel' | 'poll', Tail>>}
 * @throws {SampleError}
 */
export async function timeCallsByKind ({ timing: { tailMs, limitMs }, ...job }, runtime, pin) {
  const request = { type: 'timeCallsByKind', budgetMs: tailMs, ...job }
  return askOnce(PROCESS, request, {
    runtime,
    flags: STEADY_FLAGS,
    pin,
    limitMs: REPEATS * limitMs,
    shape: shapes.tailsByKind
  })
}
