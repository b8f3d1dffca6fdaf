import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { judgeFinding, measuredCells, planCells } from '../../harness/reproduce.js'
import { readResults } from '../../harness/results.js'
import { queues } from '../../queues/index.js'
import { findings } from '../../scenarios/findings.js'
import { scenarios } from '../../scenarios/index.js'

/** @param {string} id */
const findingOf = id => /** @type {import('../../scenarios/findings.js').Finding} */ (findings.find(finding => finding.id === id))

/**
 * @param {string} queue
 * @param {number} size
 * @param {Record<string, number>} medians
 */
const cellOf = (queue, size, medians) => /** @type {any} */ ({
  scenario: 'staggered-expiry',
  queue,
  params: { size },
  runtime: 'v20',
  metrics: Object.fromEntries(Object.entries(medians).map(([name, median]) => [name, { median, low: median * 0.9, high: median * 1.1 }]))
})

test('a finding holds when the figures have its shape, and fails when they have not', () => {
  const linear = [1000, 10_000].map(size => cellOf('unsorted-array', size, { expireNsPerTimer: size }))
  const flat = [1000, 10_000].map(size => cellOf('unsorted-array', size, { expireNsPerTimer: 50 }))
  assert.equal(judgeFinding(findingOf('A4'), linear, 'quick').holds, true)
  assert.equal(judgeFinding(findingOf('A4'), flat, 'quick').holds, false)
})

test('figures whose intervals overlap cannot be told apart', () => {
  const cells = (/** @type {number} */ list) => [cellOf('unordered-list', 10_000, { expireNsPerTimer: list }), cellOf('duration-lists', 10_000, { expireNsPerTimer: 100 })]
  assert.equal(judgeFinding(findingOf('E2'), cells(150), 'quick').holds, true)
  assert.equal(judgeFinding(findingOf('E2'), cells(110), 'quick').holds, null)
  assert.equal(judgeFinding(findingOf('E2'), cells(50), 'quick').holds, false)
})

test('what was not measured does not hold, and says what is missing', () => {
  const row = judgeFinding(findingOf('A4'), [], 'quick')
  assert.equal(row.holds, null)
  assert.match(row.measured, /could not be measured: no expireNsPerTimer of unsorted-array on staggered-expiry/)
})

test('no finding holds without figures', () => {
  for (const finding of findings) assert.equal(judgeFinding(finding, [], 'quick').holds, null, finding.id)
})

/**
 * A machine of two cores where a request takes a process 2 ms, and twice as long asynchronously.
 *
 * @param {object} [machine]
 * @param {number} [machine.sync]  Milliseconds.
 * @param {number} [machine.async]
 * @param {number[]} [machine.speedups]  Of 1, 2 and 4 workers.
 * @param {number} [machine.idle]  Share of its time that a process is idle under full load.
 */
function fileCells ({ sync = 2, async = 4, speedups = [1, 2, 2], idle = 0 } = {}) {
  const cell = (/** @type {string} */ scenario, /** @type {Record<string, number>} */ params, /** @type {Record<string, number>} */ medians) =>
    ({ ...cellOf('node', 0, medians), scenario, params })
  const latencies = (/** @type {number} */ ms) => ({ getLatencyP50Ms: ms, getLatencyP99Ms: 2 * ms, postLatencyP50Ms: ms, postLatencyP99Ms: 2 * ms })
  return [0, 1, 2].flatMap(split => [
    cell('files-async', { connections: 32, split }, { requestsPerSecond: 1000 / async, ...latencies(32 * async) }),
    ...[1, 2, 4].map((workers, index) => cell('files-cluster', { workers, connections: 32, split }, {
      requestsPerSecond: 1000 / sync * speedups[index],
      ...latencies(32 * sync / speedups[index]),
      busyMicrosPerRequest: 1000 * sync,
      busyProcesses: workers * (1 - idle)
    }))
  ]).concat(cell('files-cluster', { workers: 2, connections: 1, split: 0 }, { requestsPerSecond: 400, busyProcesses: 0.8 }))
}

const fileCases = [
  { id: 'C1', holds: true },
  { id: 'C1', machine: { async: 2.1 }, holds: null },
  { id: 'C1', machine: { async: 1 }, holds: false },
  { id: 'C2', holds: true },
  { id: 'C2', machine: { speedups: [1, 1, 2] }, holds: null },
  { id: 'C2', machine: { speedups: [1, 0.7, 2] }, holds: false },
  { id: 'C2', machine: { speedups: [1, 2, 1.5] }, cores: 4, holds: false },
  { id: 'C2', machine: { speedups: [1, 2, 4] }, cores: 4, holds: true },
  { id: 'C2', cores: 1, holds: null },
  { id: 'C3', holds: true },
  { id: 'C3', machine: { sync: 16 }, holds: false },
  { id: 'C4', holds: true },
  { id: 'C4', machine: { speedups: [1, 1.4, 1.4] }, holds: null },
  { id: 'C4', machine: { speedups: [1, 0.8, 0.8] }, holds: false },
  { id: 'C4', machine: { idle: 0.5 }, holds: false }
]

