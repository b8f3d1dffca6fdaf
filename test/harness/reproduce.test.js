import { test } from 'node:test'
import assert from 'node:assert/strict'
import { judgeFinding, planCells } from '../../harness/reproduce.js'
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

for (const { id, machine, cores = 2, holds } of [
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
]) {
  test(`${id} with ${JSON.stringify(machine ?? 'what the document says')} on ${cores} cores: ${holds}`, () => {
    const row = judgeFinding(findingOf(id), fileCells(machine), 'quick', cores)
    assert.equal(row.holds, holds, row.measured)
  })
}

test("Little's law is shown as a prediction beside what was busy", () => {
  const { measured } = judgeFinding(findingOf('C4'), fileCells(), 'quick', 2)
  assert.equal(measured, '400/s x 2 ms = 0.8 processes, 0.8 of 2 were busy; 1000/s x 2 ms = 2 processes, 2 of 2 were busy')
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
