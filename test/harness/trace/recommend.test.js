/** Recommendations to a program, by its trace and the ratios of a run. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { CANCEL, FIRE, REFRESH, START } from '../../../harness/store/trace-format.js'
import { describeTrace, recommend } from '../../../harness/trace/recommend.js'
import { recommendationDocument } from '../../../reports/documents/recommendation.js'
import { renderTerminal } from '../../../reports/render/terminal.js'
import picocolors from 'picocolors'
import { aPlan, aRun } from '../a-run.js'

const OPERATIONS = /** @type {[number, number, number, number][]} */ ([
  // Kind, time, timer, duration.
  [START, 0, 0, 5000],
  [START, 0, 1, 100],
  [FIRE, 100, 1, 0],
  [REFRESH, 900, 0, 0],
  [START, 1500, 1, 100],
  [CANCEL, 1550, 1, 0],
  [REFRESH, 1600, 0, 0],
  [START, 1899, 2, 7],
  [CANCEL, 4000, 0, 0]
])
const TRACE = {
  kinds: Uint8Array.from(OPERATIONS, ([kind]) => kind),
  times: Float64Array.from(OPERATIONS, ([, time]) => time),
  timers: Int32Array.from(OPERATIONS, ([, , timer]) => timer),
  durations: Float64Array.from(OPERATIONS, ([, , , duration]) => duration),
  timerCount: 3,
  isTruncated: false
}

/**
 * The recommendation for a program.
 *
 * @param {number} perBusiestSecond  Operations.
 * @param {Record<string, (number | string)[]>} times  Nanoseconds an operation, or the kind of failure, of each round
 *   by queue.
 */
function recommendFor (perBusiestSecond, times) {
  const plan = aPlan({
    settings: { control: { micro: 'node' } },
    end: { rounds: times.node.length },
    queues: Object.keys(times).map(name => ({ name, origin: 'own', meta: {} })),
    scenario: { name: 'trace', values: {} }
  })
  const run = aRun({
    plan,
    samplesOf: ({ queue }) => times[queue].map(resultOf),
    run: { environment: { cores: 2, cpu: 'test', node: 'v20' } }
  })
  return recommend(run, { file: 'x.trace', ...describeTrace(TRACE), perBusiestSecond })
}

/** @param {number | string} time */
function resultOf (time) {
  return typeof time === 'number'
    ? { metrics: { nsPerOp: time } }
    : { metrics: {}, failure: { kind: time, message: 'it died' } }
}

/** @param {ReturnType<typeof recommendFor>} recommendation */
const textOf = recommendation =>
  renderTerminal(recommendationDocument(recommendation), picocolors.createColors(false)).replaceAll(/\s+/g, ' ')

/** @param {{queue: string}[]} ranking */
const namesOf = ranking => ranking.map(({ queue }) => queue)

const SLOW = [100, 101, 99, 102, 98, 100, 101]
const FAST = SLOW.map(ns => ns / 2)
const WILD = [50, 130, 60, 110, 40, 150, 70]

test('a trace is described by what its program did', () => {
  assert.deepEqual(describeTrace(TRACE), {
    operations: 9,
    starts: 4,
    refreshes: 2,
    cancels: 2,
    fires: 1,
    timers: 3,
    seconds: 4,
    perSecond: 9 / 4,
    perBusiestSecond: 5,
    expiringShare: 1 / 6,
    pendingPeak: 2,
    durations: { distinct: 3, shortest: 7, median: 100, longest: 5000 },
    isTruncated: false
  })
})

const LOST = { node: [...SLOW, ...SLOW], other: [...FAST, ...FAST] }
const losing = (/** @type {number[]} */ ...lost) => ({
  ...LOST,
  other: LOST.other.map((ns, i) => (lost.includes(i) ? 'time-limit' : ns))
})
const OFTEN = 1_000_000

