/** Garbage collections, summed up. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summariseGarbage } from '../../../../harness/profile/analysis/garbage.js'

const collection = (
  /** @type {string} */ kind,
  /** @type {number} */ pauseMicros,
  /** @type {number} */ usedBytesBefore,
  /** @type {number} */ usedBytesAfter
) => ({ kind, pauseMicros, usedBytesBefore, usedBytesAfter })

const trace = {
  windowMicros: 2_000_000,
  cpuMicros: 1_000_000,
  usedBytesBefore: 1000,
  usedBytesAfter: 1400,
  collections: [
    collection('Scavenge', 100, 5000, 1000),
    collection('Scavenge', 900, 4000, 1000),
    collection('MarkSweepCompact', 4000, 900, 800)
  ]
}

test('pauses are counted by kind and in total, with the longest', () => {
  const { kinds, all, shareOfCpu } = summariseGarbage(trace)
  assert.deepEqual(kinds, {
    Scavenge: { count: 2, pauseMs: 1, longestMs: 0.9 },
    MarkSweepCompact: { count: 1, pauseMs: 4, longestMs: 4 }
  })
  assert.deepEqual(all, { count: 3, pauseMs: 5, longestMs: 4 })
  assert.equal(shareOfCpu, 0.005)
})

test('pauses fall into buckets of doubling width', () => {
  assert.deepEqual(summariseGarbage(trace).histogram, [
    { upToMs: 0.125, count: 1 },
    { upToMs: 1, count: 1 },
    { upToMs: 4, count: 1 }
  ])
})

test('allocation is the growth of the heap between collections; memory freed in between does not count ' +
  'as negative', () => {
  const { allocatedBytes, allocatedBytesPerSecond } = summariseGarbage(trace)
  assert.equal(allocatedBytes, 4000 + 3000 + 0 + 600)
  assert.equal(allocatedBytesPerSecond, 3800)
})

test('a window without collections is valid', () => {
  const { all, histogram, allocatedBytes } = summariseGarbage({ ...trace, collections: [] })
  assert.deepEqual([all.count, histogram, allocatedBytes], [0, [], 400])
})
