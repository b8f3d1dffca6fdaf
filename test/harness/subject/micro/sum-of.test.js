/** Times of phases from CPU and wall clocks. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { sumOf, uninterrupted, usualMsOf } from '../../../../harness/subject/micro/cycles.js'
/** @import { Batch } from '../../../../harness/subject/micro/cycles.js' */

const PHASES = [
  { metric: 'startNsPerTimer', operations: 1000 },
  { metric: 'expireNsPerTimer', operations: 1000 }
]
const ONE = { phases: PHASES.slice(0, 1), cyclesPerBatch: 1 }
/** Ten cycles: 5 ns a start, 45 an expiry. */
const UNDISTURBED = { ms: 0.501, phaseMs: [0.05, 0.45] }
/** Another process had the core for three milliseconds, and V8 or the system took a little of this one's own time. */
const DISTURBED = { ms: 0.507, phaseMs: [0.05, 3.45] }

/** @type {Record<string, [batches: Batch[], cpuMs: number, operations: number, ns: number[], workload?: object]>} */
const CASES = {
  'CPU time is shared out among the phases as wall time says':
    [[UNDISTURBED, UNDISTURBED], 1.002, 20_000, [5.01, 45.09]],
  'a batch in which something else had the core does not say which phase took how long':
    [[UNDISTURBED, DISTURBED, UNDISTURBED], 1.509, 30_000, [5.03, 45.27]],
  'where something else had the core in every batch, all of them say it':
    [[DISTURBED, DISTURBED], 1.014, 20_000, [0.72, 49.98]],
  'one phase takes all of the time, and has no separate figure': [[{ ms: 0.5, phaseMs: [0] }], 0.5, 1000, [], ONE],
  "with a meter, the meter's part of the time counts, and disturbed batches do not say how large it is": [
    [{ ms: 1, phaseMs: [0.25, 0.75] }, { ms: 1, phaseMs: [0.25, 5] }], 0.5, 2000, [], { ...ONE, isMetered: true }
  ]
}

for (const [title, [batches, cpuMs, operations, ns, workload]] of Object.entries(CASES)) {
  test(title, () => {
    const sum = sumOf(batches, { phases: PHASES, cyclesPerBatch: 10, ...workload })
    const named = Object.entries(sum.phases).map(([metric, ns]) => [metric, Math.round(100 * ns) / 100])
    assert.deepEqual([sum.cpuMs, sum.operations, named], [cpuMs, operations, ns.map((ns, i) => [PHASES[i].metric, ns])])
  })
}

test('batches in which something else had the core are left out where the wall clock times them', () => {
  const batchesOf = (/** @type {number[]} */ ...times) => times.map(ms => ({ ms, phaseMs: [ms] }))
  const batches = batchesOf(0.5, 3.6, 0.52, 0.7, 4.5, 3.5, 0.51)
  assert.equal(usualMsOf(batches), 0.51)
  assert.deepEqual(uninterrupted(batches, 0.51).counted, batchesOf(0.5, 0.52, 0.7, 0.51))
  // An earlier turn tells what is usual; the shortest of the batches is believed.
  assert.deepEqual(uninterrupted(batchesOf(3.6, 3.5), 0.51), { counted: batchesOf(3.5), interrupted: 1 })
  assert.equal(usualMsOf(batchesOf(80)), 80)
})
