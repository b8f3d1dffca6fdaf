/** The answer of a run in words, with the next command. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { rank } from '../../../harness/judge/rank.js'
import { answerOf, withAnswer } from '../../../reports/answers/run.js'
import { summaryOf } from '../../harness/judge/summary-of-heats.js'

/** @import { Interval } from '../../harness/judge/summary-of-heats.js' */

/** @param {Parameters<typeof summaryOf>} run */
function linesOf (...run) {
  const { text, reasons, next } = answerOf(summaryOf(...run))
  return [text, ...reasons, next]
}

const RECORD = 'timerq record -- node app.js   (then timerq recommend: does it pay?)'
const UNTIL = 'timerq run --resume results/now --until 3%'
/** @type {Record<string, Record<string, Interval>>} */
const CLEAR = {
  'refresh 100': { wheel: [0.48, 0.5, 0.52], heap: [2, 2.1, 2.2] },
  'start-cancel 100000': { wheel: [0.031, 0.032, 0.034], heap: [0.2, 0.21, 0.22] },
  'keep-alive': { wheel: [0.95, 0.96, 0.97], heap: [1, 1.02, 1.04] }
}

test('the answer names the queue, its gain and where, with intervals, and the next command', () => {
  assert.deepEqual(linesOf(CLEAR), [
    'Take wheel: the fastest everywhere.',
    'wheel is 31.3 times as fast as lists (29.4 to 32.3, 95 % sure) on start-cancel, 100 000 timers; at least 2 times as fast (1.92 to 2.08, 95 % sure) on refresh, 100 timers.',
    'keep-alive, 400 connections: 3 % to 5 % less CPU than node.',
    RECORD
  ])
})

test('the worst table of the queue to take is named, and so are ties and queues that may do as well', () => {
  const textOf = (/** @type {Record<string, Record<string, Interval>>} */ places) => linesOf(places)[0]
  assert.equal(
    textOf({
      'refresh 100': { wheel: [0.48, 0.5, 0.52], heap: [0.2, 0.21, 0.22] },
      'bursts 100': { wheel: [0.48, 0.5, 0.52], heap: [2, 2.1, 2.2] }
    }),
    'Take wheel: at worst 2.38 times as slow as the fastest, on refresh, 100 timers.'
  )
  const wide = /** @type {Record<string, Interval>} */ ({ wheel: [0.1, 0.2, 0.4], lazy: [0.1, 0.3, 0.9] })
  assert.equal(
    textOf({ 'refresh 100': wide, 'bursts 100': wide }),
    'Take wheel (lazy may do as well): the fastest everywhere.'
  )
  const tie = (/** @type {number} */ far) =>
    textOf({
      'refresh 100': { wheel: [0.15, 0.2, 0.25], lazy: [0.15, 0.2 * far, 0.25] },
      'bursts 100': { wheel: [0.15, 0.2 * 1.001, 0.25], lazy: [0.15, 0.2, 0.25] }
    })
  assert.match(tie(1.02), /^Take wheel or lazy: a tie, at worst 2 % slower than the fastest\.$/)
})

test('in one table, the fastest is named with queues that are level, or may be as fast', () => {
  const at = (/** @type {Record<string, Interval>} */ ratios) => linesOf({ 'refresh 10000': ratios })[0]
  assert.equal(
    at({ wheel: [0.5, 0.51, 0.52], lazy: [0.51, 0.52, 0.523] }),
    'Take wheel: the fastest on refresh, 10 000 timers; lazy is level within 5 %.'
  )
  assert.equal(
    at({ wheel: [0.5, 0.51, 0.9], lazy: [0.6, 0.7, 0.8] }),
    'Take wheel: the fastest on refresh, 10 000 timers; lazy may be as fast.'
  )
  assert.equal(
    at({ wheel: [0.98, 0.99, 1.01], lazy: [0.98, 1, 1.02] }),
    'All queues are level within 5 % on refresh, 10 000 timers.'
  )
  assert.equal(at({ wheel: [0.5, 0.99, 1.5] }), 'No queue is shown to be the fastest on refresh, 10 000 timers.')
  assert.deepEqual(linesOf({ 'keep-alive': CLEAR['keep-alive'] }).slice(0, 2), [
    'Take wheel: the fastest on keep-alive, 400 connections.',
    'wheel is 1.04 times as fast as node (1.03 to 1.05, 95 % sure).'
  ])
})

