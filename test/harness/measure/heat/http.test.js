/** Real servers under real load, a second each. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesIn, skip } from '../../../faults/watched-run.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { SampleError } from '../../../../harness/model/errors.js'
import { runHttpHeat } from '../../../../harness/measure/heat/http.js'
import { needs } from '../../../needs.js'

const runtime = { name: process.version, path: process.execPath, flags: [] }
const pins = { subject: [], load: [], cores: [[]], note: 'not pinned' }
const timing = { seconds: 2, sliceMs: 100 }

/** @param {string} path */
const urlOf = path => new URL(`../../../../${path}`, import.meta.url).href

/**
 * @param {string | null} queue
 * @param {string} [scenario]
 */
function entrantOf (queue, scenario = 'scenarios/keep-alive.js') {
  return {
    task: {
      queueUrl: queue && urlOf(queue),
      scenarioUrl: urlOf(scenario),
      params: { connections: 5, threads: 1, seconds: 1 },
      port: 0,
      load: /** @type {'autocannon' | 'wrk'} */ (needs('wrk') ? 'autocannon' : 'wrk'),
      warmupMs: 100
    },
    runtime
  }
}

/**
 * @param {(string | null)[]} queues
 * @param {string} [scenario]
 */
function heatOf (queues, scenario) {
  return runHttpHeat(
    queues.map(queue => entrantOf(queue, scenario)),
    { timing, pins }
  )
}

test('servers of a heat are loaded at the same time, and have a value in about every slice', async () => {
  const results = await heatOf([null, 'queues/binary-heap.js'])
  const [first] = results
  assert.ok(!(first instanceof SampleError), String(first))
  const firstSlices = first.slices.cpuMicrosPerRequest
  for (const result of results) {
    assert.ok(!(result instanceof SampleError), String(result))
    const { metrics, slices } = result
    // As many slices as fit into the time in which all loads run and both servers have settled.
    assert.ok(slices.cpuMicrosPerRequest.length >= 1 && slices.cpuMicrosPerRequest.length <= 12)
    assert.equal(slices.cpuMicrosPerRequest.length, firstSlices.length)
    assert.ok(slices.cpuMicrosPerRequest.some(value => value !== null && value > 0))
    assert.ok(metrics.cpuMicrosPerRequest > 0 && metrics.requestsPerSecond > 0)
  }
})

test(
  'a slice that ends after the load has no value: connections were closed in it',
  { skip: needs('wrk') },
  async () => {
    const entrant = entrantOf(null)
    const loadCommand = ['wrk', '-t1', '-c5', '-d1s', '-s', '{script}', '{url}']
    const [result] = await runHttpHeat([{ ...entrant, task: { ...entrant.task, loadCommand } }], {
      timing: { seconds: 3, sliceMs: 2000 },
      pins
    })
    assert.ok(!(result instanceof SampleError), String(result))
    assert.deepEqual(result.slices.cpuMicrosPerRequest, [null])
    assert.ok(result.metrics.cpuMicrosPerRequest > 0)
  }
)

test('a server that cannot start, or dies, loses only its own result', async () => {
  const [good, missing, dying] = await heatOf([
    'queues/binary-heap.js',
    'test/fixtures/queues/missing.js',
    'test/fixtures/queues/dying.js'
  ])
  assert.ok(!(good instanceof SampleError), String(good))
  assert.ok(missing instanceof SampleError && missing.kind === 'crash')
  assert.ok(dying instanceof SampleError && dying.kind === 'crash')
})

test('cold servers are measured from their first request to their last, without slices', async () => {
  const [result] = await heatOf(['queues/binary-heap.js'], 'scenarios/timeouts-one-in-ten.js')
  assert.ok(!(result instanceof SampleError), String(result))
  assert.deepEqual(result.slices, {})
  assert.ok(result.metrics.cpuMicrosPerRequest > 0)
})

test('what ends a heat ends all its servers, before anything else is measured', { skip }, async t => {
  const folder = temporaryFolder(t)
  const inFolder = { ...runtime, cwd: folder }
  const running = { ...entrantOf(null), runtime: inFolder }
  const impossible = { ...running, runtime: { ...inFolder, path: 'no\0path' } }
  await assert.rejects(runHttpHeat([running, impossible], { timing, pins }), { code: 'ERR_INVALID_ARG_VALUE' })
  assert.deepEqual(processesIn(folder), [])

  const controller = new AbortController()
  const heat = runHttpHeat([running, running], { timing, pins, signal: controller.signal })
  heat.catch(() => {})
  while (processesIn(folder).length < 2) await sleep(5)
  controller.abort()
  await assert.rejects(heat, { name: 'AbortError' })
  assert.deepEqual(processesIn(folder), [])
})