/** @type {[string, number, Parameters<typeof recommendFor>[1], string, string | null, string[]][]} */
const ADVICE = [
  ['twice as fast, few operations', 1000, { node: SLOW, other: FAST }, 'keep', null, ['other faster', 'node null']],
  ['twice as fast', OFTEN, { node: SLOW, other: FAST }, 'change', 'other', ['other faster', 'node null']],
  ['wild', OFTEN, { node: SLOW, other: WILD }, 'unclear', 'other', ['other unclear', 'node null']],
  ['hopeless after one heat', OFTEN, { node: [100], list: [469] }, 'keep', null, ['node null', 'list slower']],
  // Three heats alike to 1 %: at most 0.6 % of a core would be saved.
  [
    'alike to 1 %',
    OFTEN,
    { node: [100, 101, 99], other: [100, 100, 99.5] },
    'keep',
    null,
    ['other unclear', 'node null']
  ],
  ['one round', OFTEN, { node: [100], other: [101] }, 'unclear', 'other', ['node null', 'other unclear']],
  ['two rounds', OFTEN, { node: [100, 101], other: [101, 100] }, 'unclear', 'other', ['node null', 'other unclear']],
  ['one round, few operations', 1000, { node: [100], other: [101] }, 'keep', null, ['node null', 'other unclear']],
  ['twice as fast, lost a sample', OFTEN, losing(3), 'unclear', 'other', ['other faster', 'node null']],
  ['twice as fast, lost two samples', OFTEN, losing(3, 8), 'unclear', 'other', ['other faster', 'node null']],
  ['died', OFTEN, { node: SLOW, other: [...FAST.slice(2), 'crash', 'crash'] }, 'keep', null, ['node null']]
]

for (const [what, perBusiestSecond, times, verdict, best, ranking] of ADVICE) {
  test(`a queue that is ${what}: ${verdict}`, () => {
    const made = recommendFor(perBusiestSecond, times)
    const ranked = made.ranking.map(({ queue, change }) => `${queue} ${change}`)
    assert.deepEqual([made.verdict, made.best, ranked], [verdict, best, ranking])
  })
}

test('what is recommended is said, with what it would save', () => {
  const [change, unclear, hopeless] = [
    recommendFor(OFTEN, { node: SLOW, other: FAST }),
    recommendFor(OFTEN, { node: SLOW, other: WILD }),
    recommendFor(1000, { node: SLOW, other: FAST, list: [469] })
  ].map(textOf)
  assert.match(
    change,
    / Change to other\. Compared with node, other: 50 % faster\. In the busiest second, .* node takes 10\.0 % of one core; other would save about 5\.0 %\. /
  )
  assert.match(unclear, /more rounds are needed/)
  assert.match(hopeless, /list .* 4\.[67]\d?x .* slower .*Without an interval: given up after one heat/)
  // 1000 operations a second, each 50 ns shorter.
  assert.ok(Math.abs(recommendFor(1000, { node: SLOW, other: FAST }).ranking[0].saves - 5e-5) < 1e-9)
})

test('shares of a core, savings and the headline agree with each other', () => {
  // The other queue is slower by its median, and faster side by side.
  const recommendation = recommendFor(100_000, {
    node: [100, 300, 110, 320, 105, 310, 108],
    other: [95, 270, 105, 300, 100, 290, 120]
  })
  const [first, second] = recommendation.ranking
  assert.ok(Math.abs(Math.abs(first.coreShare - second.coreShare) - Math.max(first.saves, second.saves)) < 1e-12)
  assert.match(
    textOf(recommendation),
    / Not worth changing: no queue would save 1 % of one core\. /
  )
})

test('a partial ranking says how far it got', () => {
  const { rounds } = recommendFor(1000, {
    node: [...SLOW.slice(0, 2), 'time-limit'],
    other: [...FAST.slice(0, 2), 'time-limit']
  })
  assert.deepEqual(rounds, { taken: 2, planned: 3 })
})

test('a queue that died is named with its reason', () => {
  const { skipped } = recommendFor(OFTEN, { node: SLOW, dying: [...FAST.slice(2), 'crash', 'crash'] })
  assert.deepEqual(skipped.map(({ queue, reason }) => [queue, reason]), [['dying', 'it died']])
})

test('a queue that lost the rounds in which the others were measured is left out', () => {
  const { verdict, ranking, skipped } = recommendFor(1_000_000, {
    node: [100, 101, 'time-limit'],
    other: ['time-limit', 'time-limit', 50]
  })
  assert.equal(verdict, 'keep')
  assert.deepEqual(namesOf(ranking), ['node'])
  assert.deepEqual(
    skipped.map(({ queue, reason }) => [queue, reason]),
    [['other', 'never measured in one heat with node']]
  )
})
