/**
 * Counts the bytes that an operation allocates in the heap, once V8 has optimised the code: exact, or not at all. Needs
 * STEADY_FLAGS.
 *
 * The heap grows by just these bytes while nothing is collected. V8's own total of allocated bytes (from Node 26 on)
 * moves in steps of 256 kB.
 */
import v8 from 'node:v8'
import { createRandom } from '../../model/random.js'
import { cpuMs } from '../../processes/clock.js'
import { runOnce } from '../micro/code-subject.js'
import { fillQueue } from '../micro/queue-subject.js'
import { createCode } from '../modules/load.js'
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */

/** V8 leaves the end of a page empty where an object does not fit: few windows of this size meet one. */
const WINDOW_BYTES = 2 ** 15
const MOST_OPERATIONS = 1024
/** Their median counts. */
const WINDOWS = 9
/** V8 has optimised a short function by then, and a long one in this time. */
const WARM_OPERATIONS = 2 ** 16
const WARM_MS = 100
const LONGEST_MS = 1000
/** The bytes of a queue that settle are the same at the sixth try, at the latest. */
const MOST_TRIES = 7

/** Taken before a stranger's module can replace it. */
const heapStatistics = v8.getHeapStatistics
const { GCProfiler } = v8
const collect = /** @type {() => void} */ (globalThis.gc)

/**
 * @param {MicroJob} job
 * @returns {Promise<{allocatedBytesPerOp?: number}>} empty where the bytes of the same calls differ, a phase is awaited
 *   or times a part of itself
 */
export async function countAllocations (job) {
  const { phases, meter, end } = await workloadOf(job)
  const isPlain = !meter && !(await runOnce(phases))
  const allocatedBytesPerOp = isPlain ? bytesOnceWarm(phases) : undefined
  await end?.()
  return allocatedBytesPerOp === undefined ? {} : { allocatedBytesPerOp }
}

/**
 * @param {MicroJob} job
 * @returns {Promise<Awaited<ReturnType<typeof createCode>>>}
 */
async function workloadOf (job) {
  return job.isCode ? createCode(job, createRandom(job.seed)) : /** @type {any} */ ((await fillQueue(job)).workload)
}

/**
 * @param {{operations: number, run: () => unknown}[]} phases
 * @returns {number | undefined} the same before and after as many operations as ever before
 */
function bytesOnceWarm (phases) {
  const [{ operations }] = phases
  const run = (/** @type {number} */ cycles) => {
    for (let cycle = 0; cycle < cycles; cycle++) for (let i = 0; i < phases.length; i++) phases[i].run()
  }
  const start = cpuMs()
  let last = NaN
  let tries = 0
  for (let cycles = 1; tries < MOST_TRIES && cpuMs() - start < LONGEST_MS; cycles *= 2) {
    run(cycles)
    const spentMs = cpuMs() - start
    if (cycles * operations < WARM_OPERATIONS && spentMs < WARM_MS) continue
    if ((spentMs / cycles) * WINDOWS > LONGEST_MS) break
    collect()
    tries++
    const window = Math.ceil(
      Math.min(MOST_OPERATIONS / operations, cycles / WINDOWS, WINDOW_BYTES / Math.max(1, growth(run, 1)))
    )
    const bytes = Float64Array.from({ length: WINDOWS }, () => growth(run, window)).sort()[(WINDOWS - 1) / 2]
    if (bytes / window === last) return last / operations
    last = bytes / window
  }
  return undefined
}

/**
 * @param {(cycles: number) => void} run
 * @param {number} cycles
 * @returns {number} NaN where something was collected
 */
function growth (run, cycles) {
  const collections = new GCProfiler()
  collections.start()
  const unused = usedBytes()
  const before = usedBytes()
  run(cycles)
  const after = usedBytes()
  return collections.stop().statistics.length > 0 ? NaN : after - before - (before - unused)
}

function usedBytes () {
  const { used_heap_size: heap, external_memory: external } = heapStatistics()
  return heap + external
}
