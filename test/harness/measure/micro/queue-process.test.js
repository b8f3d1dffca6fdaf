import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { SampleError } from '../../../../harness/model/errors.js'
import { runMicroHeat } from '../../../../harness/measure/heat/micro.js'
import { countMicro } from '../../../../harness/measure/micro/alone.js'
import { QueueProcess } from '../../../../harness/measure/micro/queue-process.js'
import { Reference } from '../../../../harness/measure/micro/reference.js'
import { temporaryFolder } from '../../temporary-folder.js'

const runtime = { name: process.version, path: process.execPath, flags: [] }
const timing = { warmupMs: 1, leadMs: 0, turnMs: 1, turns: 2, limitMs: 20_000, exactLimitMs: 20_000 }

const reference = new Reference()
after(() => reference.end())

/** @param {string} path */
const urlOf = path => new URL(`../../../../${path}`, import.meta.url).href

/**
 * @param {string} queue
 * @param {string} [scenario]
 */
const taskOf = (queue, scenario = 'refresh-one-duration') => ({
  queueUrl: urlOf(queue),
  scenarioUrl: urlOf(`scenarios/${scenario}.js`),
  params: { size: 50 },
  seed: 1,
  timing
})

/**
 * A heat of one queue.
 *
 * @param {import('../../../../harness/measure/heat/micro.js').MicroEntrant} entrant
 * @param {AbortSignal} [signal]
 */
async function measureMicro (entrant, signal) {
  const [result] = await runMicroHeat([entrant], { seed: 1, signal })
  if (result instanceof SampleError) throw result
  return result
}

for (const scenario of ['refresh-one-duration', 'staggered-expiry', 'start-cancel']) {
  test(`${scenario} fires what the model fires`, async () => {
    const task = taskOf('queues/hierarchical-wheel.js', scenario)
    const expected = await reference.outcomeOf(task)
    const { metrics } = await measureMicro({ task, expected, runtime })
    assert.ok(metrics.nsPerOp > 0)
    assert.equal('startNsPerTimer' in metrics, scenario === 'staggered-expiry')
  })
}

test('a turn is as long for each phase of a cycle', async () => {
  const runner = await QueueProcess.start(taskOf('queues/hierarchical-wheel.js', 'staggered-expiry'), {
    expected: null,
    runtime,
    flags: [],
    pin: []
  })
  try {
    const turnMs = 10
    const { cpuMs, phases } = await runner.turn({ leadMs: 0, turnMs })
    assert.deepEqual(Object.keys(phases), ['startNsPerTimer', 'expireNsPerTimer'])
    assert.ok(cpuMs >= 2 * turnMs, `${cpuMs} ms`)
  } finally {
    await runner.end()
  }
})

test('turns find the timers in the old generation, as in a server that has run for long', async () => {
  const runner = await QueueProcess.start(taskOf('test/fixtures/queues/young.js'), {
    expected: null,
    runtime,
    flags: ['--allow-natives-syntax'],
    pin: []
  })
  try {
    await runner.turn(timing)
    await runner.drain()
  } finally {
    await runner.end()
  }
})

test('a queue that fires early is not measured', async () => {
  const task = taskOf('test/fixtures/queues/early.js', 'staggered-expiry')
  const expected = await reference.outcomeOf(task)
  await assert.rejects(measureMicro({ task, expected, runtime }), {
    kind: 'wrong',
    message: /^fired \d+ timers.*: run `timerq check`$/
  })
})

for (const { queue, message } of [
  {
    queue: 'never',
    message: 'fired 0 of its 50 pending timers after all deadlines had passed, and still counted 50: run `timerq check`'
  },
  { queue: 'empty', message: 'had 0 timers pending instead of 50: run `timerq check`' }
]) {
  test(`where nothing expires, the queue that is ${queue === 'never' ? 'never due' : 'always empty'} is not measured either`, async () => {
    const task = taskOf(`test/fixtures/queues/${queue}.js`)
    const expected = await reference.outcomeOf(task)
    assert.equal(expected.fired, 0)
    await assert.rejects(measureMicro({ task, expected, runtime }), { kind: 'wrong', message })
  })
}

test('a queue that fires late, as it declares, is measured', async () => {
  const { metrics } = await measureMicro({
    task: taskOf('queues/coarse-wheel.js', 'start-cancel'),
    expected: null,
    runtime
  })
  assert.ok(metrics.nsPerOp > 0)
})

test('a queue whose process ends is reported as a crash, with its exit code', async () => {
  await assert.rejects(measureMicro({ task: taskOf('test/fixtures/queues/dying.js'), expected: null, runtime }), {
    kind: 'crash',
    message: /exit code 3/
  })
})

test('a queue that never returns is killed at the time limit', async () => {
  const task = { ...taskOf('test/fixtures/queues/endless.js'), timing: { ...timing, limitMs: 500 } }
  await assert.rejects(measureMicro({ task, expected: null, runtime }), {
    kind: 'time-limit',
    message: 'used 0.5 s of CPU without an answer'
  })
})

test('an abort ends the sample at once', async () => {
  const abort = new AbortController()
  const sample = measureMicro(
    { task: taskOf('test/fixtures/queues/endless.js'), expected: null, runtime },
    abort.signal
  )
  abort.abort()
  await assert.rejects(sample, { name: 'AbortError' })
})

test('work and bytes are the same every time', async () => {
  const task = taskOf('queues/hierarchical-wheel.js')
  const first = await countMicro(task, runtime, timing.exactLimitMs)
  const second = await countMicro(task, runtime, timing.exactLimitMs)
  assert.equal(first.metrics.workPerOp, second.metrics.workPerOp)
  assert.ok(Math.abs(first.metrics.bytesPerTimer / second.metrics.bytesPerTimer - 1) < 0.01)
})

for (const { flags, size, title } of [
  { flags: [], size: '16', title: 'all timed samples begin with a young generation of the same size' },
  { flags: ['--max-semi-space-size=32'], size: '32', title: 'the user can choose another size of the young generation' }
]) {
  test(title, async t => {
    const file = path.join(temporaryFolder(t), 'heap.mjs')
    writeFileSync(
      file,
      `export * from ${JSON.stringify(urlOf('queues/binary-heap.js'))}
const given = process.execArgv.filter(flag => flag.startsWith('--max-semi-space-size=')).at(-1)
if (given !== '--max-semi-space-size=${size}') throw new Error(\`got \${given}\`)
`
    )
    const task = { ...taskOf('queues/binary-heap.js'), queueUrl: pathToFileURL(file).href }
    const { metrics } = await measureMicro({ task, expected: null, runtime: { ...runtime, flags } })
    assert.ok(metrics.nsPerOp > 0)
  })
}

test('a model that is killed is no fault of the queue', async () => {
  const killed = new Reference({ ...runtime, path: '/bin/false' }).outcomeOf(taskOf('queues/binary-heap.js'))
  await assert.rejects(killed, { kind: 'load', message: 'the reference model: the process ended with exit code 1' })
})
