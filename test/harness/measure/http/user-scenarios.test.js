/** Scenarios that act on the process that imports them: it must not be the one that measures. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { needsOf } from '../../../../harness/subject/http/needs.js'
import { serverJob, take, urlOf } from '../entrants.js'

/** @param {string} name */
const taskOf = name => ({
  ...serverJob(null, `test/fixtures/scenarios/${name}.js`),
  queueUrl: urlOf('queues/binary-heap.js')
})
/** @param {string} name */
const measure = name => take('alone', taskOf(name))

test('a scenario that patches built-ins patches those of its own process', async () => {
  const builtIns = () => [Map.prototype.get, Array.prototype.flatMap, Promise.race]
  const before = builtIns()
  const { metrics } = await measure('unruly')
  assert.ok(metrics.cpuMicrosPerRequest > 0)
  assert.deepEqual(builtIns(), before)
})

test('a scenario that ends its process loses its own figures, and is named', async () => {
  const lost = { kind: 'crash', message: /\/fixtures\/scenarios\/leaving\.js: the process ended with exit code 7$/ }
  await assert.rejects(measure('leaving'), lost)
  await assert.rejects(take('count', taskOf('leaving')), lost)
})

test('a scenario that replies in the place of the harness has no figures', async () => {
  await assert.rejects(measure('forging'), {
    kind: 'wrong',
    message: 'its process sent an invalid reply: port is 100000'
  })
})

test('a file that is no scenario of a server is refused by the process that loads it', async () => {
  await assert.rejects(measure('../workloads/sum'), {
    kind: 'crash',
    message: /^scenario .*\/sum\.js: scenario\.kind must be http, got "code"$/
  })
})

test('the needs of a server are data', () => {
  const createServer = () => {}
  const requests = () => [{ method: 'POST', path: '/a', body: 'b' }]
  const plain = { coldStart: false, breaksConnections: false }
  assert.deepEqual(needsOf(/** @type {any} */ ({ createServer }), {}), plain)
  assert.deepEqual(
    needsOf(
      /** @type {any} */ ({
        createServer,
        requests,
        coldStart: true,
        half: 2,
        /** @param {{n: number}} params */
        workers ({ n }) {
          return n / this.half
        },
        idleConnections: () => 0
      }),
      { n: 6 }
    ),
    { ...plain, coldStart: true, requests: requests(), workers: 3, idleConnections: 0 }
  )
})

const REQUESTS = "scenario.requests must return a list of requests, such as { method: 'GET', path: '/' }"

for (const [needs, message] of /** @type {[object, string][]} */ ([
  [{ requests: () => [{ path: '/' }] }, `${REQUESTS}, got [{"path":"/"}]`],
  [{ requests: () => [{ method: 'GET', path: '/a b' }] }, `${REQUESTS}, got [{"method":"GET","path":"/a b"}]`],
  [{ requests: async () => [] }, `${REQUESTS}, got a promise`],
  [{ workers: () => 0 }, 'scenario.workers must return a positive integer, got 0'],
  [{ idleConnections: () => NaN }, 'scenario.idleConnections must return an integer from 0 on, got NaN'],
  [{ pauseMs: 5 }, 'scenario.pauseMs must be a function, got 5']
])) {
  test(`a scenario is refused where ${message}`, () => {
    assert.throws(() => needsOf(/** @type {any} */ (needs), {}), { message })
  })
}