for (const { id, machine, cores = 2, holds } of fileCases) {
  test(`${id} with ${JSON.stringify(machine ?? 'what the document says')} on ${cores} cores: ${holds}`, () => {
    const row = judgeFinding(findingOf(id), fileCells(machine), 'quick', cores)
    assert.equal(row.holds, holds, row.measured)
  })
}

const WIKI_SHARES = { 'sorted-list': 0.4, 'unsorted-array': 0.03, 'binary-heap': 0.05, 'duration-lists': 0.025, 'hierarchical-wheel': 0.02 }
const WIKI_MICROS = { node: 80, 'sorted-list': 150, 'unsorted-array': 90, 'binary-heap': 90, 'duration-lists': 85, 'hierarchical-wheel': 85 }

/**
 * Intervals of 2 % to either side.
 *
 * @param {string} scenario
 * @param {string} queue
 * @param {Record<string, number>} params
 * @param {Record<string, number>} medians
 * @param {string} [runtime]
 */
const measured = (scenario, queue, params, medians, runtime = 'v20') => /** @type {any} */ ({
  scenario,
  queue,
  params,
  runtime,
  metrics: Object.fromEntries(Object.entries(medians).map(([name, median]) => [name, { median, low: median * 0.98, high: median * 1.02 }]))
})

/**
 * @param {object} [changes]
 * @param {Record<string, number>} [changes.shares]
 * @param {Record<string, number>} [changes.micros]  CPU per request; requests per second follow from it.
 * @param {number} [changes.connections]
 */
const keepAlive = ({ shares = {}, micros = {}, connections = 400 } = {}) => {
  const shareOf = /** @type {Record<string, number>} */ ({ ...WIKI_SHARES, ...shares })
  return Object.entries({ ...WIKI_MICROS, ...micros }).map(([queue, cpuMicrosPerRequest]) => measured('keep-alive', queue, { connections }, {
    cpuMicrosPerRequest, requestsPerSecond: 1e6 / cpuMicrosPerRequest, ...(queue === 'node' ? {} : { queueShare: shareOf[queue] })
  }))
}
/**
 * @param {string} queue
 * @param {string} metric
 * @param {Record<number, number>} bySize
 */
const staggered = (queue, metric, bySize) => Object.entries(bySize).map(([size, ns]) => measured('staggered-expiry', queue, { size: Number(size) }, { [metric]: ns }))
/** @param {Record<string, number>} byQueue */
const timeouts = byQueue => Object.entries(byQueue).map(([queue, micros]) => measured('timeouts', queue, {}, { cpuMicrosPerTimeout: micros, cpuMicrosPerRequest: 1 }))
/**
 * @param {string} metric
 * @param {Record<string, number>} byQueue
 * @param {number} [size]
 */
const polled = (metric, byQueue, size = 1) => Object.entries(byQueue).map(([queue, ns]) => measured('one-timer-poll', queue, { size }, { [metric]: ns }))
/** @param {Record<string, number[]>} byQueue  With 10, 100, 1000 and 10 000 timers. */
const mixed = byQueue => Object.entries(byQueue).flatMap(([queue, times]) => times.map((ns, index) => measured('mixed', queue, { size: 10 ** (index + 1) }, { nsPerOp: ns })))
/**
 * @param {string} metric
 * @param {number[]} values  With 16, 64, 128 and 256 MB.
 */
const semiSpaces = (metric, values) => values.map((value, index) => measured('garbage', 'node', {}, { [metric]: value }, `v20 --max-semi-space-size=${[16, 64, 128, 256][index]}`))
/** @param {Record<string, number[]>} byQueue  With 4000 and a million timers. */
const cancelled = byQueue => Object.entries(byQueue).flatMap(([queue, times]) => times.map((ns, index) => measured('start-cancel', queue, { size: [4000, 1_000_000][index] }, { nsPerOp: ns })))
/** @param {Record<string, number>} byQueue */
const drainedEmpty = byQueue => Object.entries(byQueue).map(([queue, ns]) => measured('drain-empty', queue, { pause: 4 }, { nsPerOp: ns }))

