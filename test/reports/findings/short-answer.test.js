import { test } from 'node:test'
import assert from 'node:assert/strict'
import { contestsOf, shortAnswer } from '../../../reports/findings/index.js'
import { wrap } from '../../../reports/wrap.js'

/** @typedef {[low: number, median: number, high: number]} Interval */

/**
 * A run in heats: by scenario (and size, where there is one), the ratios of the queues to their control.
 *
 * @param {Record<string, Record<string, Interval>>} places  Scenario and size: `refresh 100`; or a server: `keep-alive`.
 * @param {{n?: number, settings?: object, queues?: Record<string, object>, command?: string[]}} [more]
 */
function summaryOf (places, { n = 8, settings = {}, queues = {}, command = ['timerq', 'run'] } = {}) {
  const kindOf = (/** @type {string} */ place) => place.includes(' ') ? 'micro' : 'http'
  const cells = Object.entries(places).flatMap(([place, ratios]) => {
    const [scenario, size] = place.split(' ')
    const isMicro = kindOf(place) === 'micro'
    const [control, metric] = isMicro ? ['lists', 'nsPerOp'] : ['node', 'cpuMicrosPerRequest']
    const figures = { unit: isMicro ? 'ns' : 'µs', better: 'lower', median: 100, low: 90, high: 110, n, coverage: 0.95 }
    const cellOf = (/** @type {string} */ queue, /** @type {object} */ ratio) =>
      ({ scenario, params: isMicro ? { size: Number(size) } : { connections: 400, seconds: 1 }, queue, runtime: 'v20', metrics: { [metric]: { ...figures, ...ratio } }, warnings: [] })
    return [cellOf(control, {}), ...Object.entries(ratios).map(([queue, [low, median, high]]) =>
      cellOf(queue, { ratio: { to: control, by: 'heat', median, low, high, n, coverage: 0.95 } }))]
  })
  const names = [...new Set(cells.map(({ queue }) => queue))]
  return /** @type {any} */ ({
    run: 'results/now',
    command,
    settings: { control: { micro: 'lists', http: 'node' }, budgetSeconds: null, rounds: n, ...settings },
    scenarios: [...new Set(Object.keys(places).map(place => place.split(' ')[0]))].map(name =>
      ({ name, title: '', kind: kindOf(Object.keys(places).find(place => place.startsWith(name)) ?? '') })),
    queues: names.map(name => ({ name, origin: 'own', ...queues[name] })),
    cells,
    growth: [],
    skipped: []
  })
}

/**
 * @param {any} summary
 * @param {number[]} [ratios]  Of heats.
 */
