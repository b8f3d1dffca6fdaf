import { test } from 'node:test'
import assert from 'node:assert/strict'
import { GATE } from '../../../bin/presets.js'
import { heatSeconds } from '../../../harness/run/time-left.js'
import { affordableRounds, roundSeconds, startBudget } from '../../../harness/gate/budget.js'
import { PROCESSES_PER_HEAT } from '../../../harness/gate/plan.js'
import { FIRST_CELL, sampleOf } from './gate-fixture.js'

const settings = { micro: { ...GATE.micro, warmupMs: 50, leadMs: 1, turnMs: 4, turns: 40 }, httpWarmupMs: 500, httpHeat: { seconds: 8, sliceMs: 200 } }
const micro = { kind: 'micro' }
const pair = /** @type {any} */ ({ cell: FIRST_CELL, order: ['base', 'head'] })

test('two minutes are enough for sixty heats of six micro cells on two cores, as some are decided early', () => {
  assert.ok(affordableRounds(settings, new Array(6).fill(micro), 120, PROCESSES_PER_HEAT, 2) >= 60)
})

test('one core takes as long as two for one cell, and twice as long for two', () => {
  const rounds = (/** @type {number} */ cells, /** @type {number} */ cores) => affordableRounds(settings, new Array(cells).fill(micro), 1000, 2, cores)
  assert.equal(rounds(1, 1), rounds(1, 2))
  assert.equal(rounds(2, 1), Math.floor(rounds(1, 1) / 2))
})

test('servers take as long as their load, one after the other, and a budget too small still measures once', () => {
  const server = { kind: 'http' }
  assert.equal(affordableRounds(settings, [server], 96, 2, 2), 20)
  assert.equal(affordableRounds(settings, [server, server], 96, 2, 2), 10)
  assert.equal(affordableRounds(settings, [micro], 0.1, 2, 2), 1)
})

test('heats of micro cells take their turns on the cores', () => {
  const seconds = (/** @type {number} */ cells) => roundSeconds(settings, new Array(cells).fill(micro), 3, 2)
  assert.deepEqual([1, 2, 3, 6].map(seconds), [1, 1, 2, 3].map(turns => turns * heatSeconds(settings, { isHttp: false, cells: 3 })))
})

test('a heat is expected to take as long as the longest of its kind', () => {
  const budget = startBudget(60, [])
  assert.equal(budget.secondsOf(pair), 0)
  const sample = sampleOf(FIRST_CELL, 'base', 0, {})
  budget.note([{ ...sample, seconds: 2 }, { ...sample, seconds: 1 }, { ...sample, seconds: 9, kind: 'count' }])
  assert.equal(budget.secondsOf(pair), 2)
  assert.equal(budget.secondsOf({ ...pair, cell: { ...FIRST_CELL, scenario: 'another' } }), 0)
})

test('a resumed gate has spent the time in which it measured, whatever ran at the same time, and what has passed since', t => {
  let nowMs = 7000
  t.mock.method(performance, 'now', () => nowMs)
  const at = (/** @type {number} */ second, /** @type {number} */ seconds) => ({ ...sampleOf(FIRST_CELL, 'base', 0, {}), started: new Date(1000 * second).toISOString(), seconds })
  const budget = startBudget(60, [at(0, 4), at(20, 5), at(0, 4), at(2, 3), at(21, 1)])
  assert.equal(budget.secondsLeft(), 50)
  nowMs += 2000
  assert.equal(budget.secondsLeft(), 48)
  assert.equal(budget.secondsOf(pair), 5)
})
