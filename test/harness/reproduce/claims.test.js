/** Judges every claim by figures with which it must hold, must fail, or must stay undecided. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { claims } from '../../../harness/reproduce/claims/index.js'
import { judgeClaim } from '../../../harness/reproduce/judge.js'
import { queues } from '../../../queues/index.js'
import { scenarios } from '../../../scenarios/index.js'

/**
 * @typedef {import('../../../harness/reproduce/judge.js').Claim} Claim
 * @typedef {import('../../../harness/reproduce/judge.js').MeasuredCell} MeasuredCell
 * @typedef {import('../../../harness/reproduce/figures.js').Figure} Figure
 * @typedef {{id: string, holds: boolean | null, cells: MeasuredCell[], cores?: number}} Case
 */

/** @param {string} id */
const claimOf = id => /** @type {Claim} */ (claims.find(claim => claim.id === id))

/**
 * @template From, To
 * @param {Record<string, From>} record
 * @param {(value: From) => To} change
 * @returns {Record<string, To>}
 */
const mapValues = (record, change) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/**
 * A cell of 9 samples with intervals of 2 % to either side.
 *
 * @param {string} scenario
 * @param {string} queue
 * @param {Record<string, number>} params
 * @param {Record<string, number>} medians
 * @param {string} [runtime]
 * @returns {import('../../../harness/reproduce/judge.js').MeasuredCell}
 */
const measured = (scenario, queue, params, medians, runtime = 'v20') => ({
  scenario,
  queue,
  params,
  runtime,
  warnings: [],
  metrics: mapValues(medians, median => ({ median, low: median * 0.98, high: median * 1.02, n: 9, coverage: 0.96 }))
})

/**
 * A machine of two cores where a request takes 2 ms in a process, and twice as long asynchronously.
 *
 * @param {object} [machine]
 * @param {number} [machine.sync]  Milliseconds.
 * @param {number} [machine.async]
 * @param {number[]} [machine.speedups]  Of 1, 2 and 4 workers.
 * @param {number} [machine.idle]  Share of its time that a process is idle under full load.
 * @param {number} [machine.alone]  Milliseconds that a request takes at low load.
 */
function fileCells ({ sync = 2, async = 4, speedups = [1, 2, 2], idle = 0, alone = sync } = {}) {
  const cell = (/** @type {string} */ scenario, /** @type {Record<string, number>} */ params, /** @type {Record<string, number>} */ medians) =>
    measured(scenario, 'node', params, medians)
  const latencies = (/** @type {number} */ ms) => ({ getLatencyP50Ms: ms, getLatencyP99Ms: 2 * ms, postLatencyP50Ms: ms, postLatencyP99Ms: 2 * ms })
  return [0, 1, 2].flatMap(split => [
    cell('files-async', { connections: 32, split }, { requestsPerSecond: 1000 / async, ...latencies(32 * async) }),
    ...[1, 2, 4].map((workers, index) => cell('files-cluster', { workers, connections: 32, split }, {
      requestsPerSecond: 1000 / sync * speedups[index],
      servedPerSecond: 1000 / sync * speedups[index],
      ...latencies(32 * sync / speedups[index]),
      busyLoops: workers * (1 - idle)
    }))
  ]).concat(cell('files-cluster', { workers: 2, connections: 1, split: 0 }, { requestsPerSecond: 400, busyMicrosPerRequest: 1000 * alone }))
}

const fileCases = [
  { id: 'C1', holds: true },
  { id: 'C1', machine: { async: 2.02 }, holds: null },
  { id: 'C1', machine: { async: 1 }, holds: false },
  { id: 'C2', holds: true },
  { id: 'C2', machine: { speedups: [1, 1, 2] }, holds: null },
  { id: 'C2', machine: { speedups: [1, 0.7, 2] }, holds: false },
  { id: 'C2', machine: { speedups: [1, 2, 1.5] }, cores: 4, holds: false },
  { id: 'C2', machine: { speedups: [1, 2, 4] }, cores: 4, holds: true },
  { id: 'C3', holds: true },
  { id: 'C3', machine: { sync: 16 }, holds: false },
  { id: 'C3', machine: { sync: 8.04 }, holds: null },
  { id: 'C4', holds: true },
  { id: 'C4', machine: { speedups: [1, 1.6, 1.6] }, holds: null },
  { id: 'C4', machine: { speedups: [1, 0.8, 0.8] }, holds: false },
  { id: 'C4', machine: { speedups: [1, 0.8, 0.8] }, cores: 1, holds: true },
  { id: 'C4', machine: { idle: 0.5 }, holds: false },
  { id: 'C4', machine: { alone: 1 }, holds: false }
].map(({ machine, ...rest }) => ({ ...rest, cells: fileCells(machine) }))

