/** The same as --trace-gc prints, but as data, from inside the traced process. */
import { GCProfiler } from 'node:v8'
import { between, now } from './profiled-window.js'
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
