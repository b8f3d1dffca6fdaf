/** The answer of a run in words, with the next command. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { rank } from '../../../harness/judge/rank.js'
import { answerOf, withAnswer } from '../../../reports/answers/run.js'
import { summaryOf } from '../../harness/judge/summary-of-heats.js'

/**
 * @import { Interval } from '../../harness/judge/summary-of-heats.js'
 *
 * @typedef {Record<string, Interval>} Ratios  By queue, to the control.
 *
 * @typedef {Record<string, Ratios>} Places  By scenario and size.
 */

/** @param {Parameters<typeof summaryOf>} run */
function linesOf (...run) {
  const { text, reasons, next } = answerOf(summaryOf(...run))
  return [text, ...reasons, next]
}

const RECORD = 'timerq record -- node app.js   (then timerq recommend: does it pay?)'
const UNTIL = 'timerq run --resume results/now --until 3%'
/** @type {Places} */
const CLEAR = {
  'refresh 100': { wheel: [0.48, 0.5, 0.52], heap: [2, 2.1, 2.2] },
  'start-cancel 100000': { wheel: [0.031, 0.032, 0.034], heap: [0.2, 0.21, 0.22] },
  'keep-alive': { wheel: [0.95, 0.96, 0.97], heap: [1, 1.02, 1.04] }
}
/** @type {Record<'fast' | 'level' | 'open' | 'slow', Interval>} */
const RATIO = { fast: [0.4, 0.5, 0.6], level: [0.98, 1, 1.02], open: [0.5, 0.99, 1.5], slow: [1.9, 2, 2.1] }
/** A cell without a figure. */
const SKIPPED = { scenario: 'refresh', params: { size: 9000 }, runtime: 'v20' }

test('the answer names the queue, its gain and where, with intervals, and the next command', () => {
  assert.deepEqual(linesOf(CLEAR), [
    'Take wheel: the fastest everywhere.',
    'wheel is 31.3 times as fast as lists (29.4 to 32.3, 95 % sure) on start-cancel, 100 000 timers; 2 ' +
      'times as fast (1.92 to 2.08, 95 % sure) on refresh, 100 timers.',
    'keep-alive, 400 connections: 3 % to 5 % less CPU than node.',
    RECORD
  ])
})

/** @type {{what: string, places: Places, options?: object, answer: string | RegExp}[]} */
const ANSWERS = [
  {
    what: 'the worst table of the queue to take',
    places: {
      'refresh 100': { wheel: [0.48, 0.5, 0.52], heap: [0.2, 0.21, 0.22] },
      'bursts 100': { wheel: [0.48, 0.5, 0.52], heap: [2, 2.1, 2.2] }
    },
    answer: 'Take wheel: at worst 2.60 times as slow as the fastest, on refresh, 100 timers.'
  },
  {
    what: 'a queue that may do as well',
    places: {
      'refresh 100': { wheel: [0.1, 0.2, 0.4], lazy: [0.1, 0.3, 0.9] },
      'bursts 100': { wheel: [0.1, 0.2, 0.4], lazy: [0.1, 0.3, 0.9] }
    },
    answer: 'Take wheel (lazy may do as well): at worst 4 times as slow as the fastest, on refresh, 100 timers.'
  },
  {
    what: 'a tie',
    places: {
      'refresh 100': { wheel: [0.15, 0.2, 0.25], lazy: [0.15, 0.204, 0.25] },
      'bursts 100': { wheel: [0.15, 0.2002, 0.25], lazy: [0.15, 0.2, 0.25] }
    },
    answer: 'Take wheel or lazy: a tie, at worst 1.67 times as slow as the fastest.'
  },
  {
    what: 'a queue that is level in the only table',
    places: { 'refresh 10000': { wheel: [0.5, 0.51, 0.52], lazy: [0.51, 0.52, 0.523] } },
    answer: 'Take wheel: the fastest on refresh, 10 000 timers; lazy is level within 5 %.'
  },
  {
    what: 'a queue that may be as fast in the only table',
    places: { 'refresh 10000': { wheel: [0.5, 0.51, 0.9], lazy: [0.6, 0.7, 0.8] } },
    answer: 'Take wheel or lazy: the fastest on refresh, 10 000 timers; more heats would tell which.'
  },
  {
    what: 'queues that are all level',
    places: { 'refresh 10000': { wheel: [0.98, 0.99, 1.01], lazy: RATIO.level } },
    answer: 'All queues are level within 5 % on refresh, 10 000 timers.'
  },
  {
    what: 'an open table',
    places: { 'refresh 10000': { wheel: RATIO.open } },
    answer: 'No queue is shown to be the fastest on refresh, 10 000 timers.'
  },
  {
    what: 'a single heat of one table',
    places: { 'refresh 100': { wheel: [0.08, 0.08, 0.08] } },
    options: { n: 1, coverage: 0 },
    answer: /^No queue is shown to be the fastest/
  },
  {
    what: 'a single heat of several tables',
    places: CLEAR,
    options: { n: 1, coverage: 0 },
    answer: 'Nothing is certain yet: too few heats to show how much heats scatter.'
  },
  {
    what: 'a queue that ran alone',
    places: { 'refresh 100': {} },
    answer: 'lists ran alone on refresh, 100 timers: name another queue to compare it with.'
  },
  { what: 'nothing', places: {}, answer: 'Nothing was measured.' }
]

