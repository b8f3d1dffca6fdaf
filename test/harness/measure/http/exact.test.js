import { test } from 'node:test'
import assert from 'node:assert/strict'
import { SampleError } from '../../../../harness/model/errors.js'
import { countServerWork } from '../../../../harness/measure/http/exact.js'
import { isCountable } from '../../../../harness/plan/plan.js'
import { loadScenario } from '../../../../harness/subject/modules/load.js'

const runtime = { name: process.version, path: process.execPath, flags: [] }
/** @param {string} path */
const urlOf = path => new URL(`../../../../${path}`, import.meta.url).href

/** @param {string} scenarioUrl */
const count = scenarioUrl =>
  countServerWork(
    {
      queueUrl: urlOf('queues/binary-heap.js'),
      scenarioUrl,
      params: { connections: 20, threads: 1, seconds: 1 },
      port: 0,
      load: 'autocannon',
      warmupMs: 0
    },
    runtime,
    60_000
  )

test('a server counts the same work per request in every process, to the block', async () => {
  const [first, second] = await Promise.all(
    ['keep-alive', 'keep-alive'].map(name => count(urlOf(`scenarios/${name}.js`)))
  )
  assert.ok(first.metrics.workPerRequest > 0)
  assert.deepEqual(first, second)
})

test('a server that breaks its connections loses its own count, and does not end the run', async () => {
  await assert.rejects(count(urlOf('test/fixtures/scenarios/breaking.js')), error => {
    assert.ok(error instanceof SampleError)
    assert.deepEqual([error.kind, error.message], ['crash', 'the server broke a connection: socket hang up'])
    return true
  })
})

test('only servers that answer alike requests at once are counted', async () => {
  const isCounted = async (/** @type {string} */ name) =>
    isCountable(/** @type {any} */ (await loadScenario(urlOf(`scenarios/${name}.js`))))
  assert.deepEqual(
    await Promise.all(['keep-alive', 'modern-keep-alive', 'timeouts', 'files-cluster', 'idle-sockets'].map(isCounted)),
    [true, true, false, false, false]
  )
})
