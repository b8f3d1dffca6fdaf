/** Times of phases from CPU and wall clocks. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { sumOf, uninterrupted, usualMsOf } from '../../../../harness/subject/micro/cycles.js'

const PHASES = [
  { metric: 'startNsPerTimer', operations: 1000 },
  { metric: 'expireNsPerTimer', operations: 1000 }
]
/** Ten cycles: 5 ns a start, 45 an expiry. */
const UNDISTURBED = { ms: 0.501, phaseMs: [0.05, 0.45] }
/** Another process had the core for three milliseconds, and V8 or the system took a little of this one's own time. */
const DISTURBED = { ms: 0.507, phaseMs: [0.05, 3.45] }

test('CPU time is shared out among the phases as wall time says', () => {
  const { cpuMs, operations, phases } = sumOf([UNDISTURBED, UNDISTURBED], { phases: PHASES, cyclesPerBatch: 10 })
  assert.equal(cpuMs, 1.002)
  assert.equal(operations, 20_000)
  assert.deepEqual(roundedOf(phases), { startNsPerTimer: 5.01, expireNsPerTimer: 45.09 })
})

test('a batch in which something else had the core does not say which phase took how long', () => {
  const { cpuMs, phases } = sumOf([UNDISTURBED, DISTURBED, UNDISTURBED], { phases: PHASES, cyclesPerBatch: 10 })
  assert.equal(cpuMs, 1.509)
  assert.deepEqual(roundedOf(phases), { startNsPerTimer: 5.03, expireNsPerTimer: 45.27 })
})

test('where something else had the core in every batch, all of them say it', () => {
  const { phases } = sumOf([DISTURBED, DISTURBED], { phases: PHASES, cyclesPerBatch: 10 })
  assert.deepEqual(roundedOf(phases), { startNsPerTimer: 0.72, expireNsPerTimer: 49.98 })
})

test('one phase takes all of the time, and has no separate figure', () => {
  const { operations, phases } = sumOf([{ ms: 0.5, phaseMs: [0] }], { phases: PHASES.slice(0, 1), cyclesPerBatch: 1 })
  assert.equal(operations, 1000)
  assert.deepEqual(phases, {})
})

test("with a meter, the meter's part of the time counts, and disturbed batches do not say how large it is", () => {
  const batches = [
    { ms: 1, phaseMs: [0.25, 0.75] },
    { ms: 1, phaseMs: [0.25, 5] }
  ]
  const { cpuMs, operations, phases } = sumOf(batches, {
    phases: PHASES.slice(0, 1),
    cyclesPerBatch: 1,
    isMetered: true
  })
  assert.deepEqual([cpuMs, operations, phases], [0.5, 2000, {}])
})

test('batches in which something else had the core are left out where the wall clock times them', () => {
  const batchesOf = (/** @type {number[]} */ ...times) => times.map(ms => ({ ms, phaseMs: [ms] }))
  const batches = batchesOf(0.5, 3.6, 0.52, 0.7, 4.5, 3.5, 0.51)
  assert.equal(usualMsOf(batches), 0.51)
  assert.deepEqual(uninterrupted(batches, 0.51).counted, batchesOf(0.5, 0.52, 0.7, 0.51))
  // An earlier turn tells what is usual; the shortest of the batches is believed.
  assert.deepEqual(uninterrupted(batchesOf(3.6, 3.5), 0.51), { counted: batchesOf(3.5), interrupted: 1 })
  assert.equal(usualMsOf(batchesOf(80)), 80)
})

/** @param {Record<string, number>} phases */
const roundedOf = phases =>
  Object.fromEntries(Object.entries(phases).map(([metric, ns]) => [metric, Math.round(100 * ns) / 100]))
