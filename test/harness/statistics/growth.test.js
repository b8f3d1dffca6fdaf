import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../harness/random.js'
import { fitGrowth, tQuantile } from '../../../harness/statistics/growth.js'
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

// Any table of Student's t.
for (const [freedom, expected] of [[1, 12.706], [2, 4.303], [3, 3.182], [4, 2.776], [7, 2.365], [10, 2.228], [30, 2.042], [120, 1.980]]) {
  test(`the quantile of t for 95 % and ${freedom} degrees of freedom is ${expected}`, () => {
    assert.equal(tQuantile(0.975, freedom).toFixed(3), expected.toFixed(3))
  })
}
