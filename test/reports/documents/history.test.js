/** Trends over runs: what changed in the latest, and what may be compared. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { driftOf, historyOf } from '../../../harness/judge/history.js'
import { createRandom } from '../../../harness/model/random.js'
import { heatsRun } from '../fixture.js'

const HEAP = 'refresh-one-duration size=1000 binary-heap v20.20.2'

/**
 * A small run again and again, a day apart.
 *
 * @param {number} count
 * @param {(sample: any, run: number) => void} [change]
 * @returns {any[]}
 */
function runs (count, change = () => {}) {
  const { run, samples } = heatsRun().results
  return Array.from({ length: count }, (_, number) => {
    const copy = structuredClone({ run, samples, warnings: [] })
    for (const sample of copy.samples) change(sample, number)
    const day = String(number + 1).padStart(2, '0')
    copy.run.started = `2026-01-${day}T00:00:00.000Z`
    return { directory: `results/${day}`, ...copy }
  })
}

/**
 * @param {any} sample
 * @param {number} factor
 */
function slowDown ({ cell, kind, metrics, slices }, factor) {
  if (cell !== HEAP || kind !== 'heat') return
  metrics.nsPerOp *= factor
  slices.nsPerOp = slices.nsPerOp.map((/** @type {number} */ ns) => ns * factor)
}

/** A heap that is slower from the seventh run on, by the clock and by counting. */
const slowing = (/** @type {number} */ count) =>
  runs(count, (sample, number) => {
    slowDown(sample, (number >= 6 ? 1.3 : 1) * (1 + [0, 0.01, -0.01][number % 3]))
    if (sample.cell === HEAP && sample.kind === 'count') sample.metrics.workPerOp = number >= 6 ? 9.5 : 8.4
  })

/** @param {any[]} results */
const changedIn = results =>
  historyOf(results)
    .trends.filter(({ latest }) => latest?.changed)
    .map(({ queue, metric }) => `${queue} ${metric}`)

/**
 * @param {any[]} results
 * @param {string} metric
 * @param {boolean} [toControl]
 * @returns {any} the trend of the heap; times without a control are those of the control itself
 */
const trendIn = (results, metric, toControl = metric === 'nsPerOp') =>
  historyOf(results).trends.find(
    trend =>
      trend.metric === metric &&
      trend.toControl === toControl &&
      trend.queue === (metric === 'nsPerOp' && !toControl ? 'duration-lists' : 'binary-heap') &&
      trend.params.size === 1000
  )

test('a cell that is slower in the latest run is reported', () => {
  const results = slowing(7)
  assert.deepEqual(changedIn(results), ['binary-heap nsPerOp', 'binary-heap workPerOp'])
  assert.ok(Math.abs(trendIn(results, 'nsPerOp').latest.ratio - 1.3) < 0.03)
  const { before, value, runs } = trendIn(results, 'workPerOp').latest
  assert.deepEqual([before, value, runs], [8.4, 9.5, 1], 'a count is compared with the level before')
})

test('the latest run is compared with those before it', () => {
  const results = slowing(4)
  const { runs: count, ratio, low, high } = trendIn(results, 'nsPerOp').latest
  assert.equal(count, 3)
  // Steps of 1 % around a level, of three runs: Student's t for two degrees of freedom is 4.3, and a further run
  // scatters, too.
  const limit = Math.exp(4.303 * 0.01 * Math.sqrt(4 / 3))
  assert.ok(Math.abs(ratio - 1) < 1e-9 && Math.abs(high - limit) < 0.001 && low < 0.96, `${low} to ${high}`)
  const { runs, ...counted } = trendIn(results, 'workPerOp').latest
  assert.deepEqual([runs, counted], [1, { value: 8.4, before: 8.4, ratio: 1, low: 1, high: 1, changed: false }])
})

test('a time that differs no more than the runs before it did not change, nor did any time after a single run', () => {
  const changed = (/** @type {number} */ count, /** @type {number} */ factor) =>
    changedIn(
      runs(count, (sample, number) => {
        slowDown(sample, number === count - 1 ? factor : 1 + [0, 0.02, -0.02][number % 3])
      })
    )
  assert.deepEqual([changed(8, 1.05), changed(8, 1.3), changed(2, 1.3)], [[], ['binary-heap nsPerOp'], []])
})

test('of two runs the interval is that of both runs; of one run nothing is compared', () => {
  const [first, second] = slowing(2)
  assert.equal(trendIn([first], 'nsPerOp').latest, null)
  const { points, latest } = trendIn([first, second], 'nsPerOp')
  assert.deepEqual([latest.low, latest.high], [points[1].low / points[0].high, points[1].high / points[0].low])
})

test('runs are put in the order of time', () => {
  const results = runs(3)
  assert.deepEqual(historyOf([...results].reverse()).runs, historyOf(results).runs)
})

test('what is counted changed wherever it differs, unless another seed drew another workload', () => {
  const results = runs(2, ({ cell, kind, metrics }, number) => {
    if (cell === HEAP && kind === 'count') metrics.workPerOp = 8.4 + 0.01 * number
  })
  assert.equal(changedIn(results).length, 1)
  results[1].run.plan.settings.countSeed++
  assert.equal(changedIn(results).length, 0)
})

test('times of another machine, or of several, are left out, ratios and counts are not, and it is said', () => {
  const results = runs(10)
  const { environment } = results[0].run
  const other = { ...environment, cpu: 'Another' }
  const assertLeftOut = () =>
    assert.deepEqual(
      [trendIn(results, 'nsPerOp', false), trendIn(results, 'nsPerOp'), trendIn(results, 'workPerOp')].map(
        ({ points }) => points.length
      ),
      [9, 10, 10]
    )
  results[0].run.parts = [environment, other].map(environment => ({ directory: '', environment }))
  assert.match(historyOf(results).runs[0].machine, / and .*Another/)
  assertLeftOut()
  results[0].run = { ...results[0].run, parts: undefined, environment: other }
  assert.match(historyOf(results).warnings[0], /1 of 10 runs are from another machine/)
  assertLeftOut()
})

test('small steps that no night shows are a drift, and a year without steps has none', () => {
  const random = createRandom(1)
  const year = (/** @type {number} */ step) =>
    Array.from({ length: 365 }, (_, run) => {
      // Within 1.5 %, evenly.
      const noise = 1 + 0.015 * (random(2001) / 1000 - 1)
      const median = noise * (1 + step) ** Math.floor(run / 36)
      return { run, median, low: median, high: median }
    })
  const firstNight = (/** @type {number} */ step) => {
    const points = year(step)
    return points.findIndex((_, night) => driftOf(points.slice(0, night + 1), 0.9975)?.changed)
  }
  const [steps, none] = [firstNight(0.015), Array.from({ length: 10 }, () => firstNight(0))]
  assert.ok(steps > 36 && steps < 110, `${steps}`)
  assert.deepEqual(none, Array(10).fill(-1))
})
