import { test } from 'node:test'
import assert from 'node:assert/strict'
import { gatedCells, orderPairs, PROCESSES_PER_HEAT, turnOf, withRounds } from '../../../harness/gate/plan.js'
import { gatePlan } from './gate-fixture.js'

const plan = gatePlan()
const rounds = Array.from({ length: 30 }, (_, round) => orderPairs(plan, round))

test('every round measures every cell once, in a random order of its own', () => {
  for (const pairs of rounds) assert.deepEqual(new Set(pairs.map(({ cell }) => JSON.stringify(cell))), new Set(gatedCells(plan).map(cell => JSON.stringify(cell))))
  const orders = new Set(rounds.map(pairs => pairs.map(({ cell }) => cell.queue + cell.params.size).join()))
  assert.ok(orders.size > 10, String(orders.size))
})

test('over three rounds every arm is measured in every folder', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(turnOf), [0, 1, 2, 0, 1, 2])
})

test('either side starts first about as often', () => {
  for (const cell of gatedCells(plan)) {
    const pairs = rounds.flat().filter(pair => pair.cell.queue === cell.queue && pair.cell.params.size === cell.params.size)
    const first = pairs.filter(({ order }) => order.indexOf('base') < order.indexOf('head')).length
    assert.ok(first >= 6 && first <= 24, String(first))
  }
})

test('one heat of four has a control, and every cell has some', () => {
  const controls = rounds.flat().filter(({ order }) => order.includes('again'))
  assert.equal(controls.length, 30)
  assert.equal(rounds.flat().reduce((sum, { order }) => sum + order.length, 0) / rounds.flat().length, PROCESSES_PER_HEAT)
  assert.equal(new Set(controls.map(({ cell }) => cell.queue + cell.params.size)).size, 4)
})

test('fewer rounds have looks of their own', () => {
  const { settings, gate, cells } = withRounds(gatePlan({ rounds: 60 }), 30)
  assert.deepEqual([settings.rounds, gate.looks, cells], [30, gatePlan({ rounds: 30 }).gate.looks, gatePlan({ rounds: 60 }).cells])
})

test('everything follows from the seed', () => {
  assert.deepEqual(orderPairs(plan, 7), orderPairs(gatePlan(), 7))
  assert.notDeepEqual(orderPairs(plan, 7), orderPairs(gatePlan({ seed: 2 }), 7))
})

test('layout and hashes are drawn again for every heat', () => {
  assert.ok(new Set(rounds.flat().map(({ seed }) => seed)).size > 100)
})

test('early looks decide what is clear, each look spends by the pairs seen, and few pairs get no early look', () => {
  const looksAt = (/** @type {number} */ rounds) => gatePlan({ rounds }).gate.looks.map(look => [look.rounds, Number(look.share.toFixed(9))])
  assert.deepEqual(looksAt(60), [[12, 0.2], [30, 0.3], [60, 0.5]])
  assert.deepEqual(looksAt(40), [[8, 0.2], [20, 0.3], [40, 0.5]])
  assert.deepEqual(looksAt(30), [[15, 0.5], [30, 0.5]])
  assert.deepEqual(looksAt(8), [[8, 1]])
  assert.deepEqual(looksAt(1), [[1, 1]])
})
