import { test } from 'node:test'
import assert from 'node:assert/strict'
import { affordableRounds, startBudget } from '../../../harness/gate/budget.js'
import { FIRST_CELL, sampleOf } from './gate-fixture.js'

const settings = /** @type {any} */ ({ micro: { warmupMs: 100, measureMs: 60 }, httpWarmupMs: 500 })
const micro = { params: { size: 10 } }
const pair = /** @type {any} */ ({ cell: FIRST_CELL, order: ['base', 'head'] })

test('five minutes are enough for sixty pairs of twelve micro cells, as some are decided early', () => {
  assert.ok(affordableRounds(settings, new Array(12).fill(micro), 300, 2.25) >= 60)
})

test('servers take as long as their load, and a budget too small still measures once', () => {
  assert.equal(affordableRounds(settings, [{ params: { seconds: 9 } }], 100, 2), 10)
  assert.equal(affordableRounds(settings, [micro], 0.1, 2), 1)
})

test('a pair is expected to take as long as the longest of its kind', () => {
  const budget = startBudget(60, [])
  assert.equal(budget.secondsOf(pair), 0)
  const sample = sampleOf(FIRST_CELL, 'base', 0, {})
  budget.note(pair, [{ ...sample, seconds: 2 }, { ...sample, seconds: 1 }])
  assert.equal(budget.secondsOf(pair), 4)
})

test('a resumed gate has spent the time of its samples', () => {
  const finished = [sampleOf(FIRST_CELL, 'base', 0, {}), sampleOf(FIRST_CELL, 'head', 0, {})]
  const budget = startBudget(60, finished)
  assert.ok(budget.secondsLeft() <= 59.4 && budget.secondsLeft() > 50)
  assert.equal(budget.secondsOf(pair), 0.6)
})
