import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createPlan, orderRounds, planHeats, planScenario, shardPlan } from '../../../harness/plan/plan.js'

const settings = { seed: 42, rounds: 3, micro: { exactLimitMs: 1000 }, control: { micro: 'heap', http: 'node' } }
const queues = [
  { name: 'heap', origin: 'own' },
  { name: 'wheel', origin: 'own' },
  { name: 'node', origin: 'built-in' }
]
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
  assert.deepEqual(cells[0], {
    id: 'refresh size=10 heap v20',
    scenario: 'refresh',
    params: { size: 10 },
    queue: 'heap',
    runtime: 'v20'
  })
})

test('built-in timers have no contract: only HTTP scenarios measure them', () => {
  const cells = planWith().cells.filter(({ queue }) => queue === 'node')
  assert.deepEqual(
    cells.map(({ scenario }) => scenario),
    ['server']
  )
})

for (const [what, changed] of /** @type {[string, object][]} */ ([
  [
    'binaries of one version',
    {
      runtimes: [
        { name: 'v20', path: '/a/node' },
        { name: 'v20', path: '/b/node' }
      ]
    }
  ],
  ['equal sizes', { scenarios: [{ name: 'refresh', kind: 'micro', values: { size: [10, 10] } }] }],
  ['scenarios of one name', { scenarios: [...scenarios, scenarios[0]] }]
])) {
  test(`two ${what} are refused, since their samples could not be distinguished`, () => {
    assert.throws(() => planWith(changed), {
      exitCode: 2,
      message: /^the cell "refresh size=10 heap v20" would be measured twice: name each/
    })
  })
}

test('every round takes every cell once, all queues of a table in one heat', () => {
  const plan = planWith()
  for (let round = 0; round < settings.rounds; round++) {
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

test('every heat has a unique name', () => {
  const plan = planWith()
  const ids = [0, 1, 2].flatMap(round => planHeats(plan, round).map(({ id }) => id))
  assert.equal(new Set(ids).size, ids.length)
})

test('a table of many queues is split into heats, each with the control', () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ name: `queue-${i}`, origin: 'own' }))
  const plan = planWith({ queues: [{ name: 'heap', origin: 'own' }, ...many], scenarios: scenarios.slice(0, 1) })
  const heats = planHeats(plan, 0).filter(({ cells: [{ params }] }) => params.size === 10)
  assert.equal(heats.length, 3)
  for (const { cells } of heats) {
    assert.ok(cells.length <= 8)
    assert.equal(cells.filter(({ queue }) => queue === 'heap').length, 1)
  }
  assert.equal(new Set(heats.flatMap(({ cells }) => cells.map(({ queue }) => queue))).size, 21)
})

test('a table of many queues is split differently in every round, and the same again by the same seed', () => {
  const many = Array.from({ length: 14 }, (_, i) => ({ name: `queue-${i}`, origin: 'own' }))
  const plan = planWith({
    queues: [{ name: 'heap', origin: 'own' }, ...many],
    scenarios: [{ name: 'refresh', kind: 'micro', values: { size: [10] } }]
  })
  const groupsOf = (/** @type {number} */ round) =>
    planHeats(plan, round).map(({ id, cells }) => `${id}: ${cells.map(({ queue }) => queue)}`)
  assert.deepEqual(groupsOf(0), groupsOf(0))
  const mates = new Set(
    Array.from({ length: 20 }, (_, round) => planHeats(plan, round))
      .flat()
      .filter(({ cells }) => cells.some(({ queue }) => queue === 'queue-0'))
      .flatMap(({ cells }) => cells.map(({ queue }) => queue))
  )
  assert.equal(mates.size, 15, 'every two queues meet in some round')
})

test('a server with very many connections shares its heat with the control only', () => {
  const plan = planWith({
    scenarios: [{ name: 'server', kind: 'http', values: { connections: [10_000], seconds: [1] } }]
  })
  assert.deepEqual(
    planHeats(plan, 0)
      .map(({ cells }) => cells.map(({ queue }) => queue))
      .sort(),
    [
      ['node', 'heap'],
      ['node', 'wheel']
    ]
  )
})

test('timers with slack share each heat with the control without, and no other scenario does', () => {
  const cache = { name: 'cache', kind: 'micro', values: { size: [10, 20], slack: [0, 64, 1024] } }
  const heats = planHeats(planWith({ scenarios: [cache] }), 0)
  assert.equal(heats.length, 6)
  for (const {
    cells: [
      {
        params: { size, slack }
      },
      ...others
    ],
    cells
  } of heats) {
    const expected = slack === 0 ? [] : [`cache size=${size} slack=0 heap v20`]
    assert.deepEqual(
      others.map(({ id }) => id),
      [`cache size=${size} slack=${slack} wheel v20`, ...expected],
      cells[0].id
    )
  }
  const many = Array.from({ length: 12 }, (_, i) => ({ name: `queue-${i}`, origin: 'own' }))
  for (const { cells } of planHeats(planWith({ scenarios: [cache], queues: [queues[0], ...many] }), 0)) {
    assert.ok(cells.length <= 8)
    const [exact, ...more] = cells.filter(({ queue, params: { slack } }) => queue === 'heap' && slack === 0)
    assert.ok(exact && more.length === 0)
  }
  const withoutExact = planHeats(planWith({ scenarios: [{ ...cache, values: { size: [10], slack: [64] } }] }), 0)
  assert.deepEqual(
    withoutExact.map(({ cells }) => cells.length),
    [2]
  )
})

test('servers that use all cores are not measured in heats', () => {
  const plan = planWith({ scenarios: [{ ...scenarios[1], usesAllCores: true }] })
  assert.deepEqual(planHeats(plan, 0), [])
})

test('the order of heats is random, differs between rounds, and follows from the seed', () => {
  const sizes = Array.from({ length: 12 }, (_, i) => i + 1)
  const order = (/** @type {number} */ seed, /** @type {number} */ round) =>
    planHeats(
      planWith({
        settings: { ...settings, seed },
        scenarios: [{ name: 'refresh', kind: 'micro', values: { size: sizes } }]
      }),
      round
    ).map(({ cells }) => cells[0].params.size)
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

test('shards keep tables together that differ in slack only', () => {
  const plan = planWith({
    scenarios: [{ name: 'cache', kind: 'micro', values: { size: [10, 20], slack: [0, 64, 1024] } }]
  })
  for (const index of [1, 2]) {
    const { cells } = shardPlan(plan, { index, count: 2 })
    assert.deepEqual(
      cells,
      plan.cells.filter(({ params }) => params.size === 10 * index)
    )
  }
})

test('a plan remembers how a scenario can be measured', () => {
  const base = { name: 'server', kind: 'http', title: '', source: '' }
  const planned = (/** @type {object} */ own) =>
    planScenario(/** @type {any} */ ({ ...base, ...own }), 'file:///a.js', {})
  assert.deepEqual([planned({}).isCounted, planned({}).usesAllCores], [true, false])
  assert.deepEqual(
    [planned({ coldStart: true }).isCounted, planned({ usesAllCores: true }).usesAllCores],
    [false, true]
  )
})
