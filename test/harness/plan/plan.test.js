/** Plans: their cells, the heats of each round, shards, and what of a scenario they remember. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { orderRounds, planHeats, shardPlan } from '../../../harness/plan/plan.js'
import { planScenario } from '../../../harness/plan/scenarios.js'
import { aPlan } from '../a-run.js'

const queues = ['heap', 'wheel', { name: 'node', origin: 'built-in' }]
const refresh = { name: 'refresh', kind: 'micro', values: { size: [10, 20] } }
const server = { name: 'server', kind: 'http', values: { connections: [5], seconds: [1] } }
const scenarios = [refresh, server]

/** @param {Parameters<typeof aPlan>[0]} [changed] */
const planWith = ({ settings, ...changed } = {}) =>
  aPlan({
    settings: { seed: 42, control: { micro: 'heap', http: 'node' }, ...settings },
    queues,
    scenarios,
    ...changed
  })

/** @type {(scenario: {name: string, kind: string}, ...size: number[]) => object} */
const sized = (scenario, ...size) => ({ ...scenario, values: { size } })

/**
 * The control and others.
 *
 * @param {number} others
 */
const manyQueues = others => ['heap', ...Array.from({ length: others }, (_, i) => `queue-${i}`)]

/** @param {{cells: {queue: string}[]}} heat */
const queuesIn = ({ cells }) => cells.map(({ queue }) => queue)

test('a plan holds every combination; built-in timers have no contract, so only servers measure them', () => {
  const { cells } = planWith({ runtimes: [{ name: 'v20' }, { name: 'v24' }] })
  const [scenario, params, queue] = ['refresh', { size: 10 }, 'heap']
  assert.deepEqual(cells[0], { id: 'refresh size=10 heap v20', scenario, params, queue, runtime: 'v20' })
  const idsIn = (/** @type {string} */ runtime) => [
    ...[10, 20].flatMap(size => ['heap', 'wheel'].map(queue => `refresh size=${size} ${queue} ${runtime}`)),
    ...['heap', 'wheel', 'node'].map(queue => `server connections=5 seconds=1 ${queue} ${runtime}`)
  ]
  assert.deepEqual(cells.map(({ id }) => id), ['v20', 'v24'].flatMap(idsIn))
})

for (const [what, changed] of /** @type {[string, object][]} */ ([
  ['binaries of one version', { runtimes: ['/a/node', '/b/node'].map(path => ({ name: 'v20', path })) }],
  ['equal sizes', { scenarios: [sized(refresh, 10, 10)] }],
  ['scenarios of one name', { scenarios: [...scenarios, refresh] }]
])) {
  test(`two ${what} are refused, since their samples could not be distinguished`, () => {
    assert.throws(() => planWith(changed), {
      exitCode: 2,
      message: /^the cell "refresh size=10 heap v20" would be measured twice: name each/
    })
  })
}

test('every round takes every cell once, all queues of a table in one heat, which has its own name', () => {
  const plan = planWith()
  const ids = [0, 1, 2].flatMap(round => planHeats(plan, round).map(({ id }) => id))
  assert.equal(new Set(ids).size, ids.length)
  for (let round = 0; round < 3; round++) {
    const heats = planHeats(plan, round)
    assert.deepEqual(heats.map(({ cells }) => cells.map(({ id }) => id)).sort(), [
      ['refresh size=10 heap v20', 'refresh size=10 wheel v20'],
      ['refresh size=20 heap v20', 'refresh size=20 wheel v20'],
      [
        'server connections=5 seconds=1 heap v20',
        'server connections=5 seconds=1 wheel v20',
        'server connections=5 seconds=1 node v20'
      ]
    ])
    assert.ok(heats.every(heat => heat.round === round))
  }
})

test('a table of many queues is split into heats with the control, differently in every round', () => {
  const split = planHeats(planWith({ queues: manyQueues(20), scenarios: [sized(refresh, 10)] }), 0).map(queuesIn)
  assert.deepEqual(split.map(heat => heat.length), [8, 8, 7])
  assert.ok(split.every(heat => heat.filter(queue => queue === 'heap').length === 1))
  assert.equal(new Set(split.flat()).size, 21)
  const plan = planWith({ queues: manyQueues(14), scenarios: [sized(refresh, 10)] })
  assert.deepEqual(planHeats(plan, 0), planHeats(plan, 0))
  const heats = Array.from({ length: 20 }, (_, round) => planHeats(plan, round)).flat().map(queuesIn)
  const mates = new Set(heats.filter(heat => heat.includes('queue-0')).flat())
  assert.equal(mates.size, 15, 'every two queues meet in some round')
})

test('a server with very many connections shares its heat with the control only, one without heats none', () => {
  assert.deepEqual(planHeats(planWith({ scenarios: [{ ...server, steps: ['alone'] }] }), 0), [])
  const plan = planWith({ scenarios: [{ ...server, values: { connections: [10_000], seconds: [1] } }] })
  assert.deepEqual(planHeats(plan, 0).map(queuesIn).sort(), [['node', 'heap'], ['node', 'wheel']])
})

test('the order of heats is random, differs between rounds, and follows from the seed', () => {
  const sizes = Array.from({ length: 12 }, (_, i) => i + 1)
  const order = (/** @type {number} */ seed, /** @type {number} */ round) =>
    planHeats(planWith({ settings: { seed }, scenarios: [sized(refresh, ...sizes)] }), round).map(
      ({ cells }) => cells[0].params.size
    )
  assert.deepEqual(order(1, 0), order(1, 0))
  assert.notDeepEqual(order(1, 0), order(2, 0))
  assert.notDeepEqual(order(1, 0), order(1, 1))
})

test('samples taken alone come round by round, each round in its own order', () => {
  const { cells } = planWith()
  const ordered = orderRounds(cells, { rounds: 2, seed: 3 })
  const [first, second] = [ordered.slice(0, cells.length), ordered.slice(cells.length)]
  for (const [round, samples] of [first, second].entries()) {
    assert.deepEqual(new Set(samples.map(({ cell }) => cell)), new Set(cells))
    assert.ok(samples.every(sample => sample.round === round))
  }
  assert.notDeepEqual(
    first.map(({ cell }) => cell),
    second.map(({ cell }) => cell)
  )
})

test('shards keep tables whole', () => {
  const plan = planWith()
  const shards = [1, 2].map(index => shardPlan(plan, { index, count: 2 }))
  assert.deepEqual(new Set(shards.flatMap(({ cells }) => cells)), new Set(plan.cells))
  const tablesOf = (/** @type {{cells: {scenario: string, params: object}[]}} */ { cells }) =>
    new Set(cells.map(({ scenario, params }) => JSON.stringify([scenario, params])))
  assert.equal(tablesOf(shards[0]).size + tablesOf(shards[1]).size, tablesOf(plan).size)
})

test('a plan remembers how a scenario can be measured', () => {
  const base = { name: 'server', kind: 'http', title: '', source: '' }
  const planned = (/** @type {object} */ own) =>
    planScenario(/** @type {any} */ ({ ...base, ...own }), 'file:///a.js', {})
  const stepsOf = (/** @type {object} */ own) => planned(own).steps.join(' ')
  assert.deepEqual(
    [{}, { coldStart: true }, { usesAllCores: true }, { workers: () => 2 }].map(stepsOf),
    ['heat alone count', 'heat alone', 'alone count', 'alone']
  )
  assert.deepEqual(
    [{}, { countsOnly: true }, { kind: 'code' }].map(own => stepsOf({ kind: 'micro', ...own })),
    ['heat alone count', 'count', 'heat count']
  )
})
