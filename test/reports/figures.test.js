/** What the pictures of a run hold: a golden file that was read before it was committed. */
import { test } from 'node:test'
import { rank } from '../../harness/judge/rank.js'
import { summaryOf } from '../harness/judge/summary-of-heats.js'
import { assertGolden, joinCases } from './assert-golden.js'
import { figuresOf, heatsRun } from './fixture.js'

/** @import { Interval } from '../harness/judge/summary-of-heats.js' */

/**
 * The figures of one micro scenario.
 *
 * @param {Record<string, number>[]} places  Parameters.
 * @param {Record<string, Interval>} costs  Nanoseconds by queue, the same in every place.
 * @param {number} [n]  Samples of each cell.
 */
function draw (places, costs, n = 5) {
  const figures = (/** @type {Interval} */ [low, median, high]) =>
    ({ unit: 'ns', better: 'lower', low, median, high, n, coverage: 0.95 })
  const cells = places.flatMap(params =>
    Object.entries(costs).map(([queue, interval]) => ({
      params,
      queue,
      metrics: { nsPerOp: figures(interval), workPerOp: { ...figures([8, 8, 8]), unit: 'blocks' } },
      scenario: 'refresh',
      runtime: 'v20',
      warnings: []
    }))
  )
  const summary = /** @type {any} */ ({
    ...summaryOf({}),
    settings: { control: { micro: 'list' } },
    scenarios: [{ name: 'refresh', kind: 'micro', title: '' }],
    queues: Object.keys(costs).map(name => ({ name })),
    cells
  })
  return figuresOf({ ...summary, ranking: rank(summary) })
}

const SIZES = [10, 100].map(size => ({ size }))
const MAPPED = SIZES.flatMap(place => [1, 2].map(share => ({ ...place, share })))
const [HEAP, WHEEL] = /** @type {Interval[]} */ ([
  [4, 5, 6],
  [9, 10, 11]
])

const FIGURES = {
  'curves without intervals': draw(SIZES, { heap: [5, 5, 5] }, 1),
  'curves with intervals': draw(SIZES, { heap: HEAP }),
  'rows with intervals': draw(SIZES.slice(0, 1), { heap: HEAP, list: [50, 90, 100] }),
  'a row without its control': draw(SIZES.slice(0, 1), { heap: HEAP }),
  'values from 0 on': draw(SIZES, { heap: [0, 0, 1] }),
  'a map': draw(MAPPED, { heap: HEAP, wheel: WHEEL }),
  'a map with a tie': draw(MAPPED, { heap: HEAP, wheel: WHEEL, list: [5, 50, 60] }),
  'a map with ties for lack of samples': draw(MAPPED, { heap: HEAP, wheel: WHEEL, list: [50, 50, 50] }, 1),
  'maps over three parameters': draw(
    MAPPED.flatMap(place => [7, 8].map(batch => ({ ...place, batch }))),
    { heap: HEAP }
  ),
  'a run in heats': figuresOf(heatsRun().summary)
}

test('the figures of runs equal their golden file', () => {
  assertGolden(
    'figures',
    joinCases(FIGURES, figures => `${JSON.stringify(figures, null, 1)}\n`)
  )
})
