import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { createCell } from '../../../harness/model/cell.js'
import { claims } from '../../../harness/reproduce/claims/index.js'
import { openPart, planCells, planClaims, secondsOf } from '../../../harness/reproduce/index.js'
import { contradicted, judgeClaim, measuredCells } from '../../../harness/reproduce/judge.js'
import { readResults } from '../../../harness/store/results.js'
import { queues } from '../../../queues/index.js'
import { scenarios } from '../../../scenarios/index.js'
import { inMemory } from '../judge/samples-in-memory.js'

/** @param {string} id */
const claimOf = id => /** @type {import('../../../harness/reproduce/judge.js').Claim} */ (claims.find(claim => claim.id === id))

function readSmallRun () {
  const results = readResults(fileURLToPath(new URL('../../fixtures/runs/small', import.meta.url)))
  const all = [...results.samples]
  return { results: { ...results, samples: inMemory(all) }, all }
}

test("the server's own counters become figures", () => {
  const { results, all } = readSmallRun()
  const samples = all.filter(({ scenario, queue, failure }) => scenario === 'keep-alive' && queue === 'binary-heap' && !failure)
  assert.ok(samples.length > 0)
  for (const { details } of samples) details.window = { ...details.window, requests: 500, windowMs: 250, eventLoopUtilization: 1.5, collections: { minor: { count: 7 }, major: { count: 1 } } }
  const figuresOf = (/** @type {string} */ name) => measuredCells(results).find(({ scenario, queue }) => scenario === 'keep-alive' && queue === name)?.metrics ?? {}
  const { scavengesPerThousandRequests, servedPerSecond, busyLoops, gcCount } = figuresOf('binary-heap')
  assert.equal(scavengesPerThousandRequests.median, 14)
  assert.deepEqual([servedPerSecond.median, busyLoops.median], [2000, 1.5])
  assert.notEqual(gcCount.median, 7)

  for (const { details } of samples) details.window = { ...details.window, collections: {} }
  assert.equal(figuresOf('binary-heap').scavengesPerThousandRequests.median, 0)
})

test("what Little's law says of busy processes is read from windows in which they had cores", () => {
  const { results, all } = readSmallRun()
  const sample = all.find(({ scenario, queue, channel }) => scenario === 'keep-alive' && queue === 'binary-heap' && channel === 'time')
  assert.ok(sample)
  // Two processes that were ready to run for 2 s, together, in a window of one.
  const windowOf = (/** @type {number} */ cpuSeconds, /** @type {number} */ requests) =>
    ({ ...sample.details.window, windowMs: 1000, requests, eventLoopUtilization: 2, userMicros: 1e6 * cpuSeconds - 100, systemMicros: 100 })
  const figuresOf = (/** @type {any[]} */ windows) => {
    const samples = windows.map((window, round) => ({ ...sample, round, metrics: { busyMicrosPerRequest: 2e6 / window.requests }, details: { window } }))
    const { busyLoops, busyMicrosPerRequest, servedPerSecond } = measuredCells({ ...results, samples: inMemory(samples) }).find(({ scenario, queue }) => scenario === 'keep-alive' && queue === 'binary-heap')?.metrics ?? {}
    return [busyLoops, busyMicrosPerRequest, servedPerSecond].map(({ n, median }) => [n, median])
  }
  // In the last one another program had half of a core.
  assert.deepEqual(figuresOf([windowOf(1.9, 500), windowOf(1.81, 500), windowOf(1.5, 250)]), [[2, 2], [2, 4000], [3, 500]])
  assert.deepEqual(figuresOf([windowOf(1.5, 250)]), [[0, 2], [0, 8000], [1, 250]], 'of none: nothing is decided')
})

test('a count is the same in every run: one decides', () => {
  const { results } = readSmallRun()
  const counts = measuredCells(results).flatMap(({ metrics }) => metrics.workPerOp ?? [])
  assert.ok(counts.length > 0)
  assert.deepEqual(new Set(counts.map(({ coverage }) => coverage)), new Set([1]))
})

test("a server's counters are those of its heats, where it has been in any", () => {
  const { results, all } = readSmallRun()
  const [sample] = all.filter(({ scenario, queue, failure }) => scenario === 'keep-alive' && queue === 'binary-heap' && !failure)
  const details = { window: { ...sample.details.window, requests: 1000, collections: { minor: { count: 3 } } } }
  const samples = [...all, ...[0, 1].map(round => ({ ...sample, channel: /** @type {const} */ ('heat'), round, heat: `heat ${round}`, heatSize: 1, details }))]
  const { scavengesPerThousandRequests } = measuredCells({ ...results, samples: inMemory(samples) }).find(({ scenario, queue }) => scenario === 'keep-alive' && queue === 'binary-heap')?.metrics ?? {}
  assert.deepEqual([scavengesPerThousandRequests.median, scavengesPerThousandRequests.n], [3, 2])
  assert.deepEqual([...scavengesPerThousandRequests.observations?.values.keys() ?? []], ['heat 0', 'heat 1'])
})

