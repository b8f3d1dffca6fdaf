/** The hash table of durations is compared with a Map. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { DurationTable } from '../../queues/parts/duration-table.js'

const DURATIONS = [
  0,
  1,
  2,
  3,
  40,
  41,
  5000,
  120_000,
  2 ** 31,
  2 ** 32 + 1,
  2 ** 52,
  -1,
  -5000,
  0.25,
  0.5,
  40.5,
  120_000.125,
  -0.75,
  1e300,
  Infinity
]
const someDuration = fc.oneof(fc.constantFrom(...DURATIONS), fc.integer({ min: 0, max: 60 }))

/** @param {number[]} toggled  Durations, one after the other: added if they are not in the table, else removed. */
function assertLikeAMap (toggled) {
  const table = new DurationTable()
  /** @type {Map<number, {duration: number}>} */
  const expected = new Map()
  for (const duration of toggled) {
    const entry = expected.get(duration)
    if (entry) {
      table.remove(entry)
      expected.delete(duration)
    } else {
      const added = { duration }
      table.add(added)
      expected.set(duration, added)
    }
    for (const each of new Set(toggled)) {
      assert.equal(table.find(each), expected.get(each) ?? null, `${each} after ${duration}`)
    }
  }
}

test('durations of all kinds come and go as in a Map', () => {
  fc.assert(fc.property(fc.array(someDuration, { maxLength: 80 }), assertLikeAMap), { numRuns: 500 })
})

test('zero is one duration, whatever its sign', () => {
  const table = new DurationTable()
  const zero = { duration: 0 }
  table.add(zero)
  assert.equal(table.find(-0), zero)
})

for (const [kind, step] of /** @type {[string, number][]} */ ([
  ['milliseconds', 1],
  ['fractions of one', 2 ** -20],
  ['hours', 3_600_000],
  ['powers of two', 2 ** 16],
  ['Fibonacci numbers', 28_657]
])) {
  test(`a hundred thousand durations, ${kind} apart, are found without a long search`, () => {
    const table = new DurationTable()
    let searched = 0
    // Reading the duration of another entry is a step of a search.
    class Entry {
      /** @param {number} value */
      constructor (value) {
        this.value = value
      }

      get duration () {
        searched++
        return this.value
      }
    }
    const durations = Array.from({ length: 100_000 }, (_, i) => i * step)
    for (const duration of durations) table.add(new Entry(duration))
    searched = 0
    for (const duration of durations) assert.equal(table.find(duration)?.duration, duration)
    // Each find reads the one that it looked for, and the test reads it once more.
    assert.ok(searched < 6 * durations.length, `${searched / durations.length} a search`)
  })
}
