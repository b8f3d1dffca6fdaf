/** Plans of claims, the order and end of their measuring, and their intervals. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { ratioInterval } from '../../../harness/judge/statistics/interval.js'
import { CONFIDENCE, decide, judgeClaim, LOOKS } from '../../../harness/reproduce/judge-claims.js'
import { cellOf, kindOf, observer, specsIn } from '../../../harness/reproduce/observe.js'
import { Schedule } from '../../../harness/reproduce/schedule.js'
import { measuringFindings } from '../../../bin/plans/run.js'
import { normal } from '../judge/statistics/noise.js'
import { measure, planOf } from './world.js'

/** @typedef {Awaited<ReturnType<typeof planOf>>} Planned */

/** @param {Planned} planned */
const stepsIn = ({ plan, claims }, round = 0) =>
  new Schedule(plan, claims).stages.flat().filter(step => step.round === round)

/** @type {(step: {kind: string, cells: {id: string}[]}) => string} */
const nameOf = ({ kind, cells }) => `${kind}: ${cells.map(({ id }) => id.replace(/ v20.*/, '')).sort().join(', ')}`

for (const [preset, sizes] of /** @type {const} */ ([
  ['quick', [10_000, 1000]],
  ['documented', [100_000, 10_000]]
])) {
  test(`the ${preset} preset measures its own sizes`, async () => {
    const { plan } = await planOf({ preset, only: ['A4'] })
    assert.deepEqual([...new Set(plan.cells.map(({ params }) => params.size))], sizes)
  })
}

test('cells that claims compare, directly or through a third, are measured in one heat', async () => {
  const growing = stepsIn(await planOf({ only: ['A4', 'E1'] })).filter(({ kind }) => kind === 'heat')
  assert.deepEqual(
    growing.map(nameOf).sort(),
    ['hierarchical-wheel', 'sorted-list', 'unsorted-array'].map(
      queue => `heat: ${[1000, 10_000].map(size => `staggered-expiry size=${size} ${queue}`).sort().join(', ')}`
    )
  )
  const heats = stepsIn(await planOf()).filter(({ kind }) => kind === 'heat')
  assert.ok(heats.every(({ cells }) => cells.length >= 1 && cells.length <= 8))
  assert.equal(heats.find(({ cells }) => cells[0].scenario === 'keep-alive')?.cells.length, 6)
})

test('work is counted once, file servers run alone, shares come from profiles, and flags share a heat', async () => {
  const stepsOf = async (/** @type {string} */ id) => {
    const planned = await planOf({ only: [id] })
    return [0, 4].map(round => stepsIn(planned, round).map(({ kind, cells }) => `${kind} ${cells.length}`).sort())
  }
  assert.deepEqual(await stepsOf('A5'), [['count 1', 'count 1', 'count 1', 'count 1', 'heat 2'], ['heat 2']])
  assert.deepEqual(await stepsOf('C4'), Array(2).fill(['alone 1', 'alone 1', 'alone 1']))
  assert.deepEqual(await stepsOf('A9'), Array(2).fill(['profile 1', 'profile 1']))
  assert.deepEqual(await stepsOf('D2'), [['heat 4'], ['heat 4']])
})

test('every condition has its steps, no step comes twice in a round, and no profile is asked of ' +
  'built-in timers', async () => {
  const planned = await planOf()
  const { claims, plan } = planned
  const taken = stepsIn(planned).flatMap(({ kind, cells }) => cells.map(({ id }) => `${kind} ${id}`))
  const needed = claims
    .flatMap(({ holds }) => holds)
    .flatMap(condition => specsIn(condition).map(spec => `${kindOf(plan, condition)} ${cellOf(plan, spec).id}`))
  assert.deepEqual(taken.sort(), [...new Set(needed)].sort())
  assert.ok(!taken.some(step => /^profile .* node /.test(step)))
  assert.deepEqual([new Set(plan.of.reproduce.claims).size, plan.of.reproduce.claims], [35, claims.map(({ id }) => id)])
})

