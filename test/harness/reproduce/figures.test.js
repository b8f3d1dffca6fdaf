import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../harness/model/random.js'
import { exactly, exponentOf, isAbove, isNear, isOver, isUnder, overWindows, product, ratioOf, SAMPLES_TO_DECIDE, sum, times } from '../../../harness/reproduce/figures.js'
import { medianInterval } from '../../../harness/judge/statistics/interval.js'

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

/**
 * @param {number[]} costs  By heat.
 * @param {(number | null)[][]} [slices]  By heat.
 * @returns {import('../../../harness/reproduce/figures.js').Figure}
 */
function fromHeats (costs, slices) {
  const values = costs.map((value, heat) => [`heat ${heat}`, {
    value, ...(slices && { sliced: { metric: 'nsPerOp', sample: /** @type {any} */ ({ slices: { nsPerOp: slices[heat] } }) } })
  }])
  return { ...medianInterval(costs), observations: { by: 'heat', values: new Map(/** @type {any} */ (values)) } }
}

/** The speed of the machine in five heats: 40 % up and down. */
const SPEEDS = [1, 1.4, 0.6, 1.2, 0.8]
/** @param {number[]} costs  At full speed. */
const slowed = costs => fromHeats(costs.map((cost, heat) => cost * SPEEDS[heat]))
const node = slowed([100, 100, 100, 100, 100])
const array = slowed([105, 104.5, 105.5, 105, 105])
const heap = slowed([99, 99, 99, 99, 99])

test('what happens in one slice of several counts over windows', () => {
  const slices = SPEEDS.map(speed => [100, 100, 400].map(cost => cost * speed))
  const collecting = fromHeats(SPEEDS.map(speed => 200 * speed), slices)
  const steady = fromHeats(SPEEDS.map(speed => 100 * speed), slices.map(([cost]) => [cost, cost, cost]))
  assert.equal(ratioOf(collecting, steady).median.toFixed(3), '1.000')
  assert.equal(ratioOf(overWindows(collecting), overWindows(steady)).median.toFixed(3), '2.000')
})

test('figures measured at the same time are compared heat by heat', () => {
  assert.equal(isAbove(array, heap), true)
  assert.equal(isAbove(heap, array), false)
  assert.equal(isAbove(array, node), true)
  assert.equal(isAbove(node, array), false)
  assert.equal(ratioOf(array, heap).median.toFixed(3), (1.05 / 0.99).toFixed(3))
  assert.ok(isNear(array, heap))
})

test('figures of different heats are compared by the intervals of each', () => {
  const elsewhere = { ...array, observations: fromHeats([1]).observations && { by: /** @type {const} */ ('heat'), values: new Map([['another heat', { value: 105 }]]) } }
  assert.equal(isAbove(elsewhere, heap), null)
  assert.equal(isAbove({ ...array, observations: undefined }, heap), null)
})

/** @param {import('../../../harness/reproduce/figures.js').Figure} figure */
const byRounds = figure => ({ ...figure, observations: figure.observations && { ...figure.observations, by: /** @type {const} */ ('round') } })

test('a ratio over too few heats or rounds decides nothing, whatever the figures beside it', () => {
  const certain = { low: 1, high: 1000, n: 9, coverage: 0.96 }
  const [dear, cheap] = [[200, 201, 199, 200], [100, 100, 100, 100]]
  const isAboveAfter = (/** @type {number} */ n, /** @type {typeof byRounds} */ measured) =>
    isAbove(...(/** @type {const} */ ([dear, cheap]).map(costs => measured({ ...fromHeats(costs.slice(0, n)), ...certain }))))
  assert.deepEqual([2, 3].map(n => isAboveAfter(n, figure => figure)), [null, null])
  assert.deepEqual([3, 4].map(n => isAboveAfter(n, byRounds)), [null, null])
  assert.equal(isAbove(byRounds(slowed([200, 201, 199, 200, 200])), byRounds(node)), true)
})

test('within a heat slices are compared with slices, so that a disturbance spoils one of them only', () => {
  const calm = [10, 10, 10, 10]
  const costs = [10, 10, 10, 10, 10]
  const disturbed = fromHeats(costs, costs.map(() => [12, 12.1, 90, null]))
  const control = fromHeats(costs, costs.map(() => calm))
  const { median, n } = ratioOf(disturbed, control)
  assert.deepEqual([median.toFixed(2), n], ['1.21', 5])
  assert.equal(isAbove(disturbed, control, 1.1), true)
})

test('growth between two sizes is measured heat by heat', () => {
  const { median, low, high } = exponentOf([1000, 10_000], [node, slowed([1000, 1010, 990, 1005, 995])])
  assert.equal(median.toFixed(2), '1.00')
  assert.ok(low > 0.98 && high < 1.02, `${low} to ${high}`)
  // Each cost by itself hides it.
  const apart = exponentOf([1000, 10_000], [{ ...node, observations: undefined }, slowed([1000, 1010, 990, 1005, 995])])
  assert.ok(apart.low < 0.7 && apart.high > 1.3)
})

test('a ratio of ratios is made heat by heat, too', () => {
  const growsMore = ratioOf(slowed([300, 310, 290, 305, 295]), node)
  const growsLess = ratioOf(slowed([200, 207, 193, 203, 197]), node)
  const { median, low, high } = ratioOf(growsMore, growsLess)
  assert.equal(median.toFixed(2), '1.50')
  assert.ok(high / low < 1.01)
})

test('a product, a sum and a multiple are compared heat by heat', () => {
  const rate = fromHeats(SPEEDS.map(speed => 500 / speed))
  const time = fromHeats(SPEEDS.map(speed => 0.002 * speed))
  const busy = fromHeats([1.01, 0.99, 1, 1.02, 0.98])
  assert.equal(isNear(product(rate, time), busy), true)
  assert.equal(isNear({ ...product(rate, time), observations: undefined }, busy), null)
  assert.equal(ratioOf(sum(node, times(2, node)), node).median.toFixed(3), '3.000')
})

test('a share of nothing is below any other, and two of nothing decide nothing', () => {
  const rounds = (/** @type {number[]} */ values) => byRounds(fromHeats(values))
  const [some, next, none] = [[0.01, 0.012, 0.011, 0.009, 0.01], [0, 0.001, 0, 0.001, 0.002], [0, 0, 0, 0, 0]].map(rounds)
  assert.equal(isAbove(some, next), true)
  assert.equal(isAbove(next, some), false)
  assert.equal(isAbove(fromHeats([8, 9, 8, 7, 8]), fromHeats([0, 0, 0, 0, 0])), true)
  assert.equal(isAbove(none, none, 0.5), true)
  assert.equal(isAbove(none, rounds([0, 0, 0, 0, 0])), null)
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

test('with 5 heats, a ratio of two equal things is off 1 in 5 % of simulations, as its coverage says', () => {
  let off = 0
  for (let trial = 0; trial < TRIALS; trial++) {
    const ratios = draw(SAMPLES_TO_DECIDE).map(value => value / 100)
    if (isOver(medianInterval(ratios), 1) !== null) off++
  }
  assert.ok(Math.abs(off / TRIALS - 0.05) < 0.012, `${off} of ${TRIALS}`)
})

test('a known value needs no samples', () => {
  assert.equal(isAbove(exactly(2), exactly(1)), true)
})