for (const { what, places, options, answer } of ANSWERS) {
  test(`${what} has an answer`, () => {
    const [text = ''] = linesOf(places, options)
    if (typeof answer === 'string') assert.equal(text, answer)
    else assert.match(text, answer)
  })
}

test('a server that is not told apart from the control says so, and how to tell', () => {
  for (const [wheel, ...lines] of /** @type {[Interval, string, string][]} */ ([
    [[0.99, 1, 1.02], 'level with node (1 % less to 2 % more CPU).', RECORD],
    [[1.02, 1.03, 1.04], '2 % to 4 % more CPU than node.', RECORD],
    [[0.9, 1, 1.1], '10 % less to 10 % more CPU than node, so far.', UNTIL]
  ])) {
    const [server, next] = linesOf({ ...CLEAR, 'keep-alive': { wheel } }).slice(-2)
    assert.deepEqual([server, next], [`keep-alive, 400 connections: ${lines[0]}`, lines[1]])
  }
  assert.deepEqual(linesOf({ 'keep-alive': CLEAR['keep-alive'] }).slice(0, 2), [
    'Take wheel: the fastest on keep-alive, 400 connections.',
    'wheel is 1.04 times as fast as node (1.03 to 1.05, 95 % sure).'
  ])
})

test('losses of the queue to take are told with its gains', () => {
  assert.equal(
    linesOf({ 'refresh 100': { wheel: [0.3, 0.4, 0.5] }, 'start-cancel 1000': { wheel: RATIO.slow } })[1],
    'wheel is 2.50 times as fast as lists (2 to 3.33, 95 % sure) on refresh, 100 timers; but 2 times as slow (1.90 ' +
      'to 2.10, 95 % sure) on start-cancel, 1 000 timers.'
  )
  assert.deepEqual(
    linesOf({ 'refresh 100': { wheel: RATIO.slow }, 'start-cancel 1000': { wheel: RATIO.slow } }).slice(0, 2),
    [
      'Take lists: the fastest everywhere.',
      "lists is the control: it works as Node's timers do."
    ]
  )
})

test("a user's own queue is always mentioned", () => {
  const queues = { mine: { origin: 'user' } }
  const slow = /** @type {Interval} */ ([2.9, 3, 3.1])
  const reasonFor = (/** @type {Places} */ places, more = {}) =>
    linesOf(places, { queues, more }).find((line, i) => i > 0 && line?.startsWith('mine'))
  assert.equal(
    reasonFor({ 'refresh 100': { wheel: [0.5, 0.51, 0.52], mine: slow } }),
    'mine: at worst 6.20 times as slow as the fastest. mine is 3 times as slow as lists (2.90 to 3.10, 95 % sure).'
  )
  assert.equal(
    reasonFor({ 'refresh 100': { mine: slow }, 'bursts 100': { mine: [1.4, 1.5, 1.6] } }),
    'mine: at worst 3.10 times as slow as the fastest, on refresh, 100 timers. mine is 1.50 times as slow as lists ' +
      '(1.40 to 1.60, 95 % sure) on bursts, 100 timers; 3 times as slow (2.90 to 3.10, 95 % sure) on ' +
      'refresh, 100 timers, and slower in 2 tables.'
  )
  const skipped = [{ ...SKIPPED, queue: 'mine', kind: 'time-limit', reason: 'too slow' }]
  assert.match(
    reasonFor({ 'refresh 100': { mine: slow } }, { skipped }) ?? '',
    /95 % sure\)\. No figure on refresh, 9 000 timers: too slow\.$/
  )
  const unmeasured = { queues: [{ name: 'mine', origin: 'user' }], skipped }
  assert.equal(reasonFor({ 'refresh 100': { wheel: RATIO.fast } }, unmeasured), 'mine was not measured: too slow.')
  assert.match(linesOf({ 'refresh 100': { mine: RATIO.fast } }, { queues })[0] ?? '', /^Take mine: the fastest/)
})