test('heats of a plan have different ids, the same whenever they are planned, and cells change their order from ' +
  'round to round', async () => {
  const planned = await planOf()
  const idsOf = (/** @type {number} */ round) => stepsIn(planned, round).map(({ id }) => id)
  const all = [...idsOf(0), ...idsOf(1)]
  assert.equal(new Set(all).size, all.length)
  assert.deepEqual(idsOf(1), idsOf(1))
  const orderOf = (/** @type {number} */ round) =>
    stepsIn(planned, round).flatMap(({ kind, cells }) => (kind === 'heat' ? cells.map(({ id }) => id) : []))
  assert.notDeepEqual(orderOf(0), orderOf(1))
  assert.deepEqual(idsOf(5), [])
})

test('counts come first, and a load shares the machine with nothing else that is timed', async () => {
  const { plan, claims } = await planOf()
  const [counts, ...timed] = [...new Schedule(plan, claims).order()]
  assert.ok(counts.every(({ kind }) => kind === 'count'))
  for (const stage of timed) {
    assert.ok(stage.every(({ kind }) => kind !== 'count'))
    const http = plan.scenarios.find(({ name }) => name === stage[0].cells[0].scenario)?.kind === 'http'
    assert.ok(http ? stage.length === 1 && stage[0].isExclusive : stage.every(({ isExclusive }) => !isExclusive))
  }
})

test('the counts of claims have a minute of CPU: the slowest takes six seconds on a fast core', async () => {
  const { settings } = await measuringFindings({ preset: 'quick' })
  assert.deepEqual([settings.micro.limitMs, settings.micro.exactLimitMs], [8000, 60_000])
})

/**
 * Rounds that a stop rule wants of each step, where every round is measured as in world.js.
 *
 * @param {Planned} planned
 * @param {{rounds?: number} & Parameters<typeof measure>[1]} world
 */
function roundsWanted ({ claims, plan }, { rounds = 8, ...world }) {
  const stopRule = new Schedule(plan, claims)
  /** @type {Record<string, number>} */
  const wanted = {}
  for (let round = 0; round < rounds; round++) {
    for (const { kind, cells } of stepsIn({ plan, claims })) {
      for (const cell of cells) {
        const key = `${kind} ${cell.queue}${cell.params.size ? ` ${cell.params.size}` : ''}`
        if (stopRule.wants(cell, { kind })) wanted[key] = (wanted[key] ?? 0) + 1
      }
    }
    stopRule.see(measure(plan, { ...world, from: round, rounds: 1 }))
  }
  return wanted
}

test('a claim far from its limit is measured in few rounds, one nearer to its limit in more, and one on its ' +
  'limit in all', async () => {
  const planned = await planOf({ only: ['A9'] })
  const roundsAt = (/** @type {number} */ queueTickShare) =>
    roundsWanted(planned, { rounds: 20, changes: { 'keep-alive binary-heap 10000': { queueTickShare } } })[
      'profile sorted-list'
    ]
  // The limit is twice the heap's share, and the list's share is 0.4.
  assert.deepEqual([0.004, 0.02, 0.195, 0.2].map(roundsAt), [3, 3, 12, 20])
})

test('only undecided conditions are measured again, in the kind of step that they are about', async () => {
  const changes = { 'keep-alive hierarchical-wheel 400': { queueTickShare: 0.05 } }
  const wanted = roundsWanted(await planOf({ only: ['A1', 'A10'] }), { changes })
  assert.deepEqual(
    Object.keys(wanted).filter(step => wanted[step] === 8).sort(),
    ['profile binary-heap', 'profile hierarchical-wheel']
  )
  assert.ok(
    Object.values(wanted).every(rounds => rounds === 8 || rounds <= 5),
    JSON.stringify(wanted)
  )
})

/**
 * Scenarios and rounds of the steps that are measured, in their order. A step of servers takes nine seconds.
 *
 * @param {Planned} planned
 * @param {Parameters<typeof measure>[1]} [world]
 */
function orderOf ({ claims, plan }, world) {
  const schedule = new Schedule(plan, claims)
  const servers = plan.scenarios.filter(({ kind }) => kind === 'http').map(({ name }) => name)
  /** @type {string[]} */
  const order = []
  for (const steps of schedule.order()) {
    for (const { kind, cells, round } of steps) {
      if (!cells.some(cell => schedule.wants(cell, { kind }))) continue
      order.push(`${cells[0].scenario} ${round}`)
      const samples = measure(plan, { ...world, from: round, rounds: 1 })
      const own = samples.filter(sample => sample.kind === kind && cells.some(({ id }) => id === sample.cell))
      schedule.see(own.map(sample => ({ ...sample, seconds: servers.includes(sample.scenario) ? 9 : 1 })))
    }
  }
  return order
}