const cases = [
  { id: 'A1', holds: true, cells: keepAlive() },
  { id: 'A1', holds: false, cells: keepAlive({ shares: { 'binary-heap': 0.5 } }) },
  { id: 'A1', holds: false, cells: keepAlive({ micros: { 'sorted-list': 70 } }) },
  { id: 'A2', holds: true, cells: keepAlive() },
  { id: 'A2', holds: false, cells: keepAlive({ shares: { 'unsorted-array': 0.2 } }) },
  { id: 'A2', holds: false, cells: keepAlive({ micros: { 'unsorted-array': 120 } }) },
  { id: 'A2', holds: false, cells: keepAlive({ micros: { 'unsorted-array': 80, 'sorted-list': 70 } }) },
  { id: 'A3', holds: true, cells: keepAlive() },
  { id: 'A3', holds: null, cells: keepAlive({ shares: { 'binary-heap': 0.031 } }) },
  { id: 'A3', holds: false, cells: keepAlive({ shares: { 'binary-heap': 0.01 } }) },
  { id: 'A3', holds: false, cells: keepAlive({ shares: { 'binary-heap': 0.3 } }) },
  { id: 'A4', holds: true, cells: staggered('unsorted-array', 'expireNsPerTimer', { 1000: 1000, 10_000: 10_000 }) },
  { id: 'A4', holds: false, cells: staggered('unsorted-array', 'expireNsPerTimer', { 1000: 50, 10_000: 60 }) },
  { id: 'A5', holds: true, cells: staggered('binary-heap', 'expireNsPerTimer', { 1000: 100, 10_000: 133 }) },
  { id: 'A5', holds: false, cells: staggered('binary-heap', 'expireNsPerTimer', { 1000: 100, 10_000: 900 }) },
  { id: 'A6', holds: true, cells: timeouts({ 'unsorted-array': 200, 'binary-heap': 100 }) },
  { id: 'A6', holds: false, cells: timeouts({ 'unsorted-array': 100, 'binary-heap': 200 }) },
  { id: 'A7', holds: true, cells: timeouts({ 'unsorted-array': 200, 'binary-heap': 100 }) },
  { id: 'A7', holds: false, cells: timeouts({ 'unsorted-array': 100, 'binary-heap': 200 }) },
  ...[true, false].map(holds => ({
    id: 'A8',
    holds,
    cells: ['unsorted-array', 'binary-heap'].map((queue, index) => measured('timeouts-one-in-ten', queue, {}, { cpuMicrosPerRequest: holds ? 200 - 100 * index : 100 + 100 * index }))
  })),
  { id: 'A9', holds: true, cells: keepAlive({ connections: 10_000 }) },
  { id: 'A9', holds: false, cells: keepAlive({ connections: 10_000, shares: { 'binary-heap': 0.3 } }) },
  ...[
    { holds: true, share: 0.02, ns: 50 },
    { holds: false, share: 0.08, ns: 50 },
    { holds: false, share: 0.02, ns: 500 },
    { holds: null, share: 0.05, ns: 50 }
  ].map(({ holds, share, ns }) => ({
    id: 'A10',
    holds,
    cells: [
      ...keepAlive({ shares: { 'hierarchical-wheel': share } }),
      ...staggered('hierarchical-wheel', 'expireNsPerTimer', { 10_000: ns }),
      ...staggered('binary-heap', 'expireNsPerTimer', { 10_000: 150 })
    ]
  })),
  { id: 'B1', holds: true, cells: polled('advanceNsPerCall', { 'hashed-wheel': 12_000, 'hierarchical-wheel': 5 }) },
  { id: 'B1', holds: false, cells: polled('advanceNsPerCall', { 'hashed-wheel': 600, 'hierarchical-wheel': 5 }) },
  ...[
    { holds: true, poll: 20, drain: 30 },
    { holds: false, poll: 20, drain: 20_000 },
    { holds: false, poll: 20_000, drain: 30 }
  ].map(({ holds, poll, drain }) => ({
    id: 'B2',
    holds,
    cells: [
      ...polled('advanceNsPerCall', { 'hashed-wheel': 12_000, 'hashed-wheel-bounded': poll }),
      ...drainedEmpty({ 'hashed-wheel': 12_000, 'hashed-wheel-bounded': drain })
    ]
  })),
  ...[true, false].map(holds => ({
    id: 'B3',
    holds,
    cells: [measured('one-timer-poll', 'hashed-wheel', { size: 1 }, { nextExpiryNsPerCall: holds ? 4000 : 40_000, advanceNsPerCall: 12_000 })]
  })),
  ...[{ holds: true, many: 30 }, { holds: false, many: 5000 }].map(({ holds, many }) => ({
    id: 'B5',
    holds,
    cells: [...polled('advanceNsPerCall', { 'hierarchical-wheel': 5 }), ...polled('advanceNsPerCall', { 'hierarchical-wheel': many }, 100_000)]
  })),
  ...[{ holds: true, map: 150 }, { holds: false, map: 5000 }].map(({ holds, map }) => ({
    id: 'B6',
    holds,
    cells: [...polled('advanceNsPerCall', { 'hashed-wheel': 12_000, 'ordered-map': map }), ...mixed({ 'ordered-map': [9, 9, 9, 9], 'hierarchical-wheel': [9, 9, 9, 9] })]
  })),
  ...[
    { holds: true, single: [10, 30, 200, 2000] },
    { holds: false, single: [80, 90, 200, 2000] },
    { holds: false, single: [10, 10, 10, 10] },
    { holds: null, single: [40, 90, 200, 2000] }
  ].map(({ holds, single }) => ({
    id: 'B7',
    holds,
    cells: mixed({ 'single-wakeup': single, 'binary-heap': [50, 60, 70, 80], 'ordered-map': [90, 90, 90, 90], 'hierarchical-wheel': [40, 40, 40, 40] })
  })),
  { id: 'D1', holds: true, cells: semiSpaces('scavenges', [1000, 294, 145, 72]) },
  { id: 'D1', holds: false, cells: semiSpaces('scavenges', [1000, 800, 700, 600]) },
  { id: 'D2', holds: true, cells: semiSpaces('cpuMicrosPerRequest', [100, 80, 79, 79]) },
  { id: 'D2', holds: false, cells: semiSpaces('cpuMicrosPerRequest', [100, 90, 89, 80]) },
  { id: 'D2', holds: null, cells: semiSpaces('cpuMicrosPerRequest', [100, 100.2, 101, 101.3]) },
  { id: 'D2', holds: false, cells: semiSpaces('cpuMicrosPerRequest', [80, 100, 100, 100]) },
  ...[
    { holds: true, list: 10_000, wheel: 40 },
    { holds: false, list: 1500, wheel: 40 },
    { holds: false, list: 10_000, wheel: 300 }
  ].map(({ holds, list, wheel }) => ({
    id: 'E1',
    holds,
    cells: [...staggered('sorted-list', 'startNsPerTimer', { 1000: 1000, 10_000: list }), ...staggered('hierarchical-wheel', 'startNsPerTimer', { 1000: 30, 10_000: wheel })]
  })),
  ...[{ holds: true, lists: 100 }, { holds: false, lists: 20_000 }].map(({ holds, lists }) => ({
    id: 'E2',
    holds,
    cells: [...staggered('unordered-list', 'expireNsPerTimer', { 10_000: 10_000 }), ...staggered('duration-lists', 'expireNsPerTimer', { 10_000: lists })]
  })),
  ...[{ holds: true, lists: 200 }, { holds: false, lists: 60 }].map(({ holds, lists }) => ({
    id: 'E3',
    holds,
    cells: [['unordered-list', 40], ['duration-lists', lists]].map(([queue, ns]) => measured('distinct-durations-cancelled', String(queue), {}, { nsPerOp: Number(ns) }))
  })),
  ...[{ holds: true, wheel: 300 }, { holds: false, wheel: 100 }].map(({ holds, wheel }) => ({
    id: 'E4',
    holds,
    cells: [['hierarchical-wheel', wheel], ['binary-heap', 200]].map(([queue, ns]) => measured('far-future-cascade', String(queue), {}, { expireNsPerTimer: Number(ns) }))
  })),
  { id: 'E5', holds: true, cells: cancelled({ 'ordered-map': [46, 172], 'hierarchical-wheel': [21, 22] }) },
  { id: 'E5', holds: false, cells: cancelled({ 'ordered-map': [46, 172], 'hierarchical-wheel': [21, 200] }) },
  { id: 'E5', holds: null, cells: cancelled({ 'ordered-map': [40, 400], 'hierarchical-wheel': [20, 196] }) },
  { id: 'E6', holds: true, cells: [measured('million-timers', 'binary-heap', {}, { startNsPerTimer: 85, expireNsPerTimer: 915 })] },
  { id: 'E6', holds: false, cells: [measured('million-timers', 'binary-heap', {}, { startNsPerTimer: 85, expireNsPerTimer: 100 })] }
]