/**
 * Profiles of two queues: how many of 1000 ticks were the queue's in each.
 *
 * @param {Record<string, number[]>} ticksOf
 * @param {{fired?: number, idle?: number}} [server]
 */
function profiledRun (ticksOf, { fired = 50, idle = 0.2 } = {}) {
  const cells = Object.keys(ticksOf).map(queue => createCell({ scenario: 'timeouts', params: { connections: 5000 }, queue, runtime: 'v20' }))
  const samples = cells.flatMap(({ id, ...cell }) => ticksOf[cell.queue].map((queueTicks, round) => ({
    cell: id,
    round,
    ...cell,
    channel: /** @type {const} */ ('profile'),
    started: '',
    seconds: 1,
    warnings: [],
    // By time, one tick before a collection may make a share of anything.
    metrics: { queueShare: round === 0 ? 0.9 : 0.001 },
    details: {
      tool: 'cpu',
      files: [],
      ticks: 1000,
      queueTicks,
      requests: 100,
      fired,
      shares: { idleByProfile: idle },
      window: { windowMicros: 1e6, cpuMicros: 1e6, runningShare: 1 }
    }
  })))
  const plan = { settings: { rounds: 5, control: {} }, queues: [], scenarios: [], runtimes: [], cells }
  return /** @type {any} */ ({ directory: '', run: { plan, command: [], started: '', ended: '' }, samples: inMemory(samples), warnings: [] })
}

test('the share of a queue is that of the ticks in which the server was busy', () => {
  const [{ metrics: { queueShare, queueMicrosPerRequest, queueMicrosPerTimeout } }] = measuredCells(profiledRun({ 'binary-heap': [10, 20, 30, 40, 50] }))
  // 30 of 1000 ticks of the 80 % in which it was busy, of 1 s for 100 requests and 50 timeouts.
  assert.deepEqual([queueShare, queueMicrosPerRequest, queueMicrosPerTimeout].map(({ median }) => Number(median.toPrecision(6))), [0.024, 240, 480])
  assert.ok(queueShare.low < 0.015 && queueShare.high > 0.035)
  assert.deepEqual([queueShare.n, queueShare.ticks, queueShare.observations?.by], [5, 1000, 'process'])
})

for (const { shares, array, heap, holds } of [
  { shares: 'that are clearly different, though not in every round,', array: [22, 30, 26, 24, 28], heap: [9, 21, 12, 25, 10], holds: true },
  { shares: 'that are different the other way round', array: [9, 11, 12, 13, 10], heap: [22, 30, 26, 24, 28], holds: false },
  { shares: 'that overlap', array: [22, 10, 26, 24, 12], heap: [9, 21, 25, 23, 10], holds: null }
]) {
  test(`shares of processes ${shares} ${holds === null ? 'are undecided' : 'are decided'}`, () => {
    const cells = measuredCells(profiledRun({ 'unsorted-array': array, 'binary-heap': heap }))
    assert.deepEqual(['A6', 'A7'].map(id => judgeClaim(claimOf(id), cells, 'quick').holds), [holds, holds])
  })
}

test('more confidence takes more', () => {
  const run = profiledRun({ 'unsorted-array': [22, 30, 26, 24, 28, 23, 29, 25, 27, 31] })
  const widthOf = (/** @type {number} */ confidence) => {
    const { queueShare: { observations, low, high } } = measuredCells(run, confidence)[0].metrics
    return { confidence: observations?.confidence, width: high - low }
  }
  const [usual, sure] = [0.95, 0.99].map(widthOf)
  assert.deepEqual([usual.confidence, sure.confidence], [0.95, 0.99])
  assert.ok(sure.width > usual.width)
})

/** The machine is so much slower in each heat. */
const SLOWNESS = [1, 1.6, 0.7, 1.3, 0.9]

/**
 * A run of a heap, whose expiry costs twice as much with ten times the timers, and an array, whose costs ten times.
 *
 * @param {(heat: {round: number, size: number}) => Partial<import('../../../harness/store/results.js').Sample>} placeOf
 */