/** On its limit, so that no look decides it. */
const HOPELESS = { changes: { 'keep-alive binary-heap 10000': { queueTickShare: 0.2 } } }

test('time goes to the cells whose next look costs least', async () => {
  const order = orderOf(await planOf({ only: ['A9', 'D2', 'B1', 'E3'], rounds: 8 }), HOPELESS)
  const last = (/** @type {string} */ scenario) => order.findLastIndex(step => step.startsWith(scenario))
  // Queues are decided before a server is started, and a heat of servers before profiles of two.
  const scenarios = ['distinct-durations-cancelled', 'one-timer-poll', 'garbage', 'keep-alive']
  const lasts = scenarios.map(last)
  assert.deepEqual(lasts.toSorted((a, b) => a - b).slice(2), lasts.slice(2), order.join())
  assert.ok(last('one-timer-poll') < order.indexOf('garbage 0'), order.join())
  assert.equal(order.at(-1), 'keep-alive 7')
})

test('cells that no look decides take no more time than others', async () => {
  const planned = await planOf({ only: ['A9', 'D1'], rounds: 20 })
  const changes = { ...HOPELESS.changes, 'garbage 16': { scavengesPerThousandRequests: NaN } }
  const order = orderOf(planned, { changes })
  // One step of a round, and two.
  const rounds = (/** @type {string[]} */ steps) => steps.filter(step => step.startsWith('keep-alive')).length / 2
  const half = order.slice(0, order.length / 2)
  assert.ok(rounds(half) > 6 && rounds(half) < 12, order.join())
})

test('conditions without limits are measured in three rounds, so that they can be shown', async () => {
  const wanted = roundsWanted(await planOf({ only: ['B7'] }), {})
  assert.deepEqual(
    ['heat single-wakeup 100', 'heat single-wakeup 1000'].map(step => wanted[step]),
    [3, 3]
  )
})

test('a claim that one condition decides is not measured again, and a claim without figures is, until a cell ' +
  'is given up', async () => {
  const changes = {
    'keep-alive hierarchical-wheel 400': { queueTickShare: 0.05 },
    'staggered-expiry hierarchical-wheel 10000': { expireNsPerTimer: 500 }
  }
  const wanted = roundsWanted(await planOf({ only: ['A10'] }), { changes })
  assert.ok(
    Object.values(wanted).every(rounds => rounds <= 5),
    JSON.stringify(wanted)
  )
  const { claims, plan } = await planOf({ only: ['A9'] })
  const stopRule = new Schedule(plan, claims)
  const failed = (/** @type {number} */ round) =>
    measure(plan, { from: round, rounds: 1 }).map(sample => ({
      ...sample,
      failure: { kind: /** @type {const} */ ('crash'), message: '' }
    }))
  stopRule.see(failed(0))
  assert.equal(stopRule.wants(plan.cells[0], { kind: 'profile' }), true)
  stopRule.see(failed(1))
  assert.equal(stopRule.wants(plan.cells[0], { kind: 'profile' }), false)
})

test('a round counts when all of its samples are there, however early a later round ends', async () => {
  const { claims, plan } = await planOf({ only: ['E6'] })
  const schedule = new Schedule(plan, claims)
  const isWanted = () => schedule.wants(plan.cells[0], { kind: 'heat' })
  for (const from of [0, 2]) schedule.see(measure(plan, { from, rounds: 1 }))
  assert.ok(isWanted())
  schedule.see(measure(plan, { from: 1, rounds: 1 }))
  assert.ok(!isWanted())
})

test('two figures of one cell are one pair a round', async () => {
  const { claims, plan } = await planOf({ only: ['E6'] })
  const stopRule = new Schedule(plan, claims)
  stopRule.see(measure(plan, { rounds: 1 }))
  assert.equal(stopRule.wants(plan.cells[0], { kind: 'heat' }), true)
})

test('a claim is judged by the first look that decides it, whatever is measured later for others', async () => {
  const { claims: [claim], plan } = await planOf({ only: ['A9'] })
  const share = (/** @type {number} */ queueTickShare) => ({
    changes: { 'keep-alive binary-heap 10000': { queueTickShare } }
  })
  const judge = (/** @type {number} */ first, /** @type {number} */ more) =>
    judgeClaim(claim, plan, [...measure(plan, share(first)), ...measure(plan, { ...share(more), from: 5, rounds: 15 })])
      .holds
  assert.equal(judge(0.05, 0.4), true)
  assert.equal(judge(0.2, 0.05), true)
  assert.equal(judge(0.2, 0.2), null)
})

