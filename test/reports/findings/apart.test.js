import { test } from 'node:test'
import assert from 'node:assert/strict'
import { areApart, higherThan, levelWith, tiedWith } from '../../../reports/findings/apart.js'

/**
 * A queue that scatters widely against the control.
 *
 * @param {string} queue
 * @param {{to: string, low: number, high: number, n?: number}} [other]
 * @returns {import('../../../reports/costs.js').Entry}
 */
function entryOf (queue, other) {
  const cost = { median: 10, low: 5, high: 20, n: 4, coverage: 0.95, isRelative: true }
  const others = other ? [{ by: 'heat', median: Math.sqrt(other.low * other.high), n: 4, coverage: 0.95, ...other }] : undefined
  return /** @type {any} */ ({ queue, cost, figures: { ...cost, others } })
}

test('two queues are apart by their own ratio, though both scatter against the control', () => {
  const [wheel, heap] = [entryOf('wheel'), entryOf('heap', { to: 'wheel', low: 2.9, high: 3.1 })]
  assert.equal(areApart(wheel, heap), true)
  assert.deepEqual(higherThan({ ranking: [wheel, heap] }), [heap])
  assert.equal(areApart(wheel, entryOf('heap')), false, 'without it, their ratios to the control decide')
})

test('two queues are level when the interval of their ratio lies within 5 %', () => {
  const rankingWith = (/** @type {{low: number, high: number, n?: number}} */ ratio) => ({ ranking: [entryOf('wheel'), entryOf('heap', { to: 'wheel', ...ratio })] })
  assert.equal(levelWith(rankingWith({ low: 0.98, high: 1.04 })).length, 1)
  assert.equal(tiedWith(rankingWith({ low: 0.98, high: 1.06 })).length, 1)
  assert.equal(levelWith(rankingWith({ low: 0.9, high: 1.04 })).length, 0)
})

test('two heats tell only gross differences', () => {
  const apart = (/** @type {number} */ low, /** @type {number} */ high) => areApart(entryOf('wheel'), entryOf('heap', { to: 'wheel', low, high, n: 2 }))
  assert.equal(apart(1.04, 1.06), false)
  assert.equal(apart(2.9, 3.1), true)
})
