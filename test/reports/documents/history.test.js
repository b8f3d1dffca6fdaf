import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { historyOf } from '../../../harness/judge/history.js'
import { historyDocument } from '../../../reports/documents/history.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { renderTerminal } from '../../../reports/render/terminal.js'
import { picturesOf } from '../../../reports/render/pictures.js'
import { assertGolden } from '../assert-golden.js'
import { smallRun } from '../fixture.js'
import { inMemory } from '../../harness/judge/samples-in-memory.js'

const plain = picocolors.createColors(false)
const HEAP = 'refresh-one-duration size=1000 binary-heap v20.20.2'

/**
 * The small run again and again, a day apart.
 *
 * @param {number} count
 * @param {(sample: any, run: number) => void} change
 */
function runs (count, change) {
  return Array.from({ length: count }, (_, number) => {
    const { results: { run, samples } } = smallRun()
    const day = String(number + 1).padStart(2, '0')
    return {
      directory: `results/${day}`,
      run: { ...run, started: `2026-01-${day}T00:00:00.000Z`, environment: { ...run.environment, gitCommit: `c0ffee${day}` } },
      samples: inMemory([...samples].map(sample => {
        const copy = { ...sample, metrics: { ...sample.metrics } }
        change(copy, number)
        return copy
      })),
      warnings: []
    }
  })
}

/** Slower from the seventh run on, by the clock and by counting. */
const heapGrowsSlow = runs(10, ({ cell, channel, metrics }, number) => {
  if (cell !== HEAP) return
  if (channel === 'time') metrics.nsPerOp *= (number >= 6 ? 1.3 : 1) * (1 + [0, 0.01, -0.01][number % 3])
  else metrics.workPerOp = number >= 6 ? 9.5 : 8.4
})

/** The runs until the change: the latest one is the first slow one. */
const untilSlow = heapGrowsSlow.slice(0, 7)

test('a cell that grew slower in the latest run is reported', () => {
  const changed = historyOf(untilSlow).trends.filter(({ latest }) => latest?.changed)
  assert.deepEqual(changed.map(({ queue, metric }) => [queue, metric]), [['binary-heap', 'nsPerOp'], ['binary-heap', 'workPerOp']])
  const [time, work] = changed.map(({ latest }) => latest)
  assert.ok(time && Math.abs(time.ratio - 1.3) < 0.03 && time.low > 1.2)
  assert.deepEqual([work?.before, work?.value, work?.low], [8.4, 9.5, 9.5 / 8.4])
  assert.deepEqual(historyOf(untilSlow.slice(0, 6)).trends.filter(({ latest }) => latest?.changed), [])
})

test('the latest run is compared with up to ten runs before it, by how far these lie apart', () => {
  const runsOf = (/** @type {number} */ count) => historyOf(runs(count, ({ cell, metrics }, number) => {
    if (cell === HEAP && metrics.nsPerOp) metrics.nsPerOp *= number === count - 1 ? 1 : 1 + [0, 0.01, -0.01][number % 3]
  })).trends.find(({ queue, metric, params, scenario }) => queue === 'binary-heap' && metric === 'nsPerOp' && params.size === 1000 && scenario === 'refresh-one-duration')?.latest
  const four = runsOf(4)
  assert.equal(four?.runs, 3)
  // Steps of 1 % around a level, of three runs: Student's t for two degrees of freedom is 4.3, and a further run scatters, too.
  assert.ok(four && Math.abs(four.ratio - 1) < 1e-9 && Math.abs(four.high - Math.exp(4.303 * 0.01 * Math.sqrt(4 / 3))) < 0.001, JSON.stringify(four))
  assert.equal(runsOf(15)?.runs, 10)
})

test('a time that differs no more than the runs before it did not change, nor did any time after a single run', () => {
  const changed = (/** @type {number} */ count, /** @type {number} */ factor) => historyOf(runs(count, ({ cell, metrics }, number) => {
    if (cell === HEAP && metrics.nsPerOp) metrics.nsPerOp *= number === count - 1 ? factor : 1 + [0, 0.02, -0.02][number % 3]
  })).trends.filter(({ latest }) => latest?.changed).map(({ queue }) => queue)
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
  const results = runs(2, ({ cell, channel, metrics }, number) => {
    if (cell === HEAP && channel === 'exact') metrics.workPerOp = 8.4 + 0.01 * number
  })
  const changes = () => historyOf(results).trends.filter(({ latest }) => latest?.changed).length
  assert.equal(changes(), 1)
  results[1].run.plan.settings.countSeed = 7
  assert.equal(changes(), 0)
})

test('times of another machine are left out, counts are not, and it is said', () => {
  const results = heapGrowsSlow.map(({ run, ...rest }) => ({ ...rest, run: structuredClone(run) }))
  results[0].run.environment.cpu = 'Another'
  const { trends, warnings } = historyOf(results)
  const pointsOf = (/** @type {string} */ metric) => trends.find(trend => trend.metric === metric)?.points.length
  assert.equal(pointsOf('nsPerOp'), 9)
  assert.equal(pointsOf('workPerOp'), 10)
  assert.match(warnings[0], /1 of 10 runs are from another machine/)
})

test('of a run merged from several machines, only what is counted is compared', () => {
  const results = heapGrowsSlow.map(({ run, ...rest }) => ({ ...rest, run: structuredClone(run) }))
  const { run } = results[0]
  results[0].run.parts = [run.environment, { ...run.environment, cpu: 'Another' }].map(environment => ({ directory: '', environment }))
  const { runs, trends } = historyOf(results)
  assert.match(runs[0].machine, / and .*Another/)
  assert.deepEqual(['nsPerOp', 'workPerOp'].map(metric => trends.find(trend => trend.metric === metric)?.points.length), [9, 10])
})

test('the history for a terminal fits 80 columns and is as it was when somebody last read it', () => {
  const text = renderTerminal(historyDocument(historyOf(untilSlow)), plain)
  assert.ok(text.split('\n').every(({ length }) => length <= 80))
  assertGolden('history.txt', text)
})

test('the history as markdown, and its pictures, are as they were when somebody last read them', () => {
  const document = historyDocument(historyOf(untilSlow))
  assertGolden('history.md', renderMarkdown(document, 'history-pictures'))
  const [{ name, text }] = picturesOf(document)
  assert.equal(name, 'trend-1.svg')
  assertGolden('history-trend.svg', text)
})
