import { test } from 'node:test'
import assert from 'node:assert/strict'
import { gather } from '../../../reports/findings/gather.js'

const slow = { queue: 'list', scenario: 'mixed', reason: 'too slow' }
/** @param {[number, number][]} places */
const slowAt = places => places.map(([size, expiring]) => ({ ...slow, params: { size, expiring, decades: 2 } }))

/** @param {import('../../../reports/findings/gather.js').Remark[]} remarks */
const placesOf = remarks => gather(remarks).map(({ place }) => place)

test('places in which every value goes with every other are one', () => {
  assert.deepEqual(placesOf(slowAt([[1000, 0], [1000, 50], [1000, 100], [10_000, 0], [10_000, 50], [10_000, 100]])),
    ['mixed, size 1 000 and 10 000, expiring 0, 50 and 100, decades 2'])
})

test('where a value is missing somewhere, there are more', () => {
  assert.deepEqual(placesOf(slowAt([[1000, 100], [10_000, 0], [10_000, 100], [100_000, 0], [100_000, 100]])),
    ['mixed, size 1 000, expiring 100, decades 2', 'mixed, size 10 000 and 100 000, expiring 0 and 100, decades 2'])
})

test('a place given twice is reported once, and one without parameters has none', () => {
  assert.deepEqual(placesOf(slowAt([[1000, 0], [1000, 0]])), ['mixed, size 1 000, expiring 0, decades 2'])
  assert.deepEqual(placesOf([{ ...slow, scenario: 'trace', params: {} }]), ['trace'])
})

test('queues, scenarios and reasons stay apart', () => {
  const params = { size: 10 }
  const remarks = [{ ...slow, params }, { ...slow, queue: 'heap', params }, { ...slow, scenario: 'bursts', params }, { ...slow, reason: 'dead', params }]
  assert.equal(gather(remarks).length, 4)
  assert.deepEqual(gather(remarks)[3], { queue: 'list', place: 'mixed, size 10', reason: 'dead' })
})