const WIKI_SHARES = { 'sorted-list': 0.4, 'unsorted-array': 0.03, 'binary-heap': 0.05, 'duration-lists': 0.025, 'hierarchical-wheel': 0.02 }
const WIKI_MICROS = { node: 80, 'sorted-list': 150, 'unsorted-array': 90, 'binary-heap': 90, 'duration-lists': 85, 'hierarchical-wheel': 85 }

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
const timeouts = byQueue => Object.entries(byQueue).map(([queue, micros]) => measured('timeouts', queue, {}, { queueMicrosPerTimeout: micros, cpuMicrosPerRequest: 1 }))
/** @param {Record<string, number>} byQueue */
const timeoutShares = byQueue => Object.entries(byQueue).map(([queue, queueShare]) => measured('timeouts', queue, {}, { queueShare }))
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

/** @type {Case[]} */
const cases = [
  ...fileCases,
  { id: 'A1', holds: true, cells: keepAlive() },
  { id: 'A1', holds: false, cells: keepAlive({ shares: { 'binary-heap': 0.5 } }) },
  { id: 'A1', holds: false, cells: keepAlive({ micros: { 'sorted-list': 70 } }) },
  { id: 'A1', holds: null, cells: keepAlive({ micros: { 'sorted-list': 81 } }) },
  { id: 'A2', holds: true, cells: keepAlive() },
  { id: 'A2', holds: false, cells: keepAlive({ shares: { 'unsorted-array': 0.2 } }) },
  { id: 'A2', holds: false, cells: keepAlive({ micros: { 'unsorted-array': 120 } }) },
  { id: 'A2', holds: false, cells: keepAlive({ micros: { 'unsorted-array': 80, 'sorted-list': 70 } }) },
  { id: 'A2', holds: null, cells: keepAlive({ shares: { 'unsorted-array': 0.133 } }) },
  { id: 'A3', holds: true, cells: keepAlive() },
  { id: 'A3', holds: null, cells: keepAlive({ shares: { 'binary-heap': 0.031 } }) },
  { id: 'A3', holds: false, cells: keepAlive({ shares: { 'binary-heap': 0.01 } }) },
  { id: 'A3', holds: false, cells: keepAlive({ shares: { 'binary-heap': 0.3 } }) },
  { id: 'A4', holds: true, cells: staggered('unsorted-array', 'expireNsPerTimer', { 1000: 1000, 10_000: 10_000 }) },
  { id: 'A4', holds: false, cells: staggered('unsorted-array', 'expireNsPerTimer', { 1000: 50, 10_000: 60 }) },
  { id: 'A4', holds: null, cells: staggered('unsorted-array', 'expireNsPerTimer', { 1000: 1000, 10_000: 19_950 }) },
  ...[
    { holds: true, work: 75, heap: 230, array: 10_000 },
    { holds: false, work: 100, heap: 230, array: 10_000 },
    { holds: false, work: 75, heap: 900, array: 10_000 },
    { holds: null, work: 95, heap: 230, array: 10_000 },
    // Where the array does not grow either, the heap shows nothing.
    { holds: false, work: 60, heap: 100, array: 1000 }
  ].map(({ holds, work, heap, array }) => ({
    id: 'A5',
    holds,
    cells: [
      measured('staggered-expiry', 'binary-heap', { size: 1000 }, { expireNsPerTimer: 100, workPerOp: 60 }),
      measured('staggered-expiry', 'binary-heap', { size: 10_000 }, { expireNsPerTimer: heap, workPerOp: work }),
      ...staggered('unsorted-array', 'expireNsPerTimer', { 1000: 1000, 10_000: array })
    ]
  })),
  { id: 'A6', holds: true, cells: timeouts({ 'unsorted-array': 200, 'binary-heap': 100 }) },
  { id: 'A6', holds: false, cells: timeouts({ 'unsorted-array': 100, 'binary-heap': 200 }) },
  { id: 'A6', holds: null, cells: timeouts({ 'unsorted-array': 101, 'binary-heap': 100 }) },
  { id: 'A7', holds: true, cells: timeoutShares({ 'unsorted-array': 0.072, 'binary-heap': 0.021 }) },
  { id: 'A7', holds: null, cells: timeoutShares({ 'unsorted-array': 0.021, 'binary-heap': 0.021 }) },
  { id: 'A7', holds: false, cells: timeoutShares({ 'unsorted-array': 0.021, 'binary-heap': 0.072 }) },
  { id: 'A7', holds: false, cells: timeoutShares({ 'unsorted-array': 0.4, 'binary-heap': 0.2 }) },
  ...[{ holds: true, array: 200 }, { holds: false, array: 50 }, { holds: null, array: 101 }].map(({ holds, array }) => ({
    id: 'A8',
    holds,
    cells: [['unsorted-array', array], ['binary-heap', 100]].map(([queue, micros]) => measured('timeouts-one-in-ten', String(queue), {}, { queueMicrosPerRequest: Number(micros), cpuMicrosPerRequest: 1 }))
  })),
  { id: 'A9', holds: true, cells: keepAlive({ connections: 10_000 }) },
  { id: 'A9', holds: false, cells: keepAlive({ connections: 10_000, shares: { 'binary-heap': 0.3 } }) },
  { id: 'A9', holds: null, cells: keepAlive({ connections: 10_000, shares: { 'binary-heap': 0.2 } }) },
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
  { id: 'B1', holds: false, cells: polled('advanceNsPerCall', { 'hashed-wheel': 12_000, 'hierarchical-wheel': 12_000 }) },
  { id: 'B1', holds: null, cells: polled('advanceNsPerCall', { 'hashed-wheel': 163_840, 'hierarchical-wheel': 5 }) },
  ...[
    { holds: true, poll: 20, drain: 30 },
    { holds: false, poll: 20, drain: 20_000 },
    { holds: false, poll: 20_000, drain: 30 },
    { holds: null, poll: 11_900, drain: 30 }
  ].map(({ holds, poll, drain }) => ({
    id: 'B2',
    holds,
    cells: [
      ...polled('advanceNsPerCall', { 'hashed-wheel': 12_000, 'hashed-wheel-bounded': poll }),
      ...drainedEmpty({ 'hashed-wheel': 12_000, 'hashed-wheel-bounded': drain })
    ]
  })),
  ...[{ holds: true, ask: 4000 }, { holds: false, ask: 40_000 }, { holds: null, ask: 12_100 }].map(({ holds, ask }) => ({
    id: 'B3',
    holds,
    cells: [measured('one-timer-poll', 'hashed-wheel', { size: 1 }, { nextExpiryNsPerCall: ask, advanceNsPerCall: 12_000 })]
  })),
  ...[
    { holds: true, many: 30 },
    { holds: false, many: 5000 },
    { holds: null, many: 50 },
    // Where a hashed wheel costs the same, the wheel shows nothing.
    { holds: false, many: 5, hashed: 5 }
  ].map(({ holds, many, hashed = 12_000 }) => ({
    id: 'B5',
    holds,
    cells: [...polled('advanceNsPerCall', { 'hierarchical-wheel': 5, 'hashed-wheel': hashed }), ...polled('advanceNsPerCall', { 'hierarchical-wheel': many }, 1000)]
  })),
  ...[{ holds: true, map: 150 }, { holds: false, map: 5000 }, { holds: null, map: 1200 }].map(({ holds, map }) => ({
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
  { id: 'D1', holds: true, cells: semiSpaces('scavengesPerThousandRequests', [1000, 294, 145, 72]) },
  { id: 'D1', holds: false, cells: semiSpaces('scavengesPerThousandRequests', [1000, 800, 700, 600]) },
  { id: 'D1', holds: false, cells: semiSpaces('scavengesPerThousandRequests', [1000, 100, 50, 25]) },
  { id: 'D1', holds: null, cells: semiSpaces('scavengesPerThousandRequests', [1000, 500, 250, 125]) },
  { id: 'D2', holds: true, cells: semiSpaces('cpuMicrosPerRequest', [100, 80, 79, 79]) },
  { id: 'D2', holds: false, cells: semiSpaces('cpuMicrosPerRequest', [100, 90, 89, 80]) },
  { id: 'D2', holds: null, cells: semiSpaces('cpuMicrosPerRequest', [100, 100.2, 101, 101.3]) },
  // The last step may or may not gain 5 %.
  { id: 'D2', holds: null, cells: semiSpaces('cpuMicrosPerRequest', [100, 80, 79, 75.2]) },
  { id: 'D2', holds: false, cells: semiSpaces('cpuMicrosPerRequest', [80, 100, 100, 100]) },
  ...[
    { holds: true, list: 10_000, wheel: 40 },
    { holds: false, list: 1500, wheel: 40 },
    { holds: false, list: 10_000, wheel: 300 },
    { holds: null, list: 5012, wheel: 40 }
  ].map(({ holds, list, wheel }) => ({
    id: 'E1',
    holds,
    cells: [...staggered('sorted-list', 'startNsPerTimer', { 1000: 1000, 10_000: list }), ...staggered('hierarchical-wheel', 'startNsPerTimer', { 1000: 30, 10_000: wheel })]
  })),
  ...[{ holds: true, lists: 100 }, { holds: false, lists: 20_000 }, { holds: null, lists: 5000 }].map(({ holds, lists }) => ({
    id: 'E2',
    holds,
    cells: [...staggered('unordered-list', 'expireNsPerTimer', { 10_000: 10_000 }), ...staggered('duration-lists', 'expireNsPerTimer', { 10_000: lists })]
  })),
  ...[{ holds: true, lists: 200 }, { holds: false, lists: 60 }, { holds: null, lists: 80 }].map(({ holds, lists }) => ({
    id: 'E3',
    holds,
    cells: [['unordered-list', 40], ['duration-lists', lists]].map(([queue, ns]) => measured('distinct-durations-cancelled', String(queue), {}, { nsPerOp: Number(ns) }))
  })),
  ...[{ holds: true, wheel: 300 }, { holds: false, wheel: 100 }, { holds: null, wheel: 201 }].map(({ holds, wheel }) => ({
    id: 'E4',
    holds,
    // However it is with many timers.
    cells: [1000, 10_000].flatMap(size => [['hierarchical-wheel', size === 1000 ? wheel : 200], ['binary-heap', 200]].map(([queue, ns]) =>
      measured('far-future-cascade', String(queue), { size }, { expireNsPerTimer: Number(ns) })))
  })),
  { id: 'E5', holds: true, cells: cancelled({ 'ordered-map': [46, 172], 'hierarchical-wheel': [21, 22] }) },
  { id: 'E5', holds: false, cells: cancelled({ 'ordered-map': [46, 172], 'hierarchical-wheel': [21, 200] }) },
  { id: 'E5', holds: null, cells: cancelled({ 'ordered-map': [40, 400], 'hierarchical-wheel': [20, 196] }) },
  { id: 'E6', holds: true, cells: [measured('million-timers', 'binary-heap', {}, { startNsPerTimer: 85, expireNsPerTimer: 915 })] },
  { id: 'E6', holds: false, cells: [measured('million-timers', 'binary-heap', {}, { startNsPerTimer: 85, expireNsPerTimer: 100 })] },
  { id: 'E6', holds: null, cells: [measured('million-timers', 'binary-heap', {}, { startNsPerTimer: 85, expireNsPerTimer: 171 })] }
]

for (const { id, holds, cells, cores = 2 } of cases) {
  const row = judgeClaim(claimOf(id), cells, 'quick', cores)
  test(`${id} on ${cores} cores is ${holds}: ${row.measured}`, () => {
    assert.equal(row.holds, holds)
    assert.doesNotMatch(row.measured, /could not be measured/)
  })

  test(`${id} is undecided with 3 samples a cell or wide intervals: ${row.measured}`, () => {
    const few = judgeClaim(claimOf(id), changeFigures(cells, figure => ({ ...figure, n: 3, coverage: 0.75 })), 'quick', cores)
    assert.equal(few.holds, null)
    assert.match(few.measured, /; 3 samples a cell cannot decide it, it takes 5 or more$/)
    const wide = judgeClaim(claimOf(id), changeFigures(cells, figure => ({ ...figure, low: figure.median / 300, high: figure.median * 300 })), 'quick', cores)
    assert.equal(wide.holds, null)
  })

  test(`${id} does not hold where everything costs the same: ${row.measured}`, () => {
    for (const median of [0.05, 100]) {
      const same = changeFigures(cells, figure => ({ ...figure, median, low: median * 0.999, high: median * 1.001 }))
      assert.notEqual(judgeClaim(claimOf(id), same, 'quick', cores).holds, true)
    }
  })
}

/**
 * @param {MeasuredCell[]} cells
 * @param {(figure: Figure) => Figure} change
 */
const changeFigures = (cells, change) => cells.map(cell => ({ ...cell, metrics: mapValues(cell.metrics, change) }))

test('every claim that can be measured holds with some figures, fails with others, and is undecided with others', () => {
  for (const { id } of claims.filter(({ excluded }) => excluded === undefined)) {
    for (const holds of [true, false, null]) assert.ok(cases.some(one => one.id === id && one.holds === holds), `${id}: ${holds}`)
  }
})

test('figures whose intervals overlap leave a claim undecided', () => {
  const cells = (/** @type {number} */ list) => [measured('staggered-expiry', 'unordered-list', { size: 10_000 }, { expireNsPerTimer: list }), ...staggered('duration-lists', 'expireNsPerTimer', { 10_000: 100 })]
  assert.equal(judgeClaim(claimOf('E2'), cells(250), 'quick').holds, true)
  assert.equal(judgeClaim(claimOf('E2'), cells(205), 'quick').holds, null)
  assert.equal(judgeClaim(claimOf('E2'), cells(50), 'quick').holds, false)
})

test('a claim that was not measured says so, and names what is missing', () => {
  const row = judgeClaim(claimOf('A4'), [], 'quick')
  assert.deepEqual([row.holds, row.verdict], [null, 'not measured'])
  assert.match(row.measured, /could not be measured: no expireNsPerTimer of unsorted-array on staggered-expiry/)
})

test('no claim holds without figures', () => {
  for (const claim of claims) assert.equal(judgeClaim(claim, [], 'quick').holds, null, claim.id)
})

test('growth is judged by the sizes that the preset measures', () => {
  const linear = staggered('unsorted-array', 'expireNsPerTimer', { 10_000: 10_000, 100_000: 100_000 })
  assert.equal(judgeClaim(claimOf('A4'), linear, 'documented').holds, true)
  assert.equal(judgeClaim(claimOf('A4'), linear, 'quick').holds, null)
})

test('on one core a cluster brings no speedup', () => {
  const row = judgeClaim(claimOf('C2'), fileCells(), 'quick', 1)
  assert.deepEqual([row.holds, row.measured], [null, 'could not be measured: there is only one core'])
})

test("Little's law is shown as a prediction beside what was busy", () => {
  const { measured } = judgeClaim(claimOf('C4'), fileCells(), 'quick', 2)
  assert.equal(measured, '500/s x 2 ms = 1, 1 of 1 were busy; 1000/s x 2 ms = 2, 2 of 2 were busy')
})

test("a loss on a wheel of the document's size is excluded, and the row says why", () => {
  const row = judgeClaim(claimOf('B4'), [], 'quick')
  assert.deepEqual([row.holds, row.verdict], [null, 'excluded'])
  assert.match(row.measured, /^excluded: the document's wheel had 100 slots, the hashed wheels here have 16 384/)
})

test('every claim has a unique id, and names existing queues and scenarios', () => {
  assert.equal(new Set(claims.map(({ id }) => id)).size, claims.length)
  const known = new Set([...queues, ...scenarios].map(({ name }) => name))
  for (const { id, cells } of claims) {
    for (const name of cells.flatMap(({ scenario, queues }) => [scenario, ...queues])) assert.ok(known.has(name), `${id}: ${name}`)
  }
})