function staggeredRun (placeOf) {
  const costs = { 'binary-heap': { 1000: 50, 10_000: 100 }, 'unsorted-array': { 1000: 1500, 10_000: 15_000 } }
  const cells = Object.entries(costs).flatMap(([queue, bySize]) => Object.entries(bySize).map(([size, cost]) =>
    ({ cost, ...createCell({ scenario: 'staggered-expiry', params: { size: Number(size) }, queue, runtime: 'v20' }) })))
  const samples = SLOWNESS.flatMap((slowness, round) => cells.map(({ cost, id, ...cell }) => {
    const ns = cost * slowness
    return {
      cell: id,
      round,
      ...cell,
      started: '',
      seconds: 1,
      warnings: [],
      metrics: { expireNsPerTimer: ns },
      // The middle of its slices is the same for all, though disturbances hit one or the other.
      slices: { expireNsPerTimer: [ns, 3 * ns, ns, null, ns * (1 + round / 100)] },
      ...placeOf({ round, size: cell.params.size })
    }
  }))
  const plan = { settings: { rounds: 5, control: {} }, queues: [], scenarios: [], runtimes: [], cells }
  return /** @type {any} */ ({ directory: '', run: { plan, command: [], started: '', ended: '' }, samples: inMemory(samples), warnings: [] })
}

for (const { together, placeOf, holds } of [
  { together: 'in one heat', placeOf: (/** @type {{round: number}} */ { round }) => ({ channel: /** @type {const} */ ('heat'), heat: `round ${round}`, heatSize: 4 }), holds: true },
  { together: 'in a heat for each size', placeOf: (/** @type {{round: number, size: number}} */ { round, size }) => ({ channel: /** @type {const} */ ('heat'), heat: `${size} round ${round}`, heatSize: 2 }), holds: null },
  { together: 'alone in the same rounds', placeOf: () => ({ channel: /** @type {const} */ ('time') }), holds: true }
]) {
  test(`growth that was measured ${together} on a machine whose speed changes is ${holds === null ? 'undecided' : 'decided'}`, () => {
    const row = judgeClaim(claimOf('A4'), measuredCells(staggeredRun(placeOf)), 'quick')
    assert.equal(row.holds, holds, row.measured)
  })
}

const catalogue = /** @type {any} */ ({
  queue: (/** @type {string} */ name) => queues.find(queue => queue.name === name),
  scenario: (/** @type {string} */ name) => scenarios.find(scenario => scenario.name === name),
  runtimes: async () => [{ name: 'v20', path: process.execPath, flags: [] }]
})

for (const { id, preset, planned } of [
  { id: 'A4', preset: 'quick', planned: { size: [1000, 10_000] } },
  { id: 'A4', preset: 'documented', planned: { size: [10_000, 100_000] } },
  { id: 'A9', preset: 'quick', planned: { connections: [10_000], seconds: [2], threads: [2] } },
  { id: 'A9', preset: 'documented', planned: { connections: [10_000], seconds: [30], threads: [12] } },
  { id: 'E3', preset: 'documented', planned: { size: [100_000] } }
]) {
  test(`${id} is measured with ${JSON.stringify(planned)} in the ${preset} preset`, async () => {
    const { scenarios: [{ values }] } = await planCells(claimOf(id).cells[0], /** @type {any} */ ({ preset }), catalogue)
    assert.deepEqual(values, planned)
  })
}

const settings = /** @type {any} */ ({ preset: 'quick', rounds: 5, micro: {} })
/** @param {string[]} only */
const planOf = (...only) => planClaims(only.length > 0 ? only.map(claimOf) : claims, settings, catalogue)
/** @param {import('../../../harness/plan/arrangement.js').CellGroup[]} groups */
const shortly = groups => groups.map(({ cells, rounds }) => `${rounds} x ${cells.map(id => id.replace(/ v20.*/, '')).join(', ')}`)

test('a queue in two sizes is measured in one heat, for all claims on its growth', async () => {
  const { plan: { arrangement }, profiled } = await planOf('A4', 'E1')
  const queues = ['unsorted-array', 'binary-heap', 'sorted-list', 'hierarchical-wheel']
  assert.deepEqual(shortly(arrangement?.heats ?? []), [`5 x ${[1000, 10_000].flatMap(size => queues.map(queue => `staggered-expiry size=${size} ${queue}`)).join(', ')}`])
  assert.deepEqual([arrangement?.windows, profiled.cells], [[], []])
})

test('of a claim on growth that caches hide, the work is counted', async () => {
  const { plan: { arrangement } } = await planOf('A5')
  assert.deepEqual(arrangement?.counts?.map(id => id.replace(/ v20.*/, '')), [1000, 10_000].map(size => `staggered-expiry size=${size} binary-heap`))
  assert.equal(arrangement?.heats.length, 1)
})

test('what is hard to decide is measured more often', async () => {
  const { plan: { arrangement } } = await planOf('D2')
  assert.match(shortly(arrangement?.heats ?? [])[0], /^10 x garbage /)
})

test('servers of files are measured alone, those of one claim one after the other', async () => {
  const { plan: { arrangement } } = await planOf('C4')
  assert.deepEqual(arrangement?.heats, [])
  assert.equal(arrangement?.windows.length, 1)
  assert.equal(arrangement?.windows[0].cells.length, 3)
})

