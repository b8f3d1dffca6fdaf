/** The names of a cell lead to what it measures: here, tasks of benchmark files. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { lookUp } from '../../../harness/measure/look-up.js'

/** @type {any} */
const PLAN = {
  settings: { seed: 1, micro: { warmupMs: 60, leadMs: 1, turnMs: 4, turns: 24 } },
  queues: [{ name: 'type=late', origin: 'code', url: '' }],
  scenarios: [
    {
      name: 'again',
      kind: 'code',
      url: 'file:///a.js',
      benchmark: { format: 'node', group: '', flags: ['--expose-gc'] }
    },
    {
      name: 'once',
      kind: 'code',
      url: 'file:///b.js',
      benchmark: { format: 'node', group: '', runMs: 80 }
    }
  ],
  runtimes: [{ name: 'v20', path: 'node', flags: [] }]
}

/** @param {string} scenario */
const partsOf = scenario => {
  const cell = { scenario, queue: 'type=late', runtime: 'v20', params: {} }
  const { runtime, microJob } = lookUp(PLAN, /** @type {any} */ (cell))
  return { flags: runtime.flags, benchmark: microJob.benchmark, timing: microJob.timing }
}

test("flags are those of the cell's own file, and a run of a process is a turn", () => {
  assert.deepEqual(partsOf('again'), {
    flags: ['--expose-gc'],
    benchmark: { group: '', task: 'type=late' },
    timing: PLAN.settings.micro
  })
  assert.deepEqual(partsOf('once'), {
    flags: [],
    benchmark: { group: '', runMs: 80, task: 'type=late' },
    timing: { warmupMs: 60, leadMs: 0, turnMs: 40, turns: 4 }
  })
})
