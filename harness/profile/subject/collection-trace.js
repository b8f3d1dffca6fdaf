/**
 * Traces garbage collections from inside a server, or in a process where nothing but a queue and its workload
 * allocates. The same as --trace-gc prints, but as data.
 */
import { GCProfiler } from 'node:v8'
import { createRandom } from '../../model/random.js'
import { loadQueue, loadWorkload } from '../../subject/modules/load.js'
import { between, now } from './profiled-window.js'
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */
/** @import { CollectionTrace } from '../analysis/garbage.js' */

const profiler = new GCProfiler()
let opened = { ...now(), usedBytes: 0 }

export function startCollectionTrace () {
  profiler.start()
  opened = { ...now(), usedBytes: usedBytes() }
  return {}
}

/** @returns {CollectionTrace} */
export function stopCollectionTrace () {
  const { windowMicros, cpuMicros } = between(opened, now())
  const usedBytesAfter = usedBytes()
  const { statistics } = /** @type {any} */ (profiler.stop())
  return {
    windowMicros,
    cpuMicros,
    usedBytesBefore: opened.usedBytes,
    usedBytesAfter,
    collections: statistics.map((/** @type {any} */ { gcType, cost, beforeGC, afterGC }) => ({
      kind: gcType,
      pauseMicros: cost,
      usedBytesBefore: beforeGC.heapStatistics.usedHeapSize,
      usedBytesAfter: afterGC.heapStatistics.usedHeapSize
    }))
  }
}

const usedBytes = () => process.memoryUsage().heapUsed

/**
 * Garbage of a micro cell.
 *
 * @param {MicroJob & {warmupMs: number, measureMs: number}} job
 */
export async function traceWorkload ({ warmupMs, measureMs, ...job }) {
  const createWorkload = await loadWorkload(job)
  const { Queue } = await loadQueue(job.queueUrl)
  const { phases } = createWorkload(new Queue(), createRandom(job.seed))
  const runCycles = (/** @type {number} */ millis) => {
    const end = performance.now() + millis
    let cycles = 0
    do {
      for (const phase of phases) phase.run()
      cycles++
    } while (performance.now() < end)
    return cycles
  }
  runCycles(warmupMs)
  startCollectionTrace()
  const cycles = runCycles(measureMs)
  return { trace: stopCollectionTrace(), operations: cycles * phases[0].operations }
}
