import { test } from 'node:test'
import assert from 'node:assert/strict'
import { decidedCells, isBroken, judgeGate } from '../../../harness/gate/evidence.js'
import { cellOf } from '../../../harness/gate/measure-pair.js'
import { FIRST_CELL, gatePlan, sampleOf, samplesOf } from './gate-fixture.js'

const plan = gatePlan()
const options = { command: ['timerq', 'gate'] }

test('a head like its base passes, and the control stands still', () => {
  const { verdict, control, comparisons } = judgeGate(plan, samplesOf(plan), options)
  assert.equal(verdict, 'pass')
  assert.deepEqual([control?.moved, control?.pairs, comparisons.length], [false, 30, 4])
})

test('a slower head is a regression', () => {
  assert.equal(judgeGate(plan, samplesOf(plan, { slowdown: 1.08 }), options).verdict, 'regression')
})

test('a base that differs from itself contaminates the whole, whatever the head shows', () => {
  const { verdict, control } = judgeGate(plan, samplesOf(plan, { slowdown: 1.5, controlShift: 1.04 }), options)
  assert.deepEqual([verdict, control?.moved], ['invalid', true])
})

test('a control that is significant but small does no harm', () => {
  assert.equal(judgeGate(plan, samplesOf(plan, { controlShift: 1.004, spread: 0.005 }), options).control?.moved, false)
})

test('no samples are no pass, and tell of the budget', () => {
  const { verdict, comparisons } = judgeGate(plan, [], options)
  assert.equal(verdict, 'invalid')
  assert.match(String(comparisons[0].reason), /budget was spent/)
})

test('a side that crashed is no pass, and is not measured again', () => {
  const samples = [...samplesOf(plan), sampleOf(FIRST_CELL, 'head', 0, {}, 'crash')]
  const { verdict, comparisons } = judgeGate(plan, samples, options)
  assert.deepEqual([verdict, comparisons[0].reason], ['invalid', 'head: it died'])
  assert.equal(isBroken(plan, FIRST_CELL, samples), true)
})

test('one pair lost to the time limit is only lost, two are too many', () => {
  const once = [...samplesOf(plan), sampleOf(FIRST_CELL, 'head', 0, {}, 'time-limit')]
  assert.equal(isBroken(plan, FIRST_CELL, once), false)
  assert.equal(judgeGate(plan, once, options).comparisons[0].pairs, 29)
  assert.equal(isBroken(plan, FIRST_CELL, [...once, sampleOf(FIRST_CELL, 'base', 1, {}, 'time-limit')]), true)
})

test('of a pair measured again the later samples count', () => {
  const samples = samplesOf(plan)
  const [first] = judgeGate(plan, [sampleOf(FIRST_CELL, 'head', 3, { nsPerOp: 4000 }), ...samples], options).comparisons
  assert.deepEqual(first, judgeGate(plan, samples, options).comparisons[0])
})

test('cells are decided when the clock can say no more; what is shown beside does not matter', () => {
  const wide = samplesOf(gatePlan({ seed: 4 }), { spread: 0.3 }).filter(({ params }) => params.size === 10)
  const record = judgeGate(plan, [...wide, ...samplesOf(plan).filter(({ params }) => params.size === 20)], options)
  assert.deepEqual(decidedCells(record), ['heap', 'wheel'].map(queue => cellOf({ ...FIRST_CELL, queue, params: { size: 20 } }, 'head').id))
})
