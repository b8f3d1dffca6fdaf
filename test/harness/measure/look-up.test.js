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
      steps: ['heat'],
      url: 'file:///a.js',
      flags: ['--expose-gc'],
      of: { format: 'node', group: '' }
    },
    {
      name: 'once',
      kind: 'code',
      steps: ['heat'],
      url: 'file:///b.js',
      timing: { leadMs: 0, turnMs: 40, turns: 4 },
      of: { format: 'node', group: '', isOnce: true }
    }
  ],
  runtimes: [{ name: 'v20', path: 'node', flags: [] }],
  of: {}
}

/** @param {string} scenario */
const partsOf = scenario => {
  const cell = { scenario, queue: 'type=late', runtime: 'v20', params: {} }
  const { runtime, microJob } = lookUp(PLAN, /** @type {any} */ (cell))
  return { flags: runtime.flags, of: microJob.of, timing: microJob.timing }
}

test("flags, times and what the format needs are those of the cell's own file", () => {
  assert.deepEqual(partsOf('again'), {
    flags: ['--expose-gc'],
    of: { format: 'node', group: '', task: 'type=late' },
    timing: PLAN.settings.micro
  })
  assert.deepEqual(partsOf('once'), {
    flags: [],
    of: { format: 'node', group: '', isOnce: true, task: 'type=late' },
    timing: { warmupMs: 60, leadMs: 0, turnMs: 40, turns: 4 }
  })
})

test('a server whose scenario has no heats is pinned to no core', () => {
  const hasAllCores = (/** @type {string[]} */ ...steps) => {
    const scenarios = [{ name: 'files', kind: 'http', steps, url: 'file:///c.js' }]
    const cell = { scenario: 'files', queue: 'type=late', runtime: 'v20', params: {} }
    return lookUp({ ...PLAN, scenarios }, cell).httpJob.hasAllCores
  }
  assert.deepEqual([hasAllCores('heat', 'alone'), hasAllCores('alone')], [false, true])
})
