import { test } from 'node:test'
import assert from 'node:assert/strict'
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resumeGate } from '../../harness/gate/run.js'
import { tableId } from '../../harness/model/cell.js'
import { createPlan } from '../../harness/plan.js'
import { appendSamples, readResults, writeRun } from '../../harness/results.js'
import { openRun, resumeRun } from '../../harness/run.js'
import { gatePlan } from './gate/gate-fixture.js'
import { temporaryFolder } from './temporary-folder.js'

const HEAP = fileURLToPath(new URL('../../queues/binary-heap.js', import.meta.url))
const settings = {
  preset: 'quick',
  seed: 1,
  rounds: 1,
  budgetSeconds: null,
  load: 'wrk',
  port: 0,
  micro: { warmupMs: 1, measureMs: 1, limitMs: 1, exactLimitMs: 0 },
  httpWarmupMs: 1,
  control: {}
}

/**
 * A run whose only sample is taken, so that nothing is measured when it is continued.
 *
 * @param {import('node:test').TestContext} t
 */
async function stoppedRun (t) {
  const folder = temporaryFolder(t)
  const queue = path.join(folder, 'mine.js')
  copyFileSync(HEAP, queue)
  const scenario = path.join(folder, 'refresh.js')
  writeFileSync(scenario, '// what is measured\n')
  const plan = createPlan(/** @type {any} */ ({
    settings,
    queues: [{ name: 'mine', origin: 'user', url: pathToFileURL(queue).href, meta: { accuracy: 'exact' } }],
    scenarios: [{ name: 'refresh', kind: 'micro', title: '', source: '', coldStart: false, url: pathToFileURL(scenario).href, values: { size: [10] } }],
    runtimes: [{ name: process.version, path: process.execPath, flags: [] }]
  }))
  const directory = path.join(folder, 'run')
  const run = await openRun(plan, { directory, command: [] })
  const { id, ...cell } = plan.cells[0]
  appendSamples(directory, [{ ...cell, cell: id, round: 0, channel: 'heat', heat: `${tableId(cell)} round 0`, heatSize: 1, started: '', seconds: 0, metrics: { nsPerOp: 12 }, warnings: [] }])
  return { directory, queue, scenario, run }
}

test('a run is continued where nothing has changed', async t => {
  const { directory } = await stoppedRun(t)
  appendFileSync(path.join(directory, 'samples.jsonl'), '{"cell":"refr')
  const { run, samples, warnings } = await resumeRun(directory, {})
  assert.notEqual(run.ended, null)
  assert.deepEqual([samples.length, warnings], [1, []])
})

for (const [what, change, message] of /** @type {[string, (run: import('../../harness/results.js').Run) => void, RegExp][]} */ ([
  ['machine', ({ environment }) => { environment.cpu = 'Another' }, /was measured on .* Another.*, this is .*: start a new run/],
  ['machine among those of its shards', run => { run.parts = [{ directory: '', environment: { ...run.environment, cores: 999 } }] }, /was measured on .* and 999 x/],
  ['timerq', ({ environment }) => { environment.timerq = '0.0.1' }, /was measured by timerq 0\.0\.1, this is/],
  ['Node at the same path', ({ plan }) => { plan.runtimes[0].name = 'v0.10.0' }, /was measured with v0\.10\.0, .* is now v/]
])) {
  test(`a run is not continued with another ${what}, and nothing is written to it`, async t => {
    const { directory, run } = await stoppedRun(t)
    change(run)
    writeRun(directory, run)
    await assert.rejects(resumeRun(directory, {}), { exitCode: 2, message })
    assert.equal(readResults(directory).run.ended, null)
  })
}

test('a run is not continued with a queue that was edited since', async t => {
  const { directory, queue } = await stoppedRun(t)
  appendFileSync(queue, '// faster now\n')
  await assert.rejects(resumeRun(directory, {}), { exitCode: 2, message: /with another mine: .*mine\.js has changed since: start a new run$/ })
})

test('a run is not continued with a scenario that was edited since', async t => {
  const { directory, scenario } = await stoppedRun(t)
  appendFileSync(scenario, '// less to do now\n')
  await assert.rejects(resumeRun(directory, {}), { exitCode: 2, message: /with another refresh: .*refresh\.js has changed since: start a new run$/ })
})

test('a run from before queues were noted is continued', async t => {
  const { directory, queue, run } = await stoppedRun(t)
  writeRun(directory, { ...run, plan: { ...run.plan, queues: run.plan.queues.map(({ sha256, ...queue }) => queue) } })
  appendFileSync(queue, '// faster now\n')
  assert.notEqual((await resumeRun(directory, {})).run.ended, null)
})

for (const [what, resume] of /** @type {const} */ ([['run', resumeRun], ['gate', resumeGate]])) {
  test(`what is not a ${what} of ours is left untouched`, async t => {
    const directory = temporaryFolder(t)
    const file = path.join(directory, 'samples.jsonl')
    writeFileSync(path.join(directory, 'run.json'), '{ "format": "timerq-run/9" }')
    writeFileSync(file, 'the only line')
    await assert.rejects(async () => resume(directory, {}), { exitCode: 2, message: /timerq-run\/9/ })
    assert.equal(readFileSync(file, 'utf8'), 'the only line')
  })
}

test('a gate is not continued on another machine', async t => {
  const { directory, run } = await stoppedRun(t)
  const plan = gatePlan()
  writeRun(directory, /** @type {any} */ ({
    ...run,
    environment: { ...run.environment, cpu: 'Another' },
    plan: { ...plan, gate: { ...plan.gate, budgetSeconds: 0 }, settings: { ...settings, rounds: plan.settings.rounds }, scenarios: run.plan.scenarios, queues: run.plan.queues, runtimes: run.plan.runtimes }
  }))
  for (const [folder, side] of [['a', 'base'], ['b', 'head'], ['c', 'again']]) {
    mkdirSync(path.join(directory, 'sides', folder), { recursive: true })
    writeFileSync(path.join(directory, 'sides', folder, '.timerq-side'), side)
  }
  await assert.rejects(resumeGate(directory, {}), { exitCode: 2, message: /was measured on .* Another/ })
})
