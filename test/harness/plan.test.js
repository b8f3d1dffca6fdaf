import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createPlan, orderSamples } from '../../harness/plan.js'

const settings = { seed: 42, rounds: 3, micro: { exactLimitMs: 1000 } }
const queues = [{ name: 'heap', origin: 'own' }, { name: 'wheel', origin: 'own' }, { name: 'node', origin: 'built-in' }]
const scenarios = [
  { name: 'refresh', kind: 'micro', values: { size: [10, 20] } },
  { name: 'server', kind: 'http', values: { connections: [5], seconds: [1] } }
]
const runtimes = [{ name: 'v20', path: 'node', flags: [] }]

/** @param {object} [changed] */
const planWith = changed => createPlan(/** @type {any} */ ({ settings, queues, scenarios, runtimes, ...changed }))

test('a plan holds every combination of runtime, scenario, parameters and queue', () => {
  const { cells } = planWith({ runtimes: [...runtimes, { name: 'v24', path: 'node24', flags: [] }] })
  assert.equal(cells.length, 2 * (2 * 2 + 3))
  assert.equal(new Set(cells.map(({ id }) => id)).size, cells.length)
  assert.deepEqual(cells[0], { id: 'refresh size=10 heap v20', scenario: 'refresh', params: { size: 10 }, queue: 'heap', runtime: 'v20' })
})

test('built-in timers have no contract: only HTTP scenarios measure them', () => {
  const cells = planWith().cells.filter(({ queue }) => queue === 'node')
  assert.deepEqual(cells.map(({ scenario }) => scenario), ['server'])
})

for (const [what, changed] of /** @type {[string, object][]} */ ([
  ['binaries of one version', { runtimes: [{ name: 'v20', path: '/a/node' }, { name: 'v20', path: '/b/node' }] }],
  ['equal sizes', { scenarios: [{ name: 'refresh', kind: 'micro', values: { size: [10, 10] } }] }],
  ['scenarios of one name', { scenarios: [...scenarios, scenarios[0]] }]
])) {
  test(`two ${what} cannot be told apart, and are refused`, () => {
    assert.throws(() => planWith(changed), { exitCode: 2, message: /^the cell "refresh size=10 heap v20" would be measured twice: name each/ })
  })
}

test('every round takes every cell once, and what is counted comes last, once for each micro cell', () => {
  const plan = planWith()
  const samples = orderSamples(plan)
  for (let round = 0; round < settings.rounds; round++) {
    const cells = samples.slice(round * plan.cells.length, (round + 1) * plan.cells.length)
    assert.deepEqual(new Set(cells.map(({ cell }) => cell)), new Set(plan.cells))
    assert.ok(cells.every(sample => sample.round === round && sample.channel === 'time'))
  }
  const exact = samples.slice(settings.rounds * plan.cells.length)
  assert.deepEqual(exact.map(({ cell }) => cell), plan.cells.filter(({ scenario }) => scenario === 'refresh'))
  assert.ok(exact.every(({ channel }) => channel === 'exact'))
})

test('the order of samples is random, differs between rounds, and follows from the seed', () => {
  const order = (/** @type {number} */ seed) => orderSamples(planWith({ settings: { ...settings, seed } })).map(({ cell }) => cell.id)
  assert.deepEqual(order(1), order(1))
  assert.notDeepEqual(order(1), order(2))
  const [first, second] = [order(1).slice(0, 7), order(1).slice(7, 14)]
  assert.notDeepEqual(first, second)
})
