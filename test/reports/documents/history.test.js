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
 * @param {(sample: any, run: number) => void} change
 */
function runs (count, change) {
  return Array.from({ length: count }, (_, number) => {
    const {
      results: { run, samples }
    } = heatsRun()
    const day = String(number + 1).padStart(2, '0')
    return {
      directory: `results/${day}`,
      run: {
        ...run,
        started: `2026-01-${day}T00:00:00.000Z`,
        environment: { ...run.environment, gitCommit: `c0ffee${day}` }
      },
      samples: samples.map(sample => {
        const copy = { ...sample, metrics: { ...sample.metrics } }
        change(copy, number)
        return copy
      }),
      warnings: []
    }
  })
}

/**
 * @param {any} sample  Of a heat.
 * @param {number} factor
 */
function slowDown (sample, factor) {
  sample.metrics.nsPerOp *= factor
  sample.slices = { nsPerOp: sample.slices.nsPerOp.map((/** @type {number} */ ns) => ns * factor) }
}

/** Slower from the seventh run on, by the clock and by counting. */
const heapGrowsSlow = runs(10, (sample, number) => {
  if (sample.cell !== HEAP) return
  if (sample.kind === 'heat') slowDown(sample, (number >= 6 ? 1.3 : 1) * (1 + [0, 0.01, -0.01][number % 3]))
  else sample.metrics.workPerOp = number >= 6 ? 9.5 : 8.4
})

test('a cell that is slower in the latest run is reported', () => {
  const { trends } = historyOf(heapGrowsSlow.slice(0, 7))
  const changed = trends.filter(({ latest }) => latest?.changed)
  assert.deepEqual(
    changed.map(({ queue, metric }) => [queue, metric]),
    [
      ['binary-heap', 'nsPerOp'],
      ['binary-heap', 'workPerOp']
    ]
  )
  assert.ok(Math.abs(/** @type {any} */ (changed[0].latest).ratio - 1.3) < 0.03)
})

test('the latest run is compared with those before it', () => {
  const { trends } = historyOf(heapGrowsSlow.slice(0, 4))
  const latestOf = (/** @type {string} */ metric, /** @type {string} */ queue) =>
    trends.find(
      trend =>
        trend.metric === metric &&
        trend.queue === queue &&
        trend.scenario === 'refresh-one-duration' &&
        trend.params.size === 1000
    )?.latest
  const time = latestOf('nsPerOp', 'binary-heap')
  assert.equal(time?.runs, 3)
  // Steps of 1 % around a level, of three runs: Student's t for two degrees of freedom is 4.3, and a further run
  // scatters, too.
  assert.ok(
    time && Math.abs(time.ratio - 1) < 1e-9 && Math.abs(time.high - Math.exp(4.303 * 0.01 * Math.sqrt(4 / 3))) < 0.001,
    JSON.stringify(time)
  )
  assert.ok(time.low < 0.96)
  const { runs, ...counted } = latestOf('workPerOp', 'binary-heap') ?? {}
  assert.deepEqual([runs, counted], [1, { value: 8.4, before: 8.4, ratio: 1, low: 1, high: 1, changed: false }])
})

test('a count that changed in the latest run is compared with the level before', () => {
  const { trends } = historyOf(heapGrowsSlow.slice(0, 7))
  const { latest } = /** @type {any} */ (trends.find(({ metric, latest }) => metric === 'workPerOp' && latest?.changed))
  assert.deepEqual([latest.before, latest.value, latest.runs], [8.4, 9.5, 1])
})

test('a time that differs no more than the runs before it did not change, nor did any time after a single run', () => {
  const changed = (/** @type {number} */ count, /** @type {number} */ factor) =>
    historyOf(
      runs(count, (sample, number) => {
        if (sample.cell !== HEAP || sample.kind !== 'heat') return
        slowDown(sample, number === count - 1 ? factor : 1 + [0, 0.02, -0.02][number % 3])
      })
    )
      .trends.filter(({ latest }) => latest?.changed)
      .map(({ queue }) => queue)
  assert.deepEqual([changed(8, 1.05), changed(8, 1.3), changed(2, 1.3)], [[], ['binary-heap'], []])
})

test('of two runs the interval is that of both runs; of one run nothing is compared', () => {
  const [first, second] = heapGrowsSlow
  const of = (/** @type {any[]} */ runs) => historyOf(runs).trends.find(({ metric }) => metric === 'nsPerOp')
  assert.equal(of([first])?.latest, null)
  const { points, latest } = /** @type {any} */ (of([first, second]))
  assert.deepEqual([latest.low, latest.high], [points[1].low / points[0].high, points[1].high / points[0].low])
})

test('runs are put in the order of time', () => {
  assert.deepEqual(historyOf([...heapGrowsSlow].reverse()).runs, historyOf(heapGrowsSlow).runs)
})

test('what is counted changed wherever it differs, unless another seed drew another workload', () => {
  const results = runs(2, ({ cell, kind, metrics }, number) => {
    if (cell === HEAP && kind === 'count') metrics.workPerOp = 8.4 + 0.01 * number
  })
  const changed = () => historyOf(results).trends.filter(({ latest }) => latest?.changed)
  assert.equal(changed().length, 1)
  results[1].run.plan.settings.countSeed++
  assert.equal(changed().length, 0)
})

/** @param {any[]} results */
const pointsIn = results => {
  const { trends } = historyOf(results)
  const countOf = (/** @type {string} */ metric, /** @type {boolean} */ toControl) =>
    trends.find(trend => trend.metric === metric && trend.toControl === toControl)?.points.length
  return { times: countOf('nsPerOp', false), ratios: countOf('nsPerOp', true), counts: countOf('workPerOp', false) }
}

test('times of another machine are left out, ratios and counts are not, and it is said', () => {
  const results = heapGrowsSlow.map(({ run, ...rest }) => ({ ...rest, run: structuredClone(run) }))
  results[0].run.environment.cpu = 'Another'
  assert.deepEqual(pointsIn(results), { times: 9, ratios: 10, counts: 10 })
  assert.match(historyOf(results).warnings[0], /1 of 10 runs are from another machine/)
})

test('of a run merged from several machines, only ratios and counts are compared', () => {
  const results = heapGrowsSlow.map(({ run, ...rest }) => ({ ...rest, run: structuredClone(run) }))
  const { run } = results[0]
  results[0].run.parts = [run.environment, { ...run.environment, cpu: 'Another' }].map(environment => ({
    directory: '',
    environment
  }))
  assert.match(historyOf(results).runs[0].machine, / and .*Another/)
  assert.deepEqual(pointsIn(results), { times: 9, ratios: 10, counts: 10 })
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