test('one heat shows nothing', () => {
  const textOf = (/** @type {Record<string, Record<string, Interval>>} */ places) =>
    linesOf(places, { n: 1, coverage: 0 })[0]
  assert.match(textOf({ 'refresh 100': { wheel: [0.08, 0.08, 0.08] } }), /^No queue is shown to be the fastest/)
  assert.equal(textOf(CLEAR), 'Nothing is certain yet: too few heats to show how much heats scatter.')
})

test('a server that is not told apart from the control says so, and how to tell', () => {
  const serverWith = (/** @type {Interval} */ wheel) => linesOf({ ...CLEAR, 'keep-alive': { wheel } }).slice(-2)
  assert.deepEqual(serverWith([0.99, 1, 1.02]), [
    'keep-alive, 400 connections: level with node (1 % less to 2 % more CPU).',
    RECORD
  ])
  assert.deepEqual(serverWith([1.02, 1.03, 1.04]), [
    'keep-alive, 400 connections: 2 % to 4 % more CPU than node.',
    RECORD
  ])
  assert.deepEqual(serverWith([0.9, 1, 1.1]), [
    'keep-alive, 400 connections: 10 % less to 10 % more CPU than node, so far.',
    UNTIL
  ])
})

test('losses of the queue to take are named beside its gains', () => {
  const places = /** @type {Record<string, Record<string, Interval>>} */ ({
    'refresh 100': { wheel: [0.3, 0.4, 0.5] },
    'start-cancel 1000': { wheel: [1.9, 2, 2.1] }
  })
  assert.match(
    linesOf(places)[1],
    /^wheel is 2\.50 times as fast as lists \(2 to 3\.33, 95 % sure\) on refresh, 100 timers; but 2 times as slow \(1\.90 to 2\.10, 95 % sure\) on start-cancel, 1 000 timers\.$/
  )
  const slower = { wheel: /** @type {Interval} */ ([2, 2.1, 2.2]) }
  assert.deepEqual(linesOf({ 'refresh 100': slower, 'start-cancel 1000': slower }).slice(0, 2), [
    'Take lists: the fastest everywhere.',
    "lists is the control, and works as Node's timers do: no change would gain anything here."
  ])
})

test("a user's own queue is always mentioned", () => {
  const queues = { mine: { origin: 'user' } }
  const slow = /** @type {Interval} */ ([2.9, 3, 3.1])
  const reasonsFor = (/** @type {Record<string, Record<string, Interval>>} */ places, more = {}) =>
    linesOf(places, { queues, more })
      .slice(1, -1)
      .filter(line => line?.startsWith('mine'))
  assert.deepEqual(reasonsFor({ 'refresh 100': { wheel: [0.5, 0.51, 0.52], mine: slow } }), [
    'mine: at worst 5.88 times as slow as the fastest; 3x (2.90–3.10) the time of lists.'
  ])
  assert.deepEqual(reasonsFor({ 'refresh 100': { mine: slow }, 'bursts 100': { mine: [1.4, 1.5, 1.6] } }), [
    'mine: at worst 3 times as slow as the fastest, on refresh, 100 timers; 1.50x (1.40–1.60) to 3x (2.90–3.10) the time of lists.'
  ])
  const failed = summaryOf(
    { 'refresh 100': { wheel: [0.5, 0.51, 0.52] } },
    { more: { queues: [{ name: 'mine', origin: 'user' }], skipped: [{ queue: 'mine', reason: 'it crashed' }] } }
  )
  assert.deepEqual(answerOf(failed).reasons.at(-1), 'mine was not measured: it crashed.')
  assert.match(linesOf({ 'refresh 100': { mine: [0.4, 0.5, 0.6] } }, { queues })[0], /^Take mine: the fastest/)
  const skipped = [
    {
      scenario: 'refresh',
      params: { size: 9000 },
      queue: 'mine',
      runtime: 'v20',
      kind: 'time-limit',
      reason: 'too slow'
    }
  ]
  assert.match(
    reasonsFor({ 'refresh 100': { mine: slow } }, { skipped })[0],
    /the time of lists\. No figure on refresh, 9 000 timers: too slow\.$/
  )
})

