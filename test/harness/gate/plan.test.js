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

test('three looks spend alpha evenly; few rounds are looked at less often', () => {
  assert.deepEqual(plan.gate.looks.map(({ rounds }) => rounds), [10, 20, 30])
  for (const { share } of plan.gate.looks) assert.ok(Math.abs(share - 1 / 3) < 1e-12)
  assert.deepEqual(gatePlan({ rounds: 1 }).gate.looks, [{ rounds: 1, share: 1 }])
})
