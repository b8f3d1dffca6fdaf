/**
 * Figures of one micro cell that are not compared within heats: counts, and the slowest calls. Each comes from a fresh
 * process.
 */
import { Child } from '../../processes/child.js'
import { together } from '../../processes/processes.js'
import * as shapes from '../../processes/shapes.js'
import { PROCESS } from './queue-process.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { MicroTask, Timing } from './queue-process.js' */

/**
 * Node flags of a process that counts basic blocks: tiers above the interpreter may inline a call or drop a counter.
 */
export const WORK_FLAGS = ['--no-opt', '--no-maglev', '--no-sparkplug']
/** The heap is the same to the byte when no code comes or goes in the background. */
const WEIGH_FLAGS = [...WORK_FLAGS, '--expose-gc', '--single-threaded', '--no-flush-bytecode']
/** One thread, so that no compiler takes the core away; a young generation that does not grow on the way. */
const TAIL_FLAGS = [
  '--single-threaded',
  '--hash-seed=1',
  '--random-seed=1',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--expose-gc'
]
/** Fewest repeats of the calls: the queue is filled again for each. */
const REPEATS = 5

/**
 * Work per operation and bytes per timer; lateness and the work of the longest advance where the scenario asks for
 * them.
 *
 * @param {MicroTask & {countsLongestAdvance?: boolean, recordsLateness?: boolean}} task
 * @param {Runtime} runtime
 * @param {number} limitMs
 * @param {AbortSignal} [signal]
 * @throws {SampleError} when a process dies or takes too long
 */
export async function countMicro ({ countsLongestAdvance, recordsLateness, ...task }, runtime, limitMs, signal) {
  const ask =
    (/** @type {string} */ type, /** @type {string[]} */ flags, /** @type {shapes.Shape} */ shape) =>
      (/** @type {AbortSignal} */ end) =>
        askFresh({ type, ...task }, { runtime, flags, limitMs, shape, signal: end })
  const answers = await together(
    [
      ask('count', WORK_FLAGS, shapes.counted),
      ask('weigh', WEIGH_FLAGS, shapes.weighed),
      ...(countsLongestAdvance ? [ask('countLongestAdvance', WORK_FLAGS, shapes.longestAdvance)] : []),
      ...(recordsLateness ? [ask('recordLateness', [], shapes.late)] : [])
    ],
    signal
  )
  return { metrics: Object.assign({}, ...answers), warnings: [] }
}

/**
 * Work per operation of a workload without a queue; nothing where a phase is awaited.
 *
 * @param {MicroTask} task
 * @param {Runtime} runtime
 * @param {number} limitMs
 * @param {AbortSignal} [signal]
 * @throws {SampleError} when the process dies or takes too long
 */
export async function countCode (task, runtime, limitMs, signal) {
  const metrics = await askFresh(
    { type: 'countCodeBlocks', ...task },
    { runtime, flags: WORK_FLAGS, limitMs, shape: shapes.countedCode, signal }
  )
  return { metrics, warnings: [] }
}

/**
 * `longestAdvanceNs` (none where the workload never advances the queue), `opP99Ns` and `opP999Ns`. Each time is the
 * fastest of up to 15 repeats of the same call, so a busy core makes the measurement longer and leaves the figures
 * alone.
 *
 * @param {MicroTask & {timing: Pick<Timing, 'tailMs' | 'limitMs'>}} task Once `tailMs` have passed, no repeat begins
 *   after the fifth.
 * @param {Runtime} runtime
 * @param {string[]} pin  Command prefix (see pinning.js).
 * @param {AbortSignal} [signal]
 * @returns {Promise<{metrics: Record<string, number>, warnings: string[]}>}
 * @throws {SampleError} when the process dies or takes too long
 */
export async function timeSlowestCalls ({ timing: { tailMs, limitMs }, ...task }, runtime, pin, signal) {
  const request = { type: 'timeCalls', budgetMs: tailMs, ...task }
  const { metrics } = await askFresh(request, {
    runtime,
    flags: TAIL_FLAGS,
    pin,
    limitMs: REPEATS * limitMs,
    shape: shapes.tails,
    signal
  })
  return { metrics, warnings: [] }
}

/**
 * @param {{type: string}} request
 * @param {{runtime: Runtime, flags: string[], pin?: string[], limitMs: number, shape: shapes.Shape, signal?: AbortSignal}}
 *   options
 */
async function askFresh (request, { runtime, flags, pin, limitMs, shape, signal }) {
  const child = new Child(PROCESS, { runtime, flags, pin })
  try {
    return shapes.assertShape(await child.ask(request, limitMs, signal), shape)
  } finally {
    await child.end()
  }
}