function answerOf (summary, ratios = []) {
  const { text, reasons, next } = shortAnswer(summary, contestsOf(summary), () => ratios)
  const lines = [...wrap(text), ...reasons.flatMap(wrap), `Next: ${next}`]
  assert.ok(lines.length <= 5, lines.join('\n'))
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

test('the answer names the queue, what it gains where, how sure that is, and what to do next', () => {
  assert.deepEqual(answerOf(summaryOf(CLEAR)), [
    'Take wheel: the fastest everywhere.',
    'wheel is 31 times as fast as lists (29 to 32, 95 % sure) on start-cancel, 100 000 timers; 2.0 times or more elsewhere.',
    'keep-alive, 400 connections: 3 % to 5 % less CPU than node.',
    RECORD
  ])
})

test('an interval whose ends would look alike has a digit more', () => {
  const gainOf = (/** @type {Interval} */ lazy) => answerOf(summaryOf({ 'refresh 100': { wheel: lazy } }))[1]
  assert.match(gainOf([0.0806, 0.0813, 0.082]), /^wheel is 12\.3 times as fast as lists \(12\.2 to 12\.4, 95 % sure\)/)
  assert.match(answerOf(summaryOf({ 'refresh 100': { wheel: [0.0813, 0.0813, 0.0813] } }, { n: 1 }))[1], /^wheel is 12 times as fast as lists \(one heat: uncertain\)/)
  assert.match(gainOf([0.249, 0.25, 0.251]), /^wheel is 4\.00 times as fast as lists \(3\.98 to 4\.02, 95 % sure\)/)
})

test('how heats scatter is drawn where three or more are there, as far as there is room', () => {
  const [, gain] = answerOf(summaryOf({ 'refresh 100': { wheel: [0.3, 0.32, 0.34] } }), [0.34, 0.3, 0.32, 0.32])
  assert.equal(gain, 'wheel is 3.1 times as fast as lists (2.9 to 3.3, 95 % sure); 4 heats: 2.9 ·────:─────· 3.3.')
  assert.doesNotMatch(answerOf(summaryOf({ 'refresh 100': { wheel: [0.3, 0.32, 0.34] } }), [0.34, 0.3])[1], /heats/)
  const long = { 'refresh-one-duration 10000': { 'hierarchical-wheel': CLEAR['refresh 100'].wheel }, 'start-cancel 100000': { 'hierarchical-wheel': CLEAR['refresh 100'].wheel } }
  assert.doesNotMatch(answerOf(summaryOf({ ...long, 'keep-alive': { 'hierarchical-wheel': [0.8, 1, 1.2] } }), [0.4, 0.5, 0.6])[1], /heats/)
})

test('queues that are as close to the fastest are called a tie, and named together', () => {
  const tie = { 'refresh 100': { wheel: [0.15, 0.2, 0.25], lazy: [0.15, 0.202, 0.25] }, 'bursts 100': { wheel: [0.15, 0.204, 0.25], lazy: [0.15, 0.2, 0.25] } }
  const [text, , next] = answerOf(summaryOf(/** @type {any} */ (tie)))
  assert.match(text, /^Take lazy or wheel: a tie, at worst 1\.01 and 1\.02 times as slow as the fastest\.$/)
  assert.equal(next, UNTIL)
})

test('a queue that is slower only behind the digits that are shown is not called "1 times as slow"', () => {
  const answerAt = (/** @type {number} */ far) => answerOf(summaryOf({ 'refresh 100': { wheel: [0.15, 0.2, 0.25], lazy: [0.15, 0.2 * far, 0.25] }, 'bursts 100': { wheel: [0.15, 0.2 * 1.004, 0.25], lazy: [0.15, 0.2, 0.25] } }))[0]
  assert.equal(answerAt(1.004), 'Take wheel or lazy: a tie, at worst less than 1 % slower than the fastest.')
  assert.equal(answerAt(1.02), 'Take wheel or lazy: a tie, at worst up to 1.02 times as slow as the fastest.')
})

test('a queue that is further from the fastest, but not shown to be, may do as well', () => {
  const [text] = answerOf(summaryOf({ 'refresh 100': { wheel: [0.1, 0.2, 0.4], lazy: [0.1, 0.3, 0.9] }, 'bursts 100': { wheel: [0.1, 0.2, 0.4], lazy: [0.1, 0.3, 0.9] } }))
  assert.equal(text, 'Take wheel (lazy may do as well): the fastest everywhere.')
})

test('at one place, the fastest is named with those that are level, or that may be as fast', () => {
  const at = (/** @type {Record<string, Interval>} */ ratios) => answerOf(summaryOf({ 'refresh 10000': ratios }))[0]
  assert.equal(at({ wheel: [0.5, 0.51, 0.52], lazy: [0.51, 0.52, 0.523] }), 'wheel is the fastest on refresh, 10 000 timers; lazy is level within 5 %.')
  assert.equal(at({ wheel: [0.5, 0.51, 0.9], lazy: [0.6, 0.7, 0.8] }), 'wheel is the fastest on refresh, 10 000 timers; lazy may be as fast.')
  assert.equal(at({ wheel: [0.98, 0.99, 1.01], lazy: [0.98, 1, 1.02] }), 'All queues are level within 5 % on refresh, 10 000 timers.')
  assert.equal(at({ wheel: [0.5, 0.99, 1.5] }), 'No queue is shown to be the fastest on refresh, 10 000 timers.')
})

test('a server alone is answered by its CPU time', () => {
  assert.deepEqual(answerOf(summaryOf({ 'keep-alive': CLEAR['keep-alive'] })).slice(0, 2),
    ['wheel is the fastest on keep-alive, 400 connections.', 'wheel is 1.04 times as fast as node (1.03 to 1.05, 95 % sure).'])
})

test('where the server is not told apart from the control, the answer says so, and how to tell', () => {
  const serverWith = (/** @type {Interval} */ wheel, n = 8) => answerOf(summaryOf({ ...CLEAR, 'keep-alive': { wheel } }, { n })).slice(-2)
  assert.deepEqual(serverWith([0.99, 1, 1.02]), ['keep-alive, 400 connections: level with node (1 % less to 2 % more CPU).', RECORD])
  assert.deepEqual(serverWith([1.02, 1.03, 1.04]), ['keep-alive, 400 connections: 2 % to 4 % more CPU than node.', RECORD])
  assert.deepEqual(serverWith([0.9, 1, 1.1]), ['keep-alive, 400 connections: 10 % less to 10 % more CPU than node, so far.', UNTIL])
  assert.deepEqual(serverWith([1, 1, 1], 1), ['keep-alive, 400 connections: one heat says nothing certain.', UNTIL])
})

test('one heat tells nothing, and the answer says so', () => {
  assert.equal(answerOf(summaryOf(CLEAR, { n: 1 }))[0], 'Nothing is certain yet: one heat does not show how much heats scatter.')
})

test('a queue that loses somewhere is not praised alone', () => {
  const [, gain] = answerOf(summaryOf({ 'refresh 100': { wheel: [0.4, 0.5, 0.6] }, 'start-cancel 1000': { wheel: [1.9, 2, 2.1] } }))
  assert.match(gain, /^wheel is 2\.0 times as fast as lists \(1\.67 to 2\.5, 95 % sure\) on refresh, 100 timers; but 2\.0 times as slow on start-cancel, 1 000 timers\.$/)
})

test('where the control is the best, no change would gain anything', () => {
  const best = { 'refresh 100': CLEAR['refresh 100'], 'start-cancel 1000': CLEAR['refresh 100'] }
  const slower = Object.fromEntries(Object.keys(best).map(place => [place, { wheel: /** @type {Interval} */ ([2, 2.1, 2.2]) }]))
  assert.deepEqual(answerOf(summaryOf(slower)).slice(0, 2),
    ['Take lists: the fastest everywhere.', 'It is the control, which does as Node does: no change would gain anything here.'])
})

test('a queue that breaks the contract or fires late is not recommended without a word', () => {
  const caution = (/** @type {object} */ wheel) => answerOf(summaryOf({ 'refresh 100': { wheel: [0.4, 0.5, 0.6] } }, { queues: { wheel } }))[1]
  assert.equal(caution({ breaks: ['fires early'] }), 'But wheel breaks the contract: timerq check shows how.')
  assert.equal(caution({ meta: { accuracy: { relative: 0.125 } } }), 'But wheel is not exact: timers may fire 12.5 % of their duration late.')
})

test('the next command names again what a continued run must name, and asks for more than before', () => {
  const nextOf = (/** @type {object} */ more) => answerOf(summaryOf({ 'refresh 100': { wheel: [0.5, 0.99, 1.5] } }, more)).at(-1)
  const command = ['timerq', 'run', '--queue', './my queue.js', '--rounds', '8', '--runtime', '24']
  assert.equal(nextOf({ command, queues: { wheel: { origin: 'user' } } }), "timerq run --resume results/now --queue './my queue.js' --runtime 24 --until 3%")
  const loaded = ['timerq', 'run', '--listen=10.0.0.1', '--queue=./a.js', '--load-command', 'ssh b wrk {url}', '--size', '10']
  assert.equal(nextOf({ command: loaded }), "timerq run --resume results/now --listen=10.0.0.1 --load-command 'ssh b wrk {url}' --until 3%")
  assert.equal(nextOf({ settings: { until: 0.02 } }), 'timerq run --resume results/now --until 1%')
  const trace = summaryOf({ 'refresh 100': { wheel: [0.5, 0.51, 0.52] } }, { settings: { trace: 'app.trace' } })
  assert.equal(answerOf(trace).at(-1), 'timerq recommend --trace app.trace')
})

test('a queue that ran alone has nothing to be compared with, and nothing measured has no answer', () => {
  assert.equal(answerOf(summaryOf({ 'refresh 100': {} }))[0], 'lists ran alone on refresh, 100 timers: name another queue to compare it with.')
  assert.equal(answerOf(summaryOf({}))[0], 'No times were measured.')
})

test('text is wrapped between words and not within a number', () => {
  const words = `${'word '.repeat(15)}at 10 000 timers`
  assert.deepEqual(wrap(words), [`${'word '.repeat(15)}at`, '  10 000 timers'])
  assert.deepEqual(wrap('short'), ['short'])
})
