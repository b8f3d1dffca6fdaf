/** Copies of a user's program in a heat, under real load. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { runHttpHeat } from '../../../../harness/measure/heat/http.js'
import { tryOut } from '../../../../harness/measure/program/try-out.js'
import { SampleError } from '../../../../harness/model/errors.js'
import { LOAD, pins, runtime, take, urlOf } from '../entrants.js'
import { programOf } from './programs.js'

const WHEEL = urlOf('queues/lazy-wheel.js')
const options = { timing: { seconds: 2, sliceMs: 100 }, pins }
/** A client of the raw server: each connection sends a message every 20 ms. */
const client = `const [port, connections, seconds] = process.argv.slice(1).map(Number)
  for (let i = 0; i < connections; i++) {
    const socket = require('node:net').connect(port, '127.0.0.1').on('error', () => {}).resume()
    setInterval(() => socket.write('hello'), 20)
  }
  setTimeout(() => process.exit(), 1000 * seconds)`

/**
 * @param {import('node:test').TestContext} t
 * @param {'good' | 'raw'} name
 * @param {object} changed  Fields of the job.
 */
const heatOf = (t, name, changed) =>
  runHttpHeat(
    [null, WHEEL].map(queueUrl => ({
      job: { ...programOf(t, name).job, queueUrl, warmupMs: 50, params: { connections: 5 }, port: 0, ...changed },
      runtime
    })),
    options
  )

test("copies under equal load have CPU time per request, and the queue holds the sockets' timers", async t => {
  const results = await heatOf(t, 'good', { load: { generator: LOAD } })
  for (const result of results) {
    assert.ok(!(result instanceof SampleError), String(result))
    assert.deepEqual(Object.keys(result.slices), ['cpuMicrosPerRequest'])
    assert.ok(result.slices.cpuMicrosPerRequest.some(value => value !== null && value > 0))
    assert.ok(
      result.metrics.cpuMicrosPerRequest > 0 && result.metrics.requestsPerSecond > 0 && result.metrics.rssBytes > 0
    )
  }
  const [node, wheel] = /** @type {any[]} */ (results)
  assert.equal(node.metrics.timerOperationsPerSecond, undefined)
  assert.ok(wheel.metrics.timerOperationsPerSecond > 0)
})

test('a program that counts no requests is measured by CPU time per second', async t => {
  const results = await heatOf(t, 'raw', {
    load: { command: [process.execPath, '-e', client, '{port}', '{connections}', '{seconds}'] }
  })
  for (const result of results) {
    assert.ok(!(result instanceof SampleError), String(result))
    assert.deepEqual(Object.keys(result.slices), ['cpuMillisPerSecond'])
    const { cpuMillisPerSecond, requestsPerSecond } = /** @type {Record<string, number>} */ (result.metrics)
    assert.ok(cpuMillisPerSecond > 0 && cpuMillisPerSecond < 1000)
    assert.equal(requestsPerSecond, undefined)
  }
})

/** A client that sends some fifty requests a second, for as many seconds as the last argument says. */
const sender = `const [url, seconds] = process.argv.slice(1)
  const again = () => setTimeout(send, 20)
  const send = () => fetch(url).then(answer => answer.text()).then(again, again)
  send()
  setTimeout(() => process.exit(), 1000 * seconds)`
const load = (/** @type {string} */ source, /** @type {string[]} */ ...words) =>
  ({ load: { command: [process.execPath, '-e', source, ...words] } })

test('a load that sends far fewer requests than when the program was tried out costs the sample', async t => {
  const { job } = programOf(t, 'good')
  const program = { ...job.program, requestsPerSecond: 1e6 }
  const results = await heatOf(t, 'good', { ...load(sender, '{url}', '{seconds}'), program })
  for (const result of results) {
    assert.ok(result instanceof SampleError && result.kind === 'load', String(result))
    assert.match(result.message, /^--load-command sent [\d.]+ requests a second, and about 500000\.0 when the program /)
  }
})

test('a load that ends at once is refused when the program is tried out', async t => {
  const { job } = programOf(t, 'good')
  const params = { ...job.params, seconds: 20 }
  const ended = take('alone', { ...job, params, ...load(sender, '{url}', '0'), warmupMs: 50, port: 0 })
  await assert.rejects(ended, {
    kind: 'load',
    message: /^--load-command ended after [\d.]+ s of 20 s: it must send requests for /
  })
})

test('a program that is tried out shows whether its sockets start idle timers', async t => {
  const triedOut = (/** @type {'good' | 'timeless'} */ name) =>
    tryOut({ ...programOf(t, name).job, load: { generator: LOAD }, warmupMs: 50, port: 0 }, runtime)
  const trials = await Promise.all([triedOut('good'), triedOut('timeless')])
  assert.deepEqual(
    trials.map(({ usesTimers, requestsPerSecond, askedPort }) => [usesTimers, requestsPerSecond > 0, askedPort]),
    [[true, true, 3000], [false, true, 3000]]
  )
})

for (const [name, cause] of /** @type {const} */ ([
  ['udp', /could not start: .*EADDRINUSE/],
  ['locked', /could not start: .* answered on no port within/]
])) {
  test(`a program of which one copy can run at a time is refused, and told why: ${name}`, async t => {
    const { job } = programOf(t, name)
    const refused = { exitCode: 4, message: cause }
    await assert.rejects(tryOut({ ...job, load: { generator: LOAD }, warmupMs: 50, port: 0 }, runtime), refused)
  })
}

test('a program that cannot be measured is refused before heats are spent on it', async t => {
  const { job } = programOf(t, 'crash')
  await assert.rejects(tryOut({ ...job, load: { generator: 'autocannon' }, warmupMs: 50, port: 0 }, runtime), {
    exitCode: 4,
    message: /Cannot find module/
  })
})
