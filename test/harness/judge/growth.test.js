/** Fits of costs along a swept parameter. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fitGrowth, growthOf } from '../../../harness/judge/growth.js'

test('a worked example: the t interval of the slope has two degrees of freedom less than values', () => {
  // Logarithms 0, 1, 1 at 0, 1, 2: slope 1/2, squares left 1/6, so the standard error is sqrt(1 / 6 / 2), times 12.706.
  const { exponent, low, high } = fitGrowth(
    [
      [1, 1],
      [Math.E, Math.E],
      [Math.E ** 2, Math.E]
    ].map(([x, cost]) => ({ x, cost }))
  )
  assert.deepEqual(
    [exponent, low, high].map(value => value.toFixed(3)),
    ['0.500', '-3.168', '4.168']
  )
})

/**
 * Cells of one queue at each combination of sizes and shares.
 *
 * @param {number[]} sizes
 * @param {number[]} shares
 * @param {(size: number, share: number) => Record<string, number>} costs
 */
const cellsOf = (sizes, shares, costs) =>
  sizes.flatMap(size =>
    shares.map(share => {
      const metrics = Object.entries(costs(size, share)).map(([metric, median]) => [metric, { median }])
      const place = { scenario: 'refresh', queue: 'list', runtime: 'v20', params: { size, share } }
      return /** @type {any} */ ({ ...place, id: String(size), metrics: Object.fromEntries(metrics) })
    })
  )
const fitted = (/** @type {Parameters<typeof cellsOf>} */ ...sweep) =>
  growthOf(cellsOf(...sweep), () => 'one').map(({ parameter, params, metric, exponent, n }) =>
    [`${metric} by ${parameter}`, ...Object.entries(params).flat(), exponent.toFixed(2), n].join(' ')
  )
const SIZES = [10, 100, 1000]

for (const [title, sizes, shares, costs, expected] of /** @type {[string, ...any][]} */ ([
  [
    'each metric that ranks, and work; not memory',
    SIZES,
    [1],
    (/** @type {number} */ size) => ({ nsPerOp: 20 * size ** 0.2, workPerOp: 3 * size, bytesPerTimer: 7 }),
    ['nsPerOp by size share 1 0.20 3', 'workPerOp by size share 1 1.00 3']
  ],
  [
    'each parameter, with the other fixed',
    SIZES,
    [1, 5, 50],
    (/** @type {number} */ size, /** @type {number} */ share) => ({ nsPerOp: size ** 0.5 / share }),
    [
      ...[1, 5, 50].map(share => `nsPerOp by size share ${share} 0.50 3`),
      ...SIZES.map(size => `nsPerOp by share size ${size} -1.00 3`)
    ]
  ],
  ['two values cannot be fitted', [10, 100], [1], () => ({ nsPerOp: 1 }), []],
  ['zero has no logarithm', [0, 10, 100], [1], () => ({ nsPerOp: 1 }), []],
  ['zero is left out', [0, 1, 10, 100], [1], () => ({ nsPerOp: 1 }), ['nsPerOp by size share 1 0.00 3']],
  [
    'a cost too small for the clock would bend the line',
    [10, 100, 1000, 10_000],
    [1],
    (/** @type {number} */ size) => ({ nsPerOp: size === 10 ? 0 : size }),
    []
  ]
])) {
  test(`growth: ${title}`, () => assert.deepEqual(fitted(sizes, shares, costs), expected))
}

test('counts have an interval without a width, and are fitted across machines, too', () => {
  const bent = (/** @type {number} */ size) => size * (size === 100 ? 1.1 : 1)
  const cells = cellsOf(SIZES, [1], size => ({ nsPerOp: bent(size), workPerOp: bent(size) }))
  const [time, work] = growthOf(cells, () => 'one')
  assert.ok(time.low < 1 && time.high > 1 && time.coverage === 0.95)
  assert.deepEqual([work.low, work.high, work.coverage], [work.exponent, work.exponent, 1])
  assert.deepEqual(growthOf(cells, id => id).map(({ metric }) => metric), ['workPerOp'])
})
