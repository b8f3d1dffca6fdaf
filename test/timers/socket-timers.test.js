/** Timeouts of real sockets: keep-alive, resets, half-open connections and listeners. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { connect, createServer as createNetServer } from 'node:net'
import { TimerService } from '../../harness/subject/http/timer-service.js'
import { ModelQueue } from '../../harness/subject/trust/model-queue.js'
import { plugSocketTimers } from '../../timers/socket-timers.js'
import { close, connected, listen } from './servers.js'

const service = new TimerService(new ModelQueue())
/** @type {() => void} */
let unplug
before(() => {
  unplug = plugSocketTimers(service)
})
after(() => unplug())

/** Lets the event loop turn until the sockets have started or stopped their timers. */
async function pendingBecomes (/** @type {number} */ count) {
  for (let turns = 0; service.pending !== count && turns < 10_000; turns++) {
    await new Promise(resolve => setImmediate(resolve))
  }
  assert.equal(service.pending, count)
}

test('a keep-alive request refreshes the idle timers of both its sockets, and they end with the sockets', async () => {
  const server = createServer((request, response) => response.end())
  server.timeout = 60_000
  const port = await listen(server)
  const agent = new Agent({ keepAlive: true })
  for (let i = 0; i < 3; i++) {
    const refreshed = service.counts.refreshed
    const [response] = await once(request({ port, host: '127.0.0.1', agent }).end(), 'response')
    response.resume()
    await once(response, 'end')
    assert.ok(service.counts.refreshed > refreshed)
    assert.equal(service.pending, 1)
  }
  agent.destroy()
  await pendingBecomes(0)
  await close(server)
})

test('a refused connection leaves no timer behind', async () => {
  const server = createNetServer()
  const port = await listen(server)
  await close(server)
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(60_000)
  assert.equal(service.pending, 1)
  const [error] = await once(socket, 'error')
  assert.equal(error.code, 'ECONNREFUSED')
  await pendingBecomes(0)
})

test('a reset connection leaves no timer behind, on either side', async t => {
  const { client } = await connected(t, socket => socket.setTimeout(60_000).on('error', () => {}))
  client.setTimeout(60_000)
  await pendingBecomes(2)
  client.resetAndDestroy()
  await pendingBecomes(0)
})

test('a half-open connection keeps its timer until the other half is closed too', async t => {
  const { client, accepting } = await connected(t, socket => socket.setTimeout(60_000).resume(), {
    allowHalfOpen: true
  })
  client.end()
  await once(accepting, 'end')
  assert.equal(service.pending, 1)
  accepting.end()
  await pendingBecomes(0)
})

test('a destroyed socket takes no new timer', async t => {
  const { client } = await connected(t)
  client.setTimeout(60_000).destroy()
  await once(client, 'close')
  client.setTimeout(60_000)
  assert.equal(service.pending, 0)
})

test('an idle socket times out, once, and calls its listener', async t => {
  const { client } = await connected(t)
  await new Promise(resolve => client.setTimeout(5, () => resolve(null)))
  assert.equal(client.timeout, 5)
  assert.equal(service.pending, 0)
})

test('a timeout of 0 stops the timer and removes its listener', async t => {
  const { client } = await connected(t)
  const listener = () => assert.fail('timed out')
  client.setTimeout(60_000, listener).setTimeout(0, listener)
  assert.equal(service.pending, 0)
  assert.equal(client.listenerCount('timeout'), 0)
})

test('a server that closes under load leaves no timer behind', async () => {
  const server = createServer(request => request.setTimeout(60_000))
  const port = await listen(server)
  Array.from({ length: 50 }, () =>
    request({ port, host: '127.0.0.1', agent: false })
      .on('error', () => {})
      .end()
  )
  await pendingBecomes(50)
  await close(server)
  await pendingBecomes(0)
})
