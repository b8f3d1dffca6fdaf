import { test } from 'node:test'
import assert from 'node:assert/strict'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resumeGate } from '../../../harness/gate/run.js'
import { unlockResults } from '../../../harness/store/lock.js'
import { tableId } from '../../../harness/model/cell.js'
import { createPlan } from '../../../harness/plan/plan.js'
import { startedAt } from '../../../harness/processes/proc-stat.js'
import { appendSamples, readResults, writeRun } from '../../../harness/store/results.js'
import { openRun, resumeRun } from '../../../harness/run/run.js'
import { gatePlan } from '../gate/gate-fixture.js'
import { temporaryFolder } from '../temporary-folder.js'

const HEAP = fileURLToPath(new URL('../../../queues/binary-heap.js', import.meta.url))
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

for (const [what, change, message] of /** @type {[string, (run: import('../../../harness/store/results.js').Run) => void, RegExp][]} */ ([
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

test('a run is not continued with a program that only run.json names', async t => {
  const { directory, run } = await stoppedRun(t)
  const other = path.join(temporaryFolder(t), 'node')
  const ran = path.join(path.dirname(other), 'ran')
  writeFileSync(other, `#!/bin/sh\ntouch ${ran}\necho ${process.version}\n`, { mode: 0o755 })
  writeRun(directory, { ...run, plan: { ...run.plan, runtimes: [{ name: process.version, path: other, flags: [] }] } })
  await assert.rejects(resumeRun(directory, {}), { exitCode: 2, message: `${directory} was measured with ${other}, which only runs when you name it: add --runtime ${other}` })
  assert.ok(!existsSync(ran), 'it was not even asked for its version')
  assert.notEqual((await resumeRun(directory, { named: { runtimes: [{ name: process.version, path: other, flags: [] }] } })).run.ended, null)
})

test('a run is not continued with flags that only run.json names: they may load code', async t => {
  const { directory, run } = await stoppedRun(t)
  writeRun(directory, { ...run, plan: { ...run.plan, runtimes: [{ name: process.version, path: process.execPath, flags: ['--import=./evil.js'] }] } })
  await assert.rejects(resumeRun(directory, {}), { exitCode: 2, message: /only runs when you name it: add --runtime \S+ --node-flags "--import=\.\/evil\.js"$/ })
})

test('a run is not continued with an environment for its processes that run.json holds: it may load code', async t => {
  const { directory, run } = await stoppedRun(t)
  const runtimes = [{ ...run.plan.runtimes[0], env: { NODE_OPTIONS: '--import=./evil.js' } }]
  writeRun(directory, { ...run, plan: { ...run.plan, runtimes } })
  await assert.rejects(resumeRun(directory, {}), { exitCode: 2, message: /run\.json: \/plan\/runtimes\/0 must NOT have additional properties/ })
})

test('a run is not continued with a load command that only run.json names', async t => {
  const { directory, run } = await stoppedRun(t)
  const loadCommand = ['ssh', 'b', 'touch a file', '{url}']
  writeRun(directory, { ...run, plan: { ...run.plan, settings: { ...settings, load: 'wrk', loadCommand } } })
  const refusal = { exitCode: 2, message: `${directory} was loaded by another program, which only runs when you name it: add --load-command 'ssh b "touch a file" {url}'` }
  await assert.rejects(resumeRun(directory, {}), refusal)
  await assert.rejects(resumeRun(directory, { named: { loadCommand: ['ssh', 'c', '{url}'] } }), refusal)
  assert.notEqual((await resumeRun(directory, { named: { loadCommand } })).run.ended, null)
})

test('a run does not open its servers to a network that only run.json names', async t => {
  const { directory, run } = await stoppedRun(t)
  writeRun(directory, { ...run, plan: { ...run.plan, settings: { ...settings, load: 'wrk', listen: '0.0.0.0' } } })
  const refusal = { exitCode: 2, message: `${directory} was measured on servers that listened on 0.0.0.0, which only happens when you ask for it: add --listen 0.0.0.0` }
  await assert.rejects(resumeRun(directory, {}), refusal)
  await assert.rejects(resumeRun(directory, { named: { listen: '10.0.0.1' } }), refusal)
  assert.notEqual((await resumeRun(directory, { named: { listen: '0.0.0.0' } })).run.ended, null)
})

test('where the user must name modules, a run is continued with no other, and with those of timerq', async t => {
  const { directory, run, queue, scenario } = await stoppedRun(t)
  const [mine, refresh] = [queue, scenario].map(file => pathToFileURL(file).href)
  await assert.rejects(resumeRun(directory, { named: { modules: [refresh] } }), { exitCode: 2, message: `${directory} was measured with mine from ${mine}, which only runs when you name it: add --queue ${queue}` })
  const upwards = pathToFileURL(HEAP).href.replace('binary-heap.js', `../../..${queue}`)
  writeRun(directory, { ...run, plan: { ...run.plan, queues: run.plan.queues.map(planned => ({ ...planned, url: upwards })) } })
  await assert.rejects(resumeRun(directory, { named: { modules: [refresh] } }), { exitCode: 2, message: /which only runs when you name it/ })
  const own = run.plan.queues.map(({ sha256, ...planned }) => ({ ...planned, url: pathToFileURL(HEAP).href }))
  writeRun(directory, { ...run, plan: { ...run.plan, queues: own } })
  assert.notEqual((await resumeRun(directory, { named: { modules: [refresh] } })).run.ended, null)
})

test('a run is not continued with a queue whose code is in run.json itself', async t => {
  const { directory, run } = await stoppedRun(t)
  writeRun(directory, { ...run, plan: { ...run.plan, queues: run.plan.queues.map(({ sha256, ...queue }) => ({ ...queue, url: 'data:text/javascript,export%20class%20Evil%20%7B%7D' })) } })
  await assert.rejects(resumeRun(directory, {}), { exitCode: 2, message: /with another mine: data:/ })
})

test('a run is not continued while another process measures it, and nothing is written to it', async t => {
  const { directory } = await stoppedRun(t)
  unlockResults(directory)
  const lock = path.join(directory, '.running-1')
  writeFileSync(lock, JSON.stringify({ pid: process.ppid, start: startedAt(process.ppid), host: os.hostname(), since: '2026-01-01T00:00:00.000Z' }))
  appendFileSync(path.join(directory, 'samples.jsonl'), '{"cell":"refr')
  await assert.rejects(resumeRun(directory, {}), { exitCode: 2, message: /is being written by process/ })
  assert.match(readFileSync(path.join(directory, 'samples.jsonl'), 'utf8'), /refr$/)
  assert.ok(existsSync(lock))
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

/**
 * @param {import('node:test').TestContext} t
 * @param {Partial<import('../../../harness/store/results.js').Run['environment']>} environment
 */
async function stoppedGate (t, environment) {
  const { directory, run } = await stoppedRun(t)
  const plan = gatePlan()
  writeRun(directory, /** @type {any} */ ({
    ...run,
    environment: { ...run.environment, ...environment },
    plan: { ...plan, gate: { ...plan.gate, budgetSeconds: 0 }, settings: { ...settings, rounds: plan.settings.rounds }, scenarios: run.plan.scenarios, runtimes: run.plan.runtimes }
  }))
  rmSync(path.join(directory, 'samples.jsonl'))
  for (const side of ['a', 'b', 'c']) mkdirSync(path.join(directory, 'sides', side), { recursive: true })
  return directory
}

test('a gate is not continued on another machine', async t => {
  await assert.rejects(resumeGate(await stoppedGate(t, { cpu: 'Another' }), {}), { exitCode: 2, message: /was measured on .* Another/ })
})

test("a gate is continued with no scenario but timerq's own, whatever its run.json names", async t => {
  await assert.rejects(resumeGate(await stoppedGate(t, {}), {}), { exitCode: 2, message: /was measured with refresh from file:.*refresh\.js, which is no scenario of timerq's own: start a new run$/ })
})