for (const { id, holds, cells } of cases) {
  const row = judgeFinding(findingOf(id), cells, 'quick')
  test(`${id} is ${holds}: ${row.measured}`, () => {
    assert.equal(row.holds, holds)
    assert.doesNotMatch(row.measured, /could not be measured/)
  })
}

test("Little's law is shown as a prediction beside what was busy", () => {
  const { measured } = judgeFinding(findingOf('C4'), fileCells(), 'quick', 2)
  assert.equal(measured, '400/s x 2 ms = 0.8 processes, 0.8 of 2 were busy; 1000/s x 2 ms = 2 processes, 2 of 2 were busy')
})

test("the server's own counters become figures", () => {
  const results = readResults(fileURLToPath(new URL('../fixtures/runs/small', import.meta.url)))
  const samples = results.samples.filter(({ scenario, queue, failure }) => scenario === 'keep-alive' && queue === 'binary-heap' && !failure)
  assert.ok(samples.length > 0)
  for (const { details } of samples) details.window = { ...details.window, userMicros: 600, systemMicros: 400, collections: { minor: { count: 7 }, major: { count: 1 } }, timers: { fired: 10 } }
  const figuresOf = (/** @type {string} */ name) => measuredCells(results).find(({ scenario, queue }) => scenario === 'keep-alive' && queue === name)?.metrics ?? {}
  const { scavenges, cpuMicrosPerTimeout, gcCount } = figuresOf('binary-heap')
  assert.equal(scavenges.median, 7)
  assert.equal(cpuMicrosPerTimeout.median, 100)
  assert.notEqual(gcCount.median, 7)

  for (const { details } of samples) details.window = { ...details.window, collections: {}, timers: { fired: 0 } }
  assert.equal(figuresOf('binary-heap').scavenges.median, 0)
  assert.equal('cpuMicrosPerTimeout' in figuresOf('binary-heap'), false)
})

