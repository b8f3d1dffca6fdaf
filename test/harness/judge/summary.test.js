/** Summaries of runs: figures, ratios and what is missing. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../../harness/judge/summary.js'
import { aPlan, aRun } from '../a-run.js'

/**
 * @param {any[]} samples  Samples of the only cell.
 * @param {object} [run]  Changes of run.json.
 * @param {number | null} [budgetSeconds]
 */
const summariseSamples = (samples, run = {}, budgetSeconds = 80) =>
  summarise(aRun({ run, plan: aPlan({ end: { budgetSeconds } }), samplesOf: () => samples }))

const timeLimit = { failure: { kind: 'time-limit', message: 'no answer within 1 s' } }

test('a metric is the median over its samples, with an interval and its coverage', () => {
  const { cells, skipped } = summariseSamples([
    { metrics: { nsPerOp: 30 } },
    { metrics: { nsPerOp: 10 } },
    { metrics: { nsPerOp: 20 } }
  ])
  const { low, high, ...figures } = cells[0].metrics.nsPerOp
  assert.deepEqual(figures, { unit: 'ns', better: 'lower', median: 20, n: 3, coverage: 0.95 })
  // exp(mean of the logarithms -+ 4.303 s / sqrt(3))
  assert.deepEqual([low.toFixed(2), high.toFixed(2)], ['4.57', '72.23'])
  assert.deepEqual(skipped, [])
})

test('a counted metric is one figure beside the timed ones', () => {
  const { cells } = summariseSamples([{ metrics: { nsPerOp: 30 } }, { kind: 'count', metrics: { workPerOp: 7 } }])
  assert.deepEqual(
    { ...cells[0].metrics.workPerOp, coverage: 0 },
    { unit: 'blocks', better: 'lower', median: 7, low: 7, high: 7, n: 1, coverage: 0 }
  )
})

const measured = { metrics: { nsPerOp: 30 } }
const crash = { failure: { kind: 'crash', message: 'it died' } }
const wrong = { failure: { kind: 'wrong', message: 'fired 3, the model 4' } }

for (const { failures, samples, n, skipped = [], warnings = [] } of [
  { failures: 'only a sample that was too slow', samples: [timeLimit], skipped: ['no answer within 1 s'] },
  {
    failures: 'a slow sample among others',
    samples: [measured, timeLimit],
    n: 1,
    warnings: [{ kind: 'lost', text: 'no answer within 1 s' }]
  },
  {
    failures: 'one crash among others',
    samples: [measured, crash],
    n: 1,
    warnings: [{ kind: 'lost', text: 'it died' }]
  },
  { failures: 'two crashes', samples: [measured, crash, crash], n: 1, skipped: ['it died'] },
  { failures: 'only a crash', samples: [crash], skipped: ['it died'] },
  { failures: 'wrong timers', samples: [measured, wrong], skipped: ['fired 3, the model 4'] }
]) {
  test(`a cell with ${failures} ${n ? 'keeps its other samples' : 'has no figures'}, and the reason is given`, () => {
    const { cells, skipped: left } = summariseSamples(samples)
    assert.deepEqual(
      [cells[0]?.metrics.nsPerOp.n, left.map(({ reason }) => reason), cells[0]?.warnings ?? []],
      [n, skipped, warnings]
    )
  })
}

/**
 * Cells of a table: the control, the heap, and others.
 *
 * @param {any[][]} samples  Samples of each.
 */
const summariseTable = (...samples) => {
  const names = ['control', 'heap', 'wheel'].slice(0, samples.length)
  const settings = { control: { micro: 'control' } }
  return summarise(
    aRun({
      plan: aPlan({ settings, end: { rounds: 12 }, queues: names }),
      samplesOf: ({ queue }) => samples[names.indexOf(queue)]
    })
  )
}

/** @type {(heat: number, nsPerOp: number, more?: object) => object} */
const inHeat = (heat, nsPerOp, more) => ({
  kind: 'heat',
  heat: `heat ${heat}`,
  metrics: { nsPerOp },
  slices: { nsPerOp: [nsPerOp] },
  ...more
})

