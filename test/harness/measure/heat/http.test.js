/** Real servers under real load, a second each. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesIn, skip } from '../../../faults/watched-run.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { SampleError } from '../../../../harness/model/errors.js'
import { runHttpHeat } from '../../../../harness/measure/heat/http.js'
import { pins, runtime, serverJob } from '../entrants.js'
import { needs } from '../../../needs.js'

const KEEP_ALIVE = 'scenarios/keep-alive.js'
const timing = { seconds: 2, sliceMs: 100 }

/**
 * @param {(string | null)[]} queues
 * @param {string} [scenario]
 */
function heatOf (queues, scenario = KEEP_ALIVE) {
  const entrants = queues.map(queue => ({ job: serverJob(queue, scenario), runtime }))
  return runHttpHeat(entrants, { timing, pins })
}

test('servers of a heat are loaded at the same time, and have a value in about every slice', async () => {
  const results = await heatOf([null, 'queues/binary-heap.js'])
  const [first] = results
  assert.ok(!(first instanceof SampleError), String(first))
  const firstSlices = first.slices.cpuMicrosPerRequest
  for (const result of results) {
    assert.ok(!(result instanceof SampleError), String(result))
    const { metrics, slices } = result
    // Slices fill the time in which all loads run and both servers have settled.
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
    const job = serverJob(null, KEEP_ALIVE)
    const load = { ...job.load, command: ['wrk', '-t1', '-c5', '-d4s', '-s', '{script}', '{url}'] }
    const [result] = await runHttpHeat([{ job: { ...job, load }, runtime }], {
      // The load is long enough to count, also where a busy machine opens its connections a second late.
      timing: { seconds: 6, sliceMs: 4000 },
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
  const running = { job: serverJob(null, KEEP_ALIVE), runtime: inFolder }
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
