import { test } from 'node:test'
import assert from 'node:assert/strict'
import { arrangedHeats, arrangedWindows, roundsOf } from '../../../harness/plan/arrangement.js'
import { createCell } from '../../../harness/model/cell.js'

const cells = [100, 1000, 10_000].flatMap(size => ['heap', 'wheel'].map(queue => createCell({ scenario: 'mixed', params: { size }, queue, runtime: 'v20' })))
const ids = cells.map(({ id }) => id)
const plan = /** @type {any} */ ({
  settings: { seed: 7 },
  cells,
  arrangement: {
    heats: [{ cells: ids.slice(0, 2), rounds: 1 }, { cells: ids.slice(2, 5), rounds: 3 }],
    windows: [{ cells: [ids[5]], rounds: 2 }, { cells: ids.slice(0, 3), rounds: 2 }]
  }
})

test('a group is one heat, across tables, in as many rounds as it has', () => {
  const heatsOf = (/** @type {number} */ round) => arrangedHeats(plan, round).map(({ cells }) => cells.map(({ id }) => id).sort()).sort()
  const [tables, sizes] = plan.arrangement.heats.map((/** @type {{cells: string[]}} */ { cells }) => [...cells].sort())
  assert.deepEqual(heatsOf(0), [tables, sizes].sort())
  assert.deepEqual([heatsOf(1), heatsOf(2), heatsOf(3)], [[sizes], [sizes], []])
  assert.equal(roundsOf(plan.arrangement), 3)
})

test('the heats of a plan have different ids, the same whenever they are planned', () => {
  const all = () => [0, 1, 2].flatMap(round => arrangedHeats(plan, round).map(({ id }) => id))
  assert.equal(new Set(all()).size, 4)
  assert.deepEqual(all(), all())
})

test('windows of a group follow one another, in an order that differs from round to round', () => {
  const orders = Array.from({ length: 20 }, (_, seed) => arrangedWindows({ ...plan, settings: { seed } }, 1).map(({ cell }) => cell.id))
  for (const order of orders) {
    assert.deepEqual([...order].sort(), [...ids.slice(0, 3), ids[5]].sort())
    assert.ok([0, 3].includes(order.indexOf(ids[5])), order.join())
  }
  assert.ok(new Set(orders.map(order => order.join())).size > 5)
  assert.deepEqual(arrangedWindows(plan, 2), [])
})

test('cells that a shard does not have are not in its heats', () => {
  const shard = { ...plan, cells: cells.slice(0, 3) }
  assert.deepEqual(arrangedHeats(shard, 0).map(({ cells }) => cells.length).sort(), [1, 2])
})
