import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../harness/random.js'
import { exactly, exponentOf, isAbove, isNear, isOver, isUnder, ratioOf, SAMPLES_TO_DECIDE } from '../../../harness/reproduce/figures.js'
import { medianInterval } from '../../../harness/statistics/median-interval.js'

/**
 * @param {number} median
 * @param {number} [spread]
 */
const figure = (median, spread = 0.02) => ({ median, low: median * (1 - spread), high: median * (1 + spread), n: 9, coverage: 0.96 })

test('a figure is over a limit, under it, or undecided when the limit lies within its interval', () => {
  assert.deepEqual([2, 0.5, 1.01].map(median => isOver(figure(median), 1)), [true, false, null])
  assert.deepEqual([2, 0.5, 1.01].map(median => isUnder(figure(median), 1)), [false, true, null])
})

test('intervals are compared after the factor is applied', () => {
  assert.equal(isAbove(figure(3), figure(1), 2), true)
  assert.equal(isAbove(figure(1.5), figure(1), 2), false)
  assert.equal(isAbove(figure(2.02), figure(1), 2), null)
})

test('a prediction is near within a quarter, and undecided when its interval reaches further', () => {
  assert.equal(isNear(figure(110), figure(100)), true)
  assert.equal(isNear(figure(140), figure(100)), false)
  assert.equal(isNear(figure(60), figure(100)), false)
  assert.equal(isNear(figure(110, 0.2), figure(100)), null)
})

test('an exponent carries the intervals of both costs', () => {
  const { median, low, high } = exponentOf([1000, 10_000], [figure(50), figure(500)])
  assert.equal(median.toFixed(3), '1.000')
  assert.ok(low < 1 && low > 0.95 && high > 1 && high < 1.05)
})

test('queues measured at the same time are compared by their ratios to the control', () => {
  // Between heats everything varies by 40 %; within one, the array is 5 % above the control and the heap 1 % below it.
  const at = (/** @type {string} */ queue, /** @type {number} */ ratio) =>
    ({ ...figure(100, 0.4), place: 'keep-alive', queue, ratio: { ...figure(ratio, 0.01), to: 'node' } })
  const [array, heap] = [at('array', 1.05), at('heap', 0.99)]
  const node = { ...figure(100, 0.4), place: 'keep-alive', queue: 'node' }
  assert.equal(isAbove(array, heap), true)
  assert.equal(isAbove(heap, array), false)
  assert.equal(isAbove(array, node), true)
  assert.equal(isAbove(node, array), false)
  assert.equal(isAbove({ ...array, place: 'elsewhere' }, heap), null)
  assert.equal(isAbove({ ...array, ratio: undefined }, heap), null)
  assert.equal(ratioOf(array, heap).median.toFixed(3), (1.05 / 0.99).toFixed(3))
})

test('a ratio over too few heats decides nothing, whatever the figures beside it', () => {
  const array = { ...figure(200), place: 'x', queue: 'array', ratio: { ...figure(2), n: 3, coverage: 0.75, to: 'node' } }
  assert.equal(isAbove(array, { ...figure(100), place: 'x', queue: 'node' }), null)
})

const random = createRandom(7)
const gauss = () => Math.sqrt(-2 * Math.log((1 + random(1e9)) / 1e9)) * Math.cos(2 * Math.PI * random(1e9) / 1e9)
const draw = (/** @type {number} */ n) => Array.from({ length: n }, () => 100 * Math.exp(0.1 * gauss()))
const TRIALS = 4000

for (const n of [1, 2, 3, 4]) {
  test(`with ${n} samples, two equal things are never above or below one another`, () => {
    for (let trial = 0; trial < TRIALS; trial++) assert.equal(isAbove(medianInterval(draw(n)), medianInterval(draw(n))), null)
  })
}

for (const n of [SAMPLES_TO_DECIDE, 9, 20]) {
  test(`with ${n} samples, two equal things differ in less than 2 % of simulations, and 50 % more is found`, () => {
    let [apart, found] = [0, 0]
    for (let trial = 0; trial < TRIALS; trial++) {
      const [one, other] = [draw(n), draw(n)].map(values => medianInterval(values))
      if (isAbove(one, other) !== null) apart++
      if (isAbove(medianInterval(draw(n).map(value => 1.5 * value)), other) === true) found++
    }
    assert.ok(apart < 0.02 * TRIALS, `${apart} of ${TRIALS}`)
    assert.ok(found > 0.9 * TRIALS, `${found} of ${TRIALS}`)
  })
}

test('with 5 heats, a ratio of two equal things is off 1 in at most 6.25 % of simulations, as its coverage says', () => {
  let off = 0
  for (let trial = 0; trial < TRIALS; trial++) {
    const ratios = draw(SAMPLES_TO_DECIDE).map(value => value / 100)
    if (isOver(medianInterval(ratios), 1) !== null) off++
  }
  assert.ok(Math.abs(off / TRIALS - 0.0625) < 0.012, `${off} of ${TRIALS}`)
})

test('a known value needs no samples', () => {
  assert.equal(isAbove(exactly(2), exactly(1)), true)
})