test('a server of which only the share is asked is only profiled', async () => {
  const { plan, profiled } = await planOf('A9')
  assert.deepEqual(plan.arrangement, { counts: [], heats: [], windows: [] })
  assert.deepEqual(profiled.cells.map(({ queue }) => queue), ['sorted-list', 'binary-heap'])
  assert.deepEqual(profiled.settings.rounds, 5)
})

test('shares that are hard to tell from each other are taken of more processes', async () => {
  const { profiles } = await planOf('A3')
  assert.deepEqual(shortly(profiles).map(profile => profile.replaceAll('keep-alive connections=400 threads=2 seconds=1 ', '')), [
    '5 x sorted-list', '10 x unsorted-array, binary-heap'
  ])
})

test("no profile is asked of Node's own timers: they are in no module that it could tell from others", async () => {
  const { profiles } = await planOf()
  assert.ok(profiles.length > 0)
  assert.deepEqual(profiles.flatMap(({ cells }) => cells.filter(id => / node /.test(id))), [])
})

test('a second look measures what a claim may yet turn on, and not what the first has made clear', async () => {
  const { plan, profiles } = await planClaims([openPart(claimOf('A10'))], settings, catalogue)
  assert.deepEqual(plan.arrangement, { counts: [], heats: [], windows: [] })
  assert.deepEqual(profiles.flatMap(({ cells, rounds }) => cells.map(id => `${rounds} x ${id.split(' ').at(-2)}`)), ['10 x hierarchical-wheel', '10 x binary-heap'])
  for (const claim of claims) assert.ok(openPart(claim).cells.every(cells => claim.cells.includes(cells)), claim.id)
})

test('what a claim takes is the time of its own cells, measured the way that it asks for', async () => {
  const { profiled: { cells: [profiled] } } = await planOf('A9')
  const samples = [
    { cell: profiled.id, channel: 'profile', seconds: 4 },
    { cell: profiled.id, channel: 'heat', seconds: 7, heatSize: 6 },
    { cell: profiled.id.replace('10000', '400'), channel: 'profile', seconds: 1 }
  ]
  assert.equal(secondsOf(await planOf('A9'), /** @type {any} */ (samples)), 4)
  const { plan: { cells: [server] } } = await planOf('C4')
  const windows = [{ cell: server.id, channel: 'time', seconds: 2 }, { cell: server.id, channel: 'profile', seconds: 5 }]
  assert.equal(secondsOf(await planOf('C4'), /** @type {any} */ (windows)), 2)
  const { plan: { cells: [server400] } } = await planOf('A2')
  const heat = [{ cell: server400.id, channel: 'heat', seconds: 6, heatSize: 6 }]
  assert.equal(secondsOf(await planOf('A2'), /** @type {any} */ (heat)), 1)
})

test('no cell is measured twice in a round, and every cell of the plan is measured', async () => {
  const { plan: { cells, arrangement }, profiled } = await planOf()
  const measured = [...arrangement?.heats ?? [], ...arrangement?.windows ?? []].flatMap(({ cells }) => cells)
  assert.deepEqual(measured.filter((id, index) => measured.indexOf(id) !== index), [])
  const planned = cells.map(({ id }) => id)
  assert.deepEqual([...new Set([...measured, ...profiled.cells.map(({ id }) => id)])].sort(), planned.sort())
})

test('flags of one server are compared in one heat', async () => {
  const runtimes = async (flags = '') => flags.split('=')[1].split(',').map(size => ({ name: `v20 ${size}`, path: process.execPath, flags: [] }))
  const { plan: { arrangement } } = await planClaims([claimOf('D2')], settings, { ...catalogue, runtimes })
  assert.deepEqual(arrangement?.heats.map(({ cells }) => cells.length), [4])
})

test('where a claim does not hold, its row says why, as far as it is known', () => {
  const measuredOf = (/** @type {boolean | null} */ holds) =>
    judgeClaim({ id: 'A1', claim: '', documented: '', cells: [], whyNot: 'Caches', judge: () => ({ measured: '1 ns', holds }) }, [], 'quick').measured
  assert.deepEqual([true, false, null].map(measuredOf), ['1 ns', '1 ns. Caches', '1 ns'])
})

test('only claims that were decided and do not hold are contradicted', () => {
  const judged = (/** @type {boolean | null} */ holds) =>
    judgeClaim({ id: String(holds), claim: '', documented: '', cells: [], judge: () => ({ measured: '', holds }) }, [], 'quick')
  const excluded = judgeClaim({ id: 'excluded', claim: '', documented: '', cells: [], excluded: 'too large' }, [], 'quick')
  const rows = [true, false, null].map(judged).concat(excluded)
  assert.deepEqual(rows.map(({ verdict }) => verdict), ['held', 'not held', 'undecided', 'excluded'])
  assert.deepEqual(contradicted(rows).map(({ id }) => id), ['false'])
})
