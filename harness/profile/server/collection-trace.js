/** What --trace-gc would print, but as data. Runs inside the process that it traces. */
import { GCProfiler } from 'node:v8'

/** @type {GCProfiler} */
let profiler
let opened = { micros: 0, cpuMicros: 0, usedBytes: 0 }

export function startCollectionTrace () {
  profiler = new GCProfiler()
  profiler.start()
  opened = now()
  return {}
}

/** @returns {import('../analysis/garbage.js').CollectionTrace} */
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
