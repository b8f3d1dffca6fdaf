import { test } from 'node:test'
import assert from 'node:assert/strict'
import { gatedCells, orderPairs } from '../../../harness/gate/plan.js'
import { gatePlan } from './gate-fixture.js'

const plan = gatePlan()
const rounds = Array.from({ length: 30 }, (_, round) => orderPairs(plan, round))

test('every round measures every cell once, in a random order of its own', () => {
  for (const pairs of rounds) assert.deepEqual(new Set(pairs.map(({ cell }) => JSON.stringify(cell))), new Set(gatedCells(plan).map(cell => JSON.stringify(cell))))
  const orders = new Set(rounds.map(pairs => pairs.map(({ cell }) => cell.queue + cell.params.size).join()))
  assert.ok(orders.size > 10, String(orders.size))
})

test('over four rounds a cell is measured in both orders on both sides', () => {
  for (const cell of gatedCells(plan)) {
    const seen = rounds.slice(0, 4).flatMap(pairs => pairs.filter(pair => pair.cell.queue === cell.queue && pair.cell.params.size === cell.params.size))
      .map(({ order, swapped }) => `${order.filter(arm => arm !== 'again').join()} ${swapped}`)
    assert.deepEqual(new Set(seen), new Set(['base,head false', 'base,head true', 'head,base false', 'head,base true']))
  }
})

test('one pair of four has a control, and every cell has some', () => {
  const controls = rounds.flat().filter(({ order }) => order.includes('again'))
  assert.equal(controls.length, 30)
  assert.ok(controls.every(({ order }) => order[1] === 'head'), 'the head stands between')
  assert.equal(new Set(controls.map(({ cell }) => cell.queue + cell.params.size)).size, 4)
})

test('a control comes first about as often as last', () => {
  const controls = rounds.flat().filter(({ order }) => order.includes('again'))
  const first = controls.filter(({ order }) => order[0] === 'again').length
  assert.ok(first >= 9 && first <= 21, String(first))
})

test('everything follows from the seed', () => {
  assert.deepEqual(orderPairs(plan, 7), orderPairs(gatePlan(), 7))
  assert.notDeepEqual(orderPairs(plan, 7), orderPairs(gatePlan({ seed: 2 }), 7))
})

test('environments differ in size from pair to pair', () => {
  assert.ok(new Set(rounds.flat().map(({ padding }) => padding)).size > 100)
})

test('looks come early for what is plain and spend by the pairs seen; where pairs are few, none is wasted', () => {
  const looksAt = (/** @type {number} */ rounds) => gatePlan({ rounds }).gate.looks.map(look => [look.rounds, Number(look.share.toFixed(9))])
  assert.deepEqual(looksAt(60), [[12, 0.2], [30, 0.3], [60, 0.5]])
  assert.deepEqual(looksAt(30), [[15, 0.5], [30, 0.5]])
  assert.deepEqual(looksAt(8), [[8, 1]])
  assert.deepEqual(looksAt(1), [[1, 1]])
})