test('a queue that breaks the contract or fires late comes with a caution', () => {
  const caution = (/** @type {object} */ wheel) =>
    linesOf({ 'refresh 100': { wheel: [0.4, 0.5, 0.6] } }, { queues: { wheel } })[1]
  assert.equal(caution({ breaks: ['fires early'] }), 'But wheel breaks the contract: timerq check shows how.')
  assert.equal(
    caution({ meta: { accuracy: { relative: 0.125 } } }),
    'But wheel is not exact: timers may fire 12.5 % of their duration late.'
  )
})

test('the next command repeats what a resumed run needs again, and asks for more precision than before', () => {
  const open = { 'refresh 100': { wheel: /** @type {Interval} */ ([0.5, 0.99, 1.5]) } }
  assert.equal(
    answerOf(summaryOf(open), ['--queue', './my queue.js', '--runtime', '24']).next,
    "timerq run --resume results/now --until 3% --queue './my queue.js' --runtime 24"
  )
  assert.equal(linesOf(open, { settings: { until: 0.02 } }).at(-1), 'timerq run --resume results/now --until 1%')
  assert.match(linesOf(open, { settings: { until: 0.14 } }).at(-1) ?? '', /--until 7%$/)
  assert.equal(
    linesOf({ 'refresh 100': { wheel: [0.5, 0.51, 0.52] } }, { settings: { trace: 'app.trace' } }).at(-1),
    'timerq recommend --trace app.trace'
  )
})

test('programs get the seconds that were measured, and about those that the next command needs', () => {
  const answerTo = (/** @type {Interval} */ wheel, /** @type {object} */ changes = {}) =>
    withAnswer({ ...summaryOf({ 'refresh 100': { wheel } }), seconds: 10, ...changes }).answer
  const open = answerTo([0.94, 1, 1.06])
  assert.deepEqual(
    [open.seconds, open.next],
    [10, { command: UNTIL, seconds: 36 }],
    'an interval 2.1 times as wide as 3 %'
  )
  assert.equal(answerTo([0.5, 0.99, 1.5]).next?.seconds, 600, 'at most ten minutes')
  const alone = summaryOf({ 'refresh 100': { wheel: [0.9, 0.9, 0.9] } }, { n: 1 })
  assert.equal(
    withAnswer({ ...alone, seconds: 10 }).answer.next?.seconds,
    600,
    'one heat tells nothing about precision'
  )
  assert.deepEqual(answerTo([0.5, 0.51, 0.52]).next, { command: RECORD, seconds: null })
  const { settings } = summaryOf({ 'refresh 100': { wheel: [1, 1, 1] } })
  const best = { queue: 'wheel', saves: 0.5, low: 0, high: 1, n: 12, coverage: 0.95 }
  const worth = {
    verdict: 'unclear',
    best,
    savings: [best],
    worthwhile: 0.25,
    metric: 'cpuMicrosPerRequest',
    control: 'node'
  }
  const { next } = answerTo([0.94, 1, 1.06], {
    worth,
    settings: { ...settings, program: { command: ['node', 'a.js'] } }
  })
  assert.match(next?.command ?? '', /^timerq try --resume .*--budget 10m/)
  assert.equal(next?.seconds, 30, 'an interval twice as wide as the distance from the limit')
})

test('a run without time for all of its cells is continued next', () => {
  const skipped = [
    { scenario: 'refresh', params: { size: 9000 }, queue: 'wheel', runtime: 'v20', kind: 'out-of-time', reason: '' }
  ]
  assert.deepEqual([linesOf(CLEAR).at(-1), linesOf(CLEAR, { more: { skipped } }).at(-1)], [RECORD, UNTIL])
})

test('a time of 0 is compared like any other', () => {
  const summary = summaryOf({ 'refresh 100': { wheel: [1, 1, 1] }, 'bursts 100': { wheel: [1, 1, 1] } })
  const answerWith = (/** @type {Record<string, number>} */ medians) => {
    const cells = summary.cells.map(cell => ({
      ...cell,
      metrics: {
        nsPerOp: {
          ...cell.metrics.nsPerOp,
          median: medians[cell.queue],
          low: medians[cell.queue],
          high: medians[cell.queue],
          ratio: undefined
        }
      }
    }))
    return answerOf({ ...summary, cells, ranking: rank({ ...summary, cells }) }).text
  }
  assert.equal(answerWith({ lists: 0, wheel: 0 }), 'Take lists or wheel: a tie, the fastest everywhere.')
  assert.equal(answerWith({ lists: 0, wheel: 2 }), 'Take lists: the fastest everywhere.')
  assert.equal(answerWith({ lists: 2, wheel: 0 }), 'Take wheel: the fastest everywhere.')
})

