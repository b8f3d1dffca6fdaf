/** The same as --trace-gc prints, but as data, from inside the traced process. */
import { GCProfiler } from 'node:v8'
/** @import { CollectionTrace } from '../analysis/garbage.js' */

const profiler = new GCProfiler()
let opened = now()

export function startCollectionTrace () {
  profiler.start()
  opened = now()
  return {}
}

/** @returns {CollectionTrace} */
export function stopCollectionTrace () {
  const closed = now()
  const { statistics } = /** @type {any} */ (profiler.stop())
  return {
    windowMicros: closed.micros - opened.micros,
    cpuMicros: closed.cpuMicros - opened.cpuMicros,
    usedBytesBefore: opened.usedBytes,
    usedBytesAfter: closed.usedBytes,
    collections: statistics.map((/** @type {any} */ { gcType, cost, beforeGC, afterGC }) => ({
      kind: gcType,
      pauseMicros: cost,
      usedBytesBefore: beforeGC.heapStatistics.usedHeapSize,
      usedBytesAfter: afterGC.heapStatistics.usedHeapSize
    }))
  }
}

function now () {
  const { user, system } = process.cpuUsage()
  return { micros: 1000 * performance.now(), cpuMicros: user + system, usedBytes: process.memoryUsage().heapUsed }
}
