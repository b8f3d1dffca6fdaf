/** The work of servers, counted. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { planScenario } from '../../../../harness/plan/scenarios.js'
import { loadScenario } from '../../../../harness/subject/modules/load.js'
import { serverJob, take, urlOf } from '../entrants.js'

/** @param {string} scenario */
const count = scenario =>
  take('count', {
    ...serverJob(null, scenario, { connections: 20 }),
    queueUrl: urlOf('queues/binary-heap.js')
  })

test('a server counts the same work per request in every process, to the block', async () => {
  const [first, second] = await Promise.all(Array(2).fill('scenarios/keep-alive.js').map(count))
  assert.ok(first.metrics.workPerRequest > 0)
  assert.deepEqual(first, second)
})

test('a server that breaks its connections loses its own count, and does not end the run', async () => {
  await assert.rejects(count('test/fixtures/scenarios/breaking.js'), {
    kind: 'crash',
    message: 'the server broke a connection: socket hang up'
  })
})

test('only servers that answer alike requests at once are counted', async () => {
  const isCounted = async (/** @type {string} */ name) =>
    planScenario(/** @type {any} */ (await loadScenario(urlOf(`scenarios/${name}.js`))), '', {}).steps.includes('count')
  assert.deepEqual(
    await Promise.all(['keep-alive', 'modern-keep-alive', 'timeouts', 'files-cluster', 'idle-sockets'].map(isCounted)),
    [true, true, false, false, false]
  )
})
