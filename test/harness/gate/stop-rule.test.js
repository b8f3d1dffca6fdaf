/** When a gate ends, and which rows go on. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createCell } from '../../../harness/model/cell.js'
import { createRandom } from '../../../harness/model/random.js'
import { rowHeats } from '../../../harness/gate/stages.js'
import { rowsOf } from '../../../harness/plan/rows.js'
import { GateStopRule } from '../../../harness/gate/stop-rule.js'
import { secondsCovered } from '../../../harness/model/seconds-covered.js'
import { countOf, FIRST_ROW, gatePlan, sampleOf, samplesOf } from './gate-fixture.js'

/** @import { TestContext } from 'node:test' */
/** @import { Kind } from '../../../harness/plan/steps.js' */
/** @import { Sample } from '../../../harness/store/results.js' */

/** Looks, at which rows may be decided, come after 12, 30 and 60 rounds. */
const plan = gatePlan({ rounds: 60 })
/** @type {Record<'heat' | 'count', {kind: Kind}>} */
const STEP = { heat: { kind: 'heat' }, count: { kind: 'count' } }
const head = createCell({ ...FIRST_ROW, side: 'head' })
const ALL = ['heap 10', 'heap 20', 'wheel 10', 'wheel 20']

/** @type {(samples: Sample[], rounds: number) => Sample[]} */
const first = (samples, rounds) => samples.filter(({ round }) => round < rounds)
/** @param {...Sample[]} seen  Samples that come together. */
function ruleOf (...seen) {
  const rule = new GateStopRule(plan)
  for (const samples of seen) rule.see(samples)
  return rule
}
/** @param {GateStopRule} rule */
const openRows = rule =>
  rowsOf(plan)
    .filter(row => rule.wants(createCell({ ...row, side: 'base' }), STEP.heat))
    .map(({ queue, params: { size } }) => `${queue} ${size}`)
/**
 * A clock that stands still, until it is moved to seconds after its start.
 *
 * @param {TestContext} t
 */
function clock (t, startMs = 0) {
  let nowMs = startMs
  t.mock.method(performance, 'now', () => nowMs)
  return (/** @type {number} */ seconds) => {
    nowMs = startMs + 1000 * seconds
  }
}

test('rows are decided at the first look, when every open row has its heats, and not before', () => {
  const rule = ruleOf()
  const clear = samplesOf(plan, { slowdown: 2 })
  for (let round = 0; round < 12; round++) {
    for (const { cells } of rowHeats(plan, round)) {
      assert.deepEqual(openRows(rule), ALL)
      rule.see(clear.filter(sample => sample.round === round && cells.some(({ id }) => id === sample.cell)))
    }
  }
  assert.deepEqual(openRows(rule), [])
  assert.equal(rule.wants(head, STEP.count), true, 'counts explain rows that are decided')
})

test('only decided rows are dropped; a guard that is unclear keeps no row open', () => {
  const random = createRandom(1)
  const wide = samplesOf(plan, { swing: 1.5 }).filter(({ params }) => params.size === 10)
  const clear = samplesOf(plan)
    .filter(({ params }) => params.size === 20)
    .map(sample => ({ ...sample, metrics: { ...sample.metrics, latencyP99Ms: 2 ** random(6) } }))
  assert.deepEqual(openRows(ruleOf(first([...wide, ...clear], 12))), ['heap 10', 'wheel 10'])
})

test('a look never sees later heats: what is measured after it changes nothing that it decided', () => {
  const clear = first(samplesOf(plan, { slowdown: 2 }), 12)
  const decided = ruleOf(clear).judge([])
  const slowdowns = fc.double({ min: 0.3, max: 3, noNaN: true })
  fc.assert(
    fc.property(slowdowns, fc.integer({ min: 13, max: 60 }), (slowdown, rounds) => {
      const beyond = first(samplesOf(plan, { slowdown }), rounds).filter(({ round }) => round >= 12)
      assert.deepEqual(ruleOf([...clear, ...beyond]).judge([]), decided)
    }),
    { numRuns: 20 }
  )
})

