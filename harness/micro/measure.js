import { Child, SampleError } from '../child.js'
import { WORK_FLAGS } from '../work-counter.js'

/**
 * @typedef {object} MicroTask
 * @property {string} queueUrl
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params
 * @property {number} seed
 * @property {string | null} [trace]  A file, for scenarios that replay one.
 *
 * @typedef {{warmupMs: number, measureMs: number, limitMs: number, exactLimitMs: number}} Timing  The limits are for whole
 *   samples, timed or exact.
 *
 * @typedef {{fired: number, checksum: number, pending: number}} Fired  And what was pending then.
 * @typedef {{pending: number, fired: number, left: number}} Drained  Timers when the clock had stopped, those of them
 *   that fired once all time had passed, and those that the queue still counted then.
 */

const CHILD = new URL('./child.js', import.meta.url)
const EXACT_CHILD = new URL('./exact-child.js', import.meta.url)
const MODEL = new URL('../model-queue.js', import.meta.url)
const CHECK_LIMIT_MS = 60_000
/**
 * V8 compiles and collects in other threads, and which code runs when they are done differs from process to process:
 * whole processes are then faster or slower. In one thread they are alike, and pairs spread several times less. So they
 * do when the young generation does not grow on the way, sooner or later: it begins as large as a server's becomes.
 */
const STEADY_FLAGS = ['--single-threaded', '--hash-seed=1', '--random-seed=1', '--min-semi-space-size=16', '--max-semi-space-size=16']
/** The heap is the same to the byte when no code comes or goes in the background. */
const WEIGH_FLAGS = [...WORK_FLAGS, '--expose-gc', '--single-threaded', '--no-flush-bytecode']

/**
 * Measures one micro sample in a fresh process.
 *
 * @param {MicroTask & {timing: Timing}} task
 * @param {Fired | null} expected  What the model fired in the verified cycles; null where the queue may differ from it.
 * @param {import('../child.js').Runtime} runtime
 * @param {string[]} pin
 * @param {AbortSignal} [signal]
 * @throws {SampleError} when the process dies, takes too long, or fires something else than the model
 */
export async function measureMicro (task, expected, runtime, pin, signal) {
  const child = new Child(CHILD, { runtime, flags: STEADY_FLAGS, pin })
  try {
    const sample = await child.ask({ type: 'measure', ...task }, task.timing.limitMs, signal)
    // What nobody times need not be as fast as a sample.
    const drained = await child.ask({ type: 'drain' }, CHECK_LIMIT_MS, signal)
    const fault = findFault({ ...sample, drained }, expected)
    if (fault) throw new SampleError('wrong', `${fault}: run \`timerq check\``)
    return sample
  } finally {
    await child.end()
  }
}

/**
 * @param {{outcome: Fired, drained: Drained}} sample
 * @param {Fired | null} expected
 * @returns {string | null}
 */
function findFault ({ outcome: { fired, checksum, pending }, drained }, expected) {
  if (expected && (fired !== expected.fired || checksum !== expected.checksum)) {
    return `fired ${fired} timers with checksum ${checksum}, the model ${expected.fired} with ${expected.checksum}`
  }
  if (expected && pending !== expected.pending) return `had ${pending} timers pending, the model ${expected.pending}`
  if (drained.fired !== drained.pending || drained.left !== 0) {
    return `of ${drained.pending} pending timers ${drained.fired} fired when all time had passed, and ${drained.left} stayed`
  }
  return null
}

/**
 * What an exact queue must fire in the verified cycles of a scenario, told by the reference model.
 *
 * @param {Omit<MicroTask, 'queueUrl'>} task
 * @param {import('../child.js').Runtime} runtime
 * @param {AbortSignal} [signal]
 * @returns {Promise<Fired>}
 */
export async function expectedOutcome (task, runtime, signal) {
  const child = new Child(CHILD, { runtime })
  try {
    return await child.ask({ type: 'verify', ...task, queueUrl: MODEL.href }, CHECK_LIMIT_MS, signal)
  } finally {
    await child.end()
  }
}

/**
 * Work per operation and bytes per timer, each in a process of its own.
 *
 * @param {MicroTask} task
 * @param {import('../child.js').Runtime} runtime
 * @param {number} limitMs
 * @param {AbortSignal} [signal]
 * @throws {SampleError} when a process dies or takes too long
 */
export async function measureExact (task, runtime, limitMs, signal) {
  const counting = askFresh('count', WORK_FLAGS)
  const weighing = askFresh('weigh', WEIGH_FLAGS)
  const [counted, weighed] = await Promise.all([counting, weighing])
  return { metrics: { ...counted, ...weighed }, warnings: [] }

  /**
   * @param {string} type
   * @param {string[]} flags
   */
  async function askFresh (type, flags) {
    const child = new Child(EXACT_CHILD, { runtime, flags })
    try {
      return await child.ask({ type, ...task }, limitMs, signal)
    } finally {
      await child.end()
    }
  }
}
