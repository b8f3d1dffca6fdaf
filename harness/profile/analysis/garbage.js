/** Garbage collections of a window: number, pauses, and allocation between them. */
import { sum } from 'simple-statistics'
import { groupBy } from '../../model/group-by.js'

/**
 * @typedef {object} Collection
 * @property {string} kind  V8's name: Scavenge, MarkSweepCompact ...
 * @property {number} pauseMicros
 * @property {number} usedBytesBefore  Bytes of the heap.
 * @property {number} usedBytesAfter
 *
 * @typedef {object} CollectionTrace
 * @property {number} windowMicros
 * @property {number} cpuMicros
 * @property {number} usedBytesBefore
 * @property {number} usedBytesAfter
 * @property {Collection[]} collections
 *
 * @typedef {{count: number, pauseMs: number, longestMs: number}} Pauses
 *
 * @typedef {object} Garbage
 * @property {Record<string, Pauses>} kinds
 * @property {Pauses} all
 * @property {{upToMs: number, count: number}[]} histogram  All pauses, in buckets that double in width.
 * @property {number} shareOfCpu
 * @property {number} allocatedBytes
 * @property {number} allocatedBytesPerSecond
 */

const SHORTEST_BUCKET_MS = 0.125

/**
 * @param {CollectionTrace} trace
 * @returns {Garbage}
 */
export function summariseGarbage (trace) {
  const { collections, windowMicros, cpuMicros } = trace
  const all = summarisePauses(collections)
  const allocatedBytes = countAllocated(trace)
  return {
    kinds: Object.fromEntries(
      [...groupBy(collections, ({ kind }) => kind)].map(([kind, same]) => [kind, summarisePauses(same)])
    ),
    all,
    histogram: histogramOf(collections),
    shareOfCpu: (1000 * all.pauseMs) / cpuMicros,
    allocatedBytes,
    allocatedBytesPerSecond: (1e6 * allocatedBytes) / windowMicros
  }
}

/** @param {Collection[]} collections */
function summarisePauses (collections) {
  const pauses = collections.map(({ pauseMicros }) => pauseMicros / 1000)
  return { count: pauses.length, pauseMs: sum(pauses), longestMs: Math.max(0, ...pauses) }
}

/** @param {Collection[]} collections */
function histogramOf (collections) {
  const buckets = groupBy(collections, ({ pauseMicros }) =>
    Math.max(0, Math.ceil(Math.log2(pauseMicros / 1000 / SHORTEST_BUCKET_MS)))
  )
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([bucket, { length }]) => ({ upToMs: SHORTEST_BUCKET_MS * 2 ** bucket, count: length }))
}

/**
 * Sum of the heap's growth between collections.
 *
 * @param {CollectionTrace} trace
 */
function countAllocated ({ collections, usedBytesBefore, usedBytesAfter }) {
  let bytes = 0
  let used = usedBytesBefore
  for (const collection of collections) {
    // Concurrent sweeping frees memory between collections, which must not count as negative allocation.
    bytes += Math.max(0, collection.usedBytesBefore - used)
    used = collection.usedBytesAfter
  }
  return bytes + Math.max(0, usedBytesAfter - used)
}
