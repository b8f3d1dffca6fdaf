import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../../harness/model/random.js'
import { fitGrowth, tQuantile } from '../../../../harness/judge/statistics/growth.js'
import { normal } from './noise.js'

const SIZES = [100, 1000, 10_000, 100_000]

/**
 * @param {(x: number) => number} cost
 * @param {number} [each]  Samples at each size.
 */
const samplesOf = (cost, each = 3) => SIZES.flatMap(x => Array.from({ length: each }, () => ({ x, cost: cost(x) })))

for (const exponent of [0, 0.5, 1, 2, -0.3]) {
  test(`samples that grow exactly as x to the ${exponent} give that exponent, with no interval to speak of`, () => {
    const fit = fitGrowth(samplesOf(x => 7 * x ** exponent))
    for (const found of [fit.exponent, fit.low, fit.high, fit.first, fit.last]) assert.ok(Math.abs(found - exponent) < 1e-6)
    assert.equal(fit.n, 12)
  })
}

test('samples in any order give the same', () => {
  const samples = samplesOf(x => 1000 + x)
  const [fit, reversed] = [fitGrowth(samples), fitGrowth([...samples].reverse())]
  for (const name of /** @type {const} */ (['exponent', 'low', 'first', 'last'])) assert.ok(Math.abs(fit[name] - reversed[name]) < 1e-9)
})

test('the interval holds the true exponent as often as it says', () => {
  const random = createRandom(5)
  const uniform = () => (random(1 << 24) + 0.5) / (1 << 24)
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  const runs = 2000
  let held = 0
  for (let i = 0; i < runs; i++) {
    const { low, high } = fitGrowth(samplesOf(x => 20 * x ** 0.7 * Math.exp(0.1 * normal())))
    if (low <= 0.7 && high >= 0.7) held++
  }
  // The standard error of a share of 0.95 in 2000 runs is 0.005.
  assert.ok(Math.abs(held / runs - 0.95) < 0.015, `held in ${held} of ${runs} runs`)
})

test('cells that deviate as wholes widen the interval, and do not make a straight line bend', () => {
  const next = normal(6)
  const runs = 1000
  let held = 0
  let bent = 0
  for (let i = 0; i < runs; i++) {
    const samples = SIZES.flatMap(x => {
      const cell = 20 * x ** 0.7 * Math.exp(0.05 * next())
      return Array.from({ length: 10 }, () => ({ x, cost: cell * Math.exp(0.01 * next()) }))
    })
    const { low, high, bends } = fitGrowth(samples)
    if (low <= 0.7 && high >= 0.7) held++
    if (bends) bent++
  }
  assert.ok(Math.abs(held / runs - 0.95) < 0.02, `held in ${held} of ${runs} runs`)
  assert.ok(bent < 10, `bent in ${bent}`)
})

test('cells close to each other show no bend that their own deviations explain', () => {
  const next = normal(7)
  const bent = Array.from({ length: 500 }, () => fitGrowth([100, 150, 200, 300].flatMap(x => {
    const cell = x * Math.exp(0.05 * next())
    return Array.from({ length: 10 }, () => ({ x, cost: cell * Math.exp(0.01 * next()) }))
  }))).filter(({ bends }) => bends)
  assert.ok(bent.length <= 10, String(bent.length))
})

test('a cost that is flat and then grows has different exponents at its ends, and a wide interval', () => {
  const { exponent, low, high, first, last, bends } = fitGrowth(samplesOf(x => 1000 + x))
  assert.ok(first < 0.3 && last > 0.9 && exponent > first && exponent < last)
  assert.ok(high - low > 0.2)
  assert.equal(bends, true)
})

test('ends that differ by chance are not a bend, nor are the ends of a logarithm', () => {
  const humped = (/** @type {number} */ spread) => SIZES.flatMap((x, i) => [1, spread, 1 / spread].map(noise => ({ x, cost: noise * [10, 30, 30, 10][i] })))
  const [wild, quiet] = [fitGrowth(humped(20)), fitGrowth(humped(1.05))]
  for (const { first, last } of [wild, quiet]) assert.deepEqual([first.toFixed(2), last.toFixed(2)], ['0.48', '-0.48'])
  assert.deepEqual([wild.bends, quiet.bends], [false, true])
  assert.equal(fitGrowth([10, 100, 1000, 1_000_000].map(x => ({ x, cost: Math.log(x) })), true).bends, false)
})

test('one sample at each of three values gives a wide interval, too wide to show a bend', () => {
  const fit = fitGrowth([{ x: 10, cost: 10 }, { x: 100, cost: 12 }, { x: 1000, cost: 120 }])
  assert.ok(fit.low < -1 && fit.high > 2 && Number.isFinite(fit.low))
  assert.equal(fit.bends, false)
})

test('counts are exact: they have no interval, and any bend counts', () => {
  const fit = fitGrowth([{ x: 10, cost: 10 }, { x: 100, cost: 12 }, { x: 1000, cost: 120 }], true)
  assert.deepEqual([fit.low, fit.high, fit.coverage, fit.bends], [fit.exponent, fit.exponent, 1, true])
})

test('exponent and interval are those of the textbook, through the medians of the cells', () => {
  // Through (0, 0), (1, 1), (2, 1) and (3, 2): the residuals -0.1, 0.3, -0.3 and 0.1 leave 0.2 on two degrees of freedom.
  const samples = [0, 1, 1, 2].flatMap((log, i) => [0, i - 5, 1].map(off => ({ x: Math.exp(i), cost: Math.exp(log + off) })))
  const { exponent, low, high, n, coverage } = fitGrowth(samples)
  const reach = 4.30265 * Math.sqrt(0.2 / 2 / 5)
  assert.deepEqual([exponent, low, high].map(value => value.toFixed(4)), [0.6, 0.6 - reach, 0.6 + reach].map(value => value.toFixed(4)))
  assert.deepEqual([n, coverage], [12, 0.95])
})

test('ends bend that differ by 0.3 or more, and by more than their cells do', () => {
  // The samples of a cell are alike, so only the cells deviate, by 0.05 each. Where they are a factor of e apart, the interval
  // of either exponent reaches 1.96 * sqrt(2) * 0.05 = 0.139, and that of both 0.28; a factor of 1.5 apart, 0.342 and 0.68.
  const bends = (/** @type {number} */ apart, /** @type {number} */ last) => {
    const logs = [0, 1, 2, 2 + last]
    return fitGrowth(logs.flatMap((log, i) => Array.from({ length: 10 }, () => ({ x: Math.exp(apart * i), cost: Math.exp(apart * log) })))).bends
  }
  const close = Math.log(1.5)
  assert.deepEqual([1.31, 1.29, 0.69, 0.71].map(last => bends(1, last)), [true, false, true, false])
  assert.deepEqual([1.69, 1.67, 0.31, 0.33].map(last => bends(close, last)), [true, false, true, false])
})

// Any table of Student's t.
for (const [freedom, expected] of [[1, 12.706], [2, 4.303], [3, 3.182], [4, 2.776], [7, 2.365], [10, 2.228], [30, 2.042], [120, 1.980]]) {
  test(`the quantile of t for 95 % and ${freedom} degrees of freedom is ${expected}`, () => {
    assert.equal(tQuantile(0.975, freedom).toFixed(3), expected.toFixed(3))
  })
}