const catalogue = /** @type {any} */ ({
  queue: (/** @type {string} */ name) => queues.find(queue => queue.name === name),
  scenario: (/** @type {string} */ name) => scenarios.find(scenario => scenario.name === name),
  runtimes: async () => [{ name: 'v20', path: process.execPath, flags: [] }]
})

for (const { id, preset, planned } of [
  { id: 'A4', preset: 'quick', planned: { size: [1000, 10_000] } },
  { id: 'A4', preset: 'documented', planned: { size: [10_000, 100_000] } },
  { id: 'A9', preset: 'quick', planned: { connections: [10_000], seconds: [3], threads: [2] } },
  { id: 'A9', preset: 'documented', planned: { connections: [10_000], seconds: [30], threads: [12] } },
  { id: 'E3', preset: 'documented', planned: { size: [100_000] } }
]) {
  test(`${id} is measured with ${JSON.stringify(planned)} in the ${preset} preset`, async () => {
    const { scenarios: [{ values }] } = await planCells(findingOf(id).cells[0], /** @type {any} */ ({ preset }), catalogue)
    assert.deepEqual(values, planned)
  })
}

test('growth is judged by the sizes that the preset measures', () => {
  const linear = [10_000, 100_000].map(size => cellOf('unsorted-array', size, { expireNsPerTimer: size }))
  assert.equal(judgeFinding(findingOf('A4'), linear, 'documented').holds, true)
  assert.equal(judgeFinding(findingOf('A4'), linear, 'quick').holds, null)
})

test('every finding that can be measured holds with some figures and fails with others', () => {
  for (const { id } of findings.filter(({ id }) => id !== 'B4')) {
    for (const holds of [true, false]) assert.ok([...cases, ...fileCases].some(one => one.id === id && one.holds === holds), `${id}: ${holds}`)
  }
})

test('wheels of another size than the document\'s tell nothing about its loss', () => {
  const cells = ['hashed-wheel', 'hashed-wheel-bounded'].map((queue, index) => ({ ...cellOf(queue, 100, { expireNsPerTimer: 100 + 100 * index }), scenario: 'drain-small' }))
  const row = judgeFinding(findingOf('B4'), cells, 'quick')
  assert.equal(row.holds, null)
  assert.match(row.measured, /^could not be measured: the document's wheel had 100 slots, .* 100 \(90–110\) ns a timer, some: 200/)
})

test('every finding has an id of its own, and names queues and scenarios that there are', () => {
  assert.equal(new Set(findings.map(({ id }) => id)).size, findings.length)
  const known = new Set([...queues, ...scenarios].map(({ name }) => name))
  for (const { id, cells } of findings) {
    for (const name of cells.flatMap(({ scenario, queues }) => [scenario, ...queues])) assert.ok(known.has(name), `${id}: ${name}`)
  }
})