test('cells measured alone have a ratio to the control from pairs of rounds', () => {
  const alone = (/** @type {number} */ nsPerOp) => ({ metrics: { nsPerOp } })
  const { cells: [, heap] } = summariseTable([10, 20].map(alone), [20, 40].map(alone))
  assert.deepEqual(heap.metrics.nsPerOp.ratio, {
    to: 'control',
    by: 'round',
    median: 2,
    low: 2,
    high: 2,
    n: 2,
    coverage: 0.95
  })
})

test('samples of one heat are compared slice by slice, and what heats have measured is summarised from heats', () => {
  const heat = (/** @type {number} */ i, /** @type {number} */ time, /** @type {(number | null)[]} */ ...nsPerOp) =>
    inHeat(i, time, { slices: { nsPerOp } })
  const alone = { metrics: { nsPerOp: 1000, longestAdvanceNs: 5 } }
  const { cells: [control, { metrics: { nsPerOp, longestAdvanceNs } }] } = summariseTable(
    [0, 1].map(i => heat(i, 3, 1, 2, null, 4)),
    [...[1, 0].map(i => heat(i, 4, 8, 8, 8, 8)), alone]
  )
  assert.deepEqual([nsPerOp.median, nsPerOp.n, longestAdvanceNs.n], [4, 2, 1])
  // 8 / 1, 8 / 2 and 8 / 4; the third slice is missing on one side.
  const { median, n } = /** @type {any} */ (nsPerOp.ratio)
  assert.ok(Math.abs(median - 4) < 1e-9 && n === 2)
  assert.equal(control.metrics.nsPerOp.ratio, undefined)
})

test('two queues of the same heats have a ratio to each other, however much the control scatters', () => {
  // The heap takes three times as long as the wheel in every heat, within 1 %; the control is fast or slow by chance.
  const times = [[20, 9, 14, 30, 11, 25], [30, 30.3, 30.6, 30, 30.3, 30.6], Array(6).fill(10)]
  const { cells: [, heap] } = summariseTable(
    ...times.map(own => own.map((ns, heat) => inHeat(heat, ns, { metrics: { nsPerOp: ns, workPerOp: 4 } })))
  )
  const { ratio, others } = /** @type {any} */ (heap.metrics.nsPerOp)
  assert.deepEqual(
    others.map((/** @type {any} */ { to, n }) => [to, n]),
    [['control', 6], ['wheel', 6]]
  )
  assert.ok(ratio.high / ratio.low > 2)
  assert.ok(others[1].low > 2.99 && others[1].high < 3.07)
  assert.deepEqual([heap.metrics.workPerOp.ratio, heap.metrics.workPerOp.others], [undefined, undefined], 'counts')
})

test('warnings of one kind are given once, with their number', () => {
  const slow = (/** @type {number} */ ns) => ({
    metrics: { nsPerOp: 1 },
    warnings: [{ kind: 'put-off', text: `${ns} ns` }]
  })
  assert.deepEqual(summariseSamples([slow(1), slow(2), slow(3)]).cells[0].warnings, [
    { kind: 'put-off', text: '1 ns', more: 2 }
  ])
})

test('an unfinished run, or one that ran out of time, says so', () => {
  const sample = { metrics: { nsPerOp: 1 } }
  const warningsOf = (/** @type {Parameters<typeof summariseSamples>} */ ...run) => summariseSamples(...run).warnings
  assert.match(warningsOf([sample], { ended: null })[0], /did not end/)
  assert.match(warningsOf([sample, sample])[0], /2 rounds of 3: the time budget of 80 s/)
  assert.match(warningsOf([sample])[0], /^1 round of 3: /)
  assert.deepEqual(warningsOf([sample, sample, sample]), [])
  // Rounds missing because every cell failed, or in a run without a budget, are not blamed on the budget.
  assert.deepEqual(warningsOf([timeLimit], {}, null), [])
  assert.deepEqual(warningsOf([sample, crash]), [])
})

test('a cell for which no time was left says so, and one that an interrupted run did not reach says that', () => {
  const skippedOf = (/** @type {object} */ run) =>
    summariseSamples([], run).skipped.map(({ kind, reason }) => `${kind}: ${reason}`)
  assert.deepEqual(skippedOf({}), ['out-of-time: the time budget of 80 s was used up (--budget)'])
  assert.deepEqual(skippedOf({ ended: null }), ['missing: the run ended before'])
})