test('a row whose time is open gets more heats though a count has grown, until its time outweighs the count', () => {
  const counts = /** @type {const} */ (['base', 'head']).map((side, i) =>
    countOf(FIRST_ROW, side, { workPerOp: 9 * (1 + 9 * i) })
  )
  const wide = samplesOf(plan, { swing: 1.5 }).filter(({ queue }) => queue === 'heap')
  const clear = samplesOf(plan, { slowdown: 0.5 }).filter(({ queue }) => queue === 'wheel')
  assert.deepEqual(openRows(ruleOf([...counts, ...first([...wide, ...clear], 12)])), ['heap 10', 'heap 20'])
  const level = ruleOf([...counts, ...first(samplesOf(plan, { spread: 0.005 }), 12)])
  assert.deepEqual([openRows(level), level.judge([]).verdict], [[], 'pass'])
})

test('a gate that is judged again decides as it did', () => {
  const samples = samplesOf(plan, { spread: 0.06 })
  const watched = ruleOf(...Array.from({ length: 40 }, (_, round) => samples.filter(one => one.round === round)))
  const again = ruleOf(first(samples, 40))
  assert.deepEqual([openRows(again), again.judge([])], [openRows(watched), watched.judge([])])
})

test('a row that cannot be measured is closed before the first look, and holds no other row up', () => {
  const rule = ruleOf([sampleOf(FIRST_ROW, 'head', 0, {}, 'crash')])
  assert.deepEqual([openRows(rule), rule.open], [ALL.slice(1), 3])
  const isOther = (/** @type {Sample} */ { queue, params }) => queue !== 'heap' || params.size !== 10
  rule.see(first(samplesOf(plan, { slowdown: 2 }), 12).filter(isOther))
  assert.deepEqual(openRows(rule), [])
})

test('a gate is over when the longest heat of a row that is still open no longer fits into its budget', t => {
  const moveTo = clock(t, 7000)
  const rule = ruleOf()
  assert.deepEqual([rule.budget.secondsLeft, openRows(rule)], [300, ALL])
  rule.see([
    { ...sampleOf(FIRST_ROW, 'base', 0, {}), seconds: 9 },
    { ...sampleOf(FIRST_ROW, 'head', 0, {}), seconds: 5 }
  ])
  const open = [290, 292, 301].map(seconds => {
    moveTo(seconds)
    return openRows(rule)
  })
  assert.deepEqual(open, [ALL, [], []])
})

test('heats side by side count once in the time of a gate', () => {
  const at = (/** @type {number} */ second, /** @type {number} */ seconds) => ({
    started: new Date(1000 * second).toISOString(),
    seconds
  })
  assert.equal(secondsCovered([at(0, 4), at(20, 5), at(0, 4), at(2, 3), at(21, 1)]), 10)
})

test('counts of timed rows begin only in the first half of the budget, other counts until its end', t => {
  const moveTo = clock(t)
  const counted = { ...plan, scenarios: plan.scenarios.map(scenario => ({ ...scenario, steps: ['count'] })) }
  const rules = [plan, counted].map(plan => new GateStopRule(/** @type {any} */ (plan)))
  const wanted = [140, 160, 301].map(seconds => {
    moveTo(seconds)
    return rules.map(rule => rule.wants(head, STEP.count))
  })
  assert.deepEqual(wanted, [[true, true], [false, true], [false, false]])
})

test('the budget ends a measurement under way, and the counts that have not begun', async t => {
  // The timer of a signal does not keep a process alive.
  const awake = setInterval(() => {}, 1000)
  t.after(() => clearInterval(awake))
  const rule = new GateStopRule({ ...plan, of: { gate: { ...plan.of.gate, budgetSeconds: 0 } } })
  await new Promise(resolve => {
    rule.signal.onabort = resolve
    if (rule.signal.aborted) resolve(undefined)
  })
  assert.equal(rule.wants(head, STEP.count), false)
  assert.ok(!ruleOf().signal.aborted)
})