test('a queue that breaks the contract or fires late comes with a caution', () => {
  const caution = (/** @type {object} */ wheel) =>
    linesOf({ 'refresh 100': { wheel: RATIO.fast } }, { queues: { wheel } })[1]
  assert.equal(caution({ breaks: ['fires early'] }), 'But wheel breaks the contract: timerq check shows how.')
  assert.equal(
    caution({ meta: { accuracy: { relative: 0.125 } } }),
    'But wheel is not exact: timers may fire 12.5 % of their duration late.'
  )
})

test('the next command repeats what a resumed run needs again, and asks for more precision than before', () => {
  const nextOf = (/** @type {Interval} */ wheel, /** @type {object} */ options, /** @type {string[]} */ again) =>
    answerOf(summaryOf({ 'refresh 100': { wheel } }, options), again).next
  assert.equal(
    nextOf(RATIO.open, {}, ['--queue', './my queue.js', '--runtime', '24']),
    `${UNTIL} --queue './my queue.js' --runtime 24`
  )
  assert.match(nextOf(RATIO.open, { settings: { until: 0.02 } }, []) ?? '', /--until 1%$/)
  assert.match(nextOf(RATIO.open, { settings: { until: 0.14 } }, []) ?? '', /--until 7%$/)
  assert.equal(
    nextOf(RATIO.fast, { settings: { trace: 'app.trace' } }, []),
    'timerq recommend --trace app.trace'
  )
  const skipped = [{ ...SKIPPED, queue: 'wheel', kind: 'out-of-time', reason: '' }]
  assert.equal(linesOf(CLEAR, { more: { skipped } }).at(-1), UNTIL, 'there was no time for all of its cells')
})

test('programs get the seconds that were measured, and about those that the next command needs', () => {
  const answerTo = (/** @type {Interval} */ wheel, /** @type {object} */ changes = {}, n = 8) =>
    withAnswer({ ...summaryOf({ 'refresh 100': { wheel } }, { n }), seconds: 10, ...changes }).answer
  const { seconds, next } = answerTo([0.94, 1, 1.06])
  assert.deepEqual([seconds, next], [10, { command: UNTIL, seconds: 36 }], 'an interval 2.1 times as wide as 3 %')
  assert.equal(answerTo(RATIO.open).next?.seconds, 600, 'at most ten minutes')
  assert.equal(answerTo([0.9, 0.9, 0.9], {}, 1).next?.seconds, 600, 'one heat tells nothing about precision')
  assert.deepEqual(answerTo([0.5, 0.51, 0.52]).next, { command: RECORD, seconds: null })
  const best = { queue: 'wheel', saves: 0.5, low: 0, high: 1, n: 12, coverage: 0.95 }
  const worth = { verdict: 'unclear', best, savings: [best], worthwhile: 0.25, control: 'node' }
  const tried = answerTo(RATIO.open, { worth, settings: { program: { command: ['node', 'a.js'] } } })
  assert.match(tried.next?.command ?? '', /^timerq try --resume .*--budget 10m/)
  assert.equal(tried.next?.seconds, 30, 'an interval twice as wide as the distance from the limit')
})

test('a time of 0 is compared like any other', () => {
  const summary = summaryOf({ 'refresh 100': { wheel: [1, 1, 1] }, 'bursts 100': { wheel: [1, 1, 1] } })
  const answerWith = (/** @type {Record<string, number>} */ medians) => {
    const cells = summary.cells.map(cell => {
      const median = medians[cell.queue]
      const nsPerOp = { ...cell.metrics.nsPerOp, median, low: median, high: median, ratio: undefined }
      return { ...cell, metrics: { nsPerOp } }
    })
    return answerOf({ ...summary, cells, ranking: rank({ ...summary, cells }) }).text
  }
  assert.equal(answerWith({ lists: 0, wheel: 0 }), 'Take lists or wheel: a tie, the fastest everywhere.')
  assert.equal(answerWith({ lists: 0, wheel: 2 }), 'Take lists: the fastest everywhere.')
  assert.equal(answerWith({ lists: 2, wheel: 0 }), 'Take wheel: the fastest everywhere.')
})