test('a queue that ran alone has nothing to be compared with, and nothing measured has no answer', () => {
  assert.equal(
    linesOf({ 'refresh 100': {} })[0],
    'lists ran alone on refresh, 100 timers: name another queue to compare it with.'
  )
  assert.equal(linesOf({})[0], 'Nothing was measured.')
})

/**
 * A run of tasks: by group, the ratios of the others to the task `lists`.
 *
 * @param {Record<string, Record<string, Interval>>} groups
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

test('of tasks, the answer names the fastest, by how much, and the control', () => {
  const slower = { parse: /** @type {Interval} */ ([1.9, 2, 2.1]) }
  assert.deepEqual(tasksOf({ sums: slower }), {
    kind: 'answer',
    text: 'lists is the fastest on sums.',
    reasons: ['lists is 2 times as fast as parse (1.90 to 2.10, 95 % sure). Ratios are to lists, the first task.'],
    next: undefined
  })
  const faster = { parse: /** @type {Interval} */ ([0.4, 0.5, 0.6]) }
  const marked = { benchmark: { format: 'mitata', group: '', baseline: 'lists' } }
  assert.deepEqual(tasksOf({ sums: faster }, marked).reasons, [
    'parse is 2 times as fast as lists (1.67 to 2.50, 95 % sure). Ratios are to lists, the marked baseline.'
  ])
  const level = { parse: /** @type {Interval} */ ([0.98, 1, 1.02]) }
  assert.deepEqual(tasksOf({ sums: level }).text, 'All tasks are level within 5 % on sums.')
  assert.deepEqual(tasksOf({ sums: level }).reasons, ['Ratios are to lists, the first task.'])
  assert.equal(tasksOf({ sums: { parse: [0.5, 0.99, 1.5] } }).text, 'No task is shown to be the fastest on sums.')
  assert.equal(
    tasksOf({ sums: {} }).text,
    'sums has one task: give it another, or compare a change of it with timerq gate.'
  )
})

test('the same is said of alternatives, whose file names the control', () => {
  const { text, reasons } = tasksOf({ sums: { parse: [0.4, 0.5, 0.6] } }, {})
  assert.deepEqual(
    [text, ...reasons],
    [
      'parse is the fastest on sums.',
      'parse is 2 times as fast as lists (1.67 to 2.50, 95 % sure). Ratios are to lists, the control.'
    ]
  )
  assert.equal(
    tasksOf({ sums: { parse: [0.5, 0.99, 1.5] } }, {}).text,
    'No alternative is shown to be the fastest on sums.'
  )
})

test('over groups of the same tasks, one answer holds', () => {
  const faster = /** @type {Interval} */ ([0.4, 0.5, 0.6])
  assert.equal(
    tasksOf({ a: { ours: faster }, b: { ours: [1.9, 2, 2.1] } }).text,
    'Over all tables, ours or lists is closest to the fastest: a tie, at worst 2 times as slow as the fastest.'
  )
  const { text, reasons } = tasksOf({ a: { ours: faster }, b: { ours: faster } })
  assert.equal(text, 'Over all tables, ours is closest to the fastest: the fastest everywhere.')
  assert.match(
    reasons.join(),
    /^ours is 2 times as fast as lists \(1\.67 to 2\.50, 95 % sure\) on [ab]; at least 2 times as fast \(.*\) on [ab]\.$/
  )
})

test('groups of different tasks have each an answer of its own', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const groups = Object.fromEntries(
    names.map(name => [name, { [`${name}1`]: /** @type {Interval} */ ([1.9, 2, 2.1]) }])
  )
  const { text, reasons, next } = tasksOf({ ...groups, a: { a1: [0.4, 0.5, 0.6], a2: [0.45, 0.6, 0.7] } })
  assert.equal(text, 'Each of 7 tables has an answer of its own.')
  assert.deepEqual(
    [reasons.length, reasons[0], reasons[1], reasons[5], next],
    [
      6,
      'a1 is the fastest on a; a2 may be as fast. a1 is 2 times as fast as lists (1.67 to 2.50, 95 % sure).',
      'lists is the fastest on b. lists is 2 times as fast as b1 (1.90 to 2.10, 95 % sure).',
      'The tables show 2 more.',
      UNTIL
    ]
  )
})
