import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { SampleError } from '../../../../harness/processes/child.js'
import { countServerWork, isCountable } from '../../../../harness/measure/http/exact.js'
import { loadScenario } from '../../../../harness/measure/modules/load-scenario.js'
import { temporaryFolder } from '../../temporary-folder.js'

const runtime = { name: process.version, path: process.execPath, flags: [] }
/** @param {string} path */
const urlOf = path => new URL(`../../../../${path}`, import.meta.url).href

/** @param {string} queue */
async function workOf (queue) {
  const { metrics } = await countServerWork({
    queueUrl: urlOf(`queues/${queue}.js`),
    scenarioUrl: urlOf('scenarios/keep-alive.js'),
    params: { connections: 20, threads: 1, seconds: 1 },
    port: 0,
    load: 'autocannon',
    warmupMs: 0
  }, runtime, 60_000)
  return metrics.workPerRequest
}

test('a server counts the same work per request in every process, to the block', async () => {
  const [first, second] = [await workOf('binary-heap'), await workOf('binary-heap')]
  assert.ok(first > 0)
  assert.equal(first, second)
})

test('a list searched from its far end works harder the more connections there are', async () => {
  const [list, wheel] = [await workOf('sorted-list'), await workOf('hierarchical-wheel')]
  assert.ok(list > 3 * wheel, `${list} and ${wheel} blocks`)
})

test('a server that breaks its connections loses its own count, and does not end the run', async t => {
  const scenario = path.join(temporaryFolder(t), 'breaking.mjs')
  writeFileSync(scenario, 'export const scenario = { createServer: createServer => createServer(({ socket }) => socket.destroy()) }')
  const counted = countServerWork({
    queueUrl: urlOf('queues/binary-heap.js'),
    scenarioUrl: pathToFileURL(scenario).href,
    params: { connections: 2 },
    port: 0,
    load: 'autocannon',
    warmupMs: 0
  }, runtime, 60_000)
  await assert.rejects(counted, error => {
    assert.ok(error instanceof SampleError)
    assert.deepEqual([error.kind, error.message], ['crash', 'the server broke a connection: socket hang up'])
    return true
  })
})

test('only servers that answer alike requests at once are counted', async () => {
  const isCounted = async (/** @type {string} */ name) =>
    isCountable(/** @type {any} */ (await loadScenario(urlOf(`scenarios/${name}.js`))))
  assert.deepEqual(await Promise.all(['keep-alive', 'modern-keep-alive', 'timeouts', 'files-cluster', 'idle-sockets'].map(isCounted)),
    [true, true, false, false, false])
})