/**
 * A run of tasks: by group, the ratios of the others to the task `lists`.
 *
 * @param {Places} groups
 * @param {object} [scenario]
 */
function tasksOf (groups, scenario = { benchmark: { format: 'tinybench', group: '' } }) {
  const heats = summaryOf(Object.fromEntries(Object.entries(groups).map(([name, ratios]) => [`${name} 1`, ratios])))
  const scenarios = heats.scenarios.map(({ name }) => ({
    name,
    kind: 'code',
    title: '',
    control: 'lists',
    ...scenario
  }))
  const cells = heats.cells.map(cell => ({ ...cell, params: {} }))
  const summary = /** @type {any} */ ({ ...heats, scenarios, cells })
  return answerOf({ ...summary, ranking: rank(summary) })
}

test('of tasks and of alternatives, the answer names the fastest, by how much, and the control', () => {
  const marked = { benchmark: { format: 'mitata', group: '', baseline: 'lists' } }
  const slower = 'lists is 2 times as fast as parse (1.90 to 2.10, 95 % sure)'
  const faster = 'parse is 2 times as fast as lists (1.67 to 2.50, 95 % sure)'
  for (const [scenario, parse, ...lines] of /** @type {[object | undefined, Interval, string, string][]} */ ([
    [undefined, RATIO.slow, 'lists is the fastest on sums.', `${slower}. Ratios are to lists, the first task.`],
    [marked, RATIO.fast, 'parse is the fastest on sums.', `${faster}. Ratios are to lists, the marked baseline.`],
    [{}, RATIO.fast, 'parse is the fastest on sums.', `${faster}. Ratios are to lists, the control.`],
    [undefined, RATIO.level, 'All tasks are level within 5 % on sums.', 'Ratios are to lists, the first task.'],
    [{}, RATIO.open, 'No alternative is shown to be the fastest on sums.', 'Ratios are to lists, the control.']
  ])) {
    const { text, reasons } = tasksOf({ sums: { parse } }, scenario)
    assert.equal(text, lines[0])
    assert.ok(reasons[0].endsWith(lines[1]), reasons[0])
  }
  assert.equal(
    tasksOf({ sums: {} }).text,
    'sums has nothing to be compared with: give it another task, or compare a change with timerq gate.'
  )
})

test('over groups of the same tasks, one answer holds', () => {
  assert.equal(
    tasksOf({ a: { ours: RATIO.fast }, b: { ours: RATIO.slow } }).text,
    'Over all tables, ours or lists is closest to the fastest: a tie, at worst 2.50 times as slow as the fastest.'
  )
  const { text, reasons } = tasksOf({ a: { ours: RATIO.fast }, b: { ours: RATIO.fast } })
  assert.equal(text, 'Over all tables, ours is closest to the fastest: the fastest everywhere.')
  assert.match(
    reasons.join(),
    /^ours is 2 times as fast as lists \(.*\) on [ab]; 2 times as fast \(.*\) on [ab]\.$/
  )
})

test('each group of different tasks has its own answer', () => {
  const groups = Object.fromEntries([...'abcdefg'].map(name => [name, { [`${name}1`]: RATIO.slow }]))
  const { text, reasons, next } = tasksOf({ ...groups, a: { a1: RATIO.fast, a2: [0.45, 0.6, 0.7] } })
  assert.equal(text, 'Each of 7 tables has its own answer.')
  assert.deepEqual(
    [reasons.length, reasons[0], reasons[1], reasons[5], next],
    [
      6,
      'a1 or a2 is the fastest on a; more heats would tell which. ' +
        'a1 is 2 times as fast as lists (1.67 to 2.50, 95 % sure).',
      'lists is the fastest on b. lists is 2 times as fast as b1 (1.90 to 2.10, 95 % sure).',
      'The tables show 2 more.',
      UNTIL
    ]
  )
})