test('the ratio of two ratios is taken heat by heat, so that what they share cancels', async () => {
  const { claims: [claim], plan } = await planOf({ only: ['E5'] })
  // Whatever slows the large sizes of a heat slows both queues.
  const samples = measure(plan, { rounds: 10 }).map(sample =>
    sample.params.size === 1_000_000
      ? { ...sample, metrics: { nsPerOp: sample.metrics.nsPerOp * (sample.round % 2 === 0 ? 1 : 3) } }
      : sample
  )
  assert.equal(judgeClaim(claim, plan, samples).holds, true)
})

test('the looks at a ratio on its limit decide it in at most 6 % of simulations', async () => {
  const next = normal(11)
  let decided = 0
  for (let trial = 0; trial < 1000; trial++) {
    /** @type {number[]} */
    const ratios = []
    const holds = LOOKS.some(look => {
      while (ratios.length < look) ratios.push(Math.exp(0.1 * next()))
      return decide(ratioInterval(ratios, CONFIDENCE), { above: 1 }) !== null
    })
    if (holds) decided++
  }
  assert.ok(decided <= 60, `${decided} of 1000`)
})

test('a profile is read as ticks of a busy server, and no tick as half a tick', async () => {
  const { plan } = await planOf({ only: ['A6', 'A7', 'A8'] })
  const [sample] = measure(plan)
  const details = {
    ...sample.details,
    ticks: 1000,
    queueTicks: 30,
    requests: 100,
    fired: 50,
    shares: { idleByProfile: 0.2 }
  }
  const read = (/** @type {any} */ details) =>
    ['queueTickShare', 'queueMicrosPerRequest', 'queueMicrosPerTimeout'].map(metric =>
      Number(observer(plan, [{ ...sample, details }])(sample, metric)[0].metrics[metric].toPrecision(6))
    )
  assert.deepEqual(read(details), [0.024, 240, 480])
  assert.equal(read({ ...details, queueTicks: 0 })[0], 0.0004)
})

test('busy time counts only in windows whose processes had their cores, and a semi-space by its ' +
  'whole window', async () => {
  const { plan } = await planOf({ only: ['C4', 'D2'] })
  const samples = measure(plan)
  const cluster = samples.find(({ scenario }) => scenario === 'files-cluster')
  const observe = (/** @type {any} */ sample, /** @type {string} */ metric, flags = '') =>
    observer(plan, [sample])({ ...sample, flags }, metric)
  const windowOf = (/** @type {number} */ userMicros) => ({
    ...cluster,
    details: { window: { ...cluster?.details.window, userMicros } }
  })
  assert.deepEqual(
    [950_000, 800_000].map(micros => observe(windowOf(micros), 'busyMicrosPerRequest').length),
    [1, 0]
  )
  const garbage = {
    ...samples.find(({ scenario }) => scenario === 'garbage'),
    slices: { cpuMicrosPerRequest: [1, 1, 9] }
  }
  const [{ slices, metrics }] = observe(garbage, 'windowCpuMicrosPerRequest', '--max-semi-space-size=16')
  assert.deepEqual([slices, metrics.windowCpuMicrosPerRequest], [undefined, garbage.metrics?.cpuMicrosPerRequest])
})

test('a claim that does not hold says why, as far as it is known', async () => {
  const { claims, plan } = await planOf({ only: ['E5', 'B4', 'A9'] })
  const rows = claims.map(claim =>
    judgeClaim(claim, plan, measure(plan, { changes: { 'start-cancel hierarchical-wheel 1000000': { nsPerOp: 200 } } }))
  )
  assert.deepEqual(
    rows.filter(({ holds }) => holds === false).map(({ id }) => id),
    ['E5']
  )
  const { measured } = rows[2]
  assert.match(
    measured,
    /^time: ordered-map with 1000000 17\d ns, ordered-map with 4000 4[56]\.?\d* ns, .*; ratio of the two 0\.39x \(.*\)\. In nanoseconds the map grows far more/
  )
})
