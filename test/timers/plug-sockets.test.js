/** Idle timeouts under the sockets of a process: events, errors and unplugging. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { connect, createServer as createNetServer, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { plugSockets } from '../../timers/plug-sockets.js'
import { kTimer } from '../../timers/socket-timers.js'
import { block, close, connected, listen } from './servers.js'

const FINE = { resolution: 3, shortest: 1 }
/** A timeout that no test waits for. */
const LONG_MS = 60_000
const isOurs = (/** @type {any} */ socket) => socket[kTimer] !== undefined

test('all sockets of the process time out when idle, and activity after that starts the timeout again', async t => {
  const unplug = plugSockets(null, FINE)
  t.after(unplug)
  const { client, accepting } = await connected(t)
  const start = performance.now()
  client.setTimeout(50)
  assert.ok(isOurs(client))
  assert.equal(client.timeout, 50)
  await once(client, 'timeout')
  assert.ok(performance.now() - start >= 50)
  accepting.write('x')
  client.resume()
  await once(client, 'timeout')
  client.setTimeout(0)
  accepting.write('x')
  await once(client, 'data')
  client.on('timeout', () => assert.fail('stopped'))
})

test('one server can be plugged: its connections, not those of others', async t => {
  const { server, accepting, client } = await connected(t)
  const other = await connected(t)
  const unplug = plugSockets(server)
  t.after(unplug)
  for (const socket of [accepting, client, other.accepting]) socket.setTimeout(LONG_MS)
  assert.deepEqual([accepting, client, other.accepting].map(isOurs), [true, false, false])
})

test('short timeouts stay with Node', async t => {
  t.after(plugSockets(null, { resolution: 10 }))
  const { client } = await connected(t)
  client.setTimeout(99)
  assert.ok(!isOurs(client))
  client.setTimeout(100)
  assert.ok(isOurs(client))
  client.setTimeout(20)
  await once(client, 'timeout')
})

test('a timeout that changes hands is stopped where it was', async t => {
  t.after(plugSockets(null, { resolution: 10 }))
  const { client } = await connected(t)
  client.on('timeout', () => assert.fail(`a stopped timeout expired, not that of ${client.timeout} ms`))
  for (const durations of [
    [LONG_MS, 20, LONG_MS],
    [110, 20, 0],
    [110, 0]
  ]) {
    for (const duration of durations) client.setTimeout(duration)
    await sleep(150)
  }
})

test('a timeout that is stopped and started again expires, its whole length after that', async t => {
  t.after(plugSockets(null, { resolution: 10 }))
  const { client } = await connected(t)
  client.setTimeout(150)
  await sleep(50)
  client.setTimeout(0)
  await sleep(50)
  const start = performance.now()
  client.setTimeout(150)
  await once(client, 'timeout')
  assert.ok(performance.now() - start >= 150)
})

test('unplugged sockets continue with the timers of Node', async t => {
  const native = Socket.prototype.setTimeout
  const unplug = plugSockets(null, FINE)
  const unplugServer = plugSockets(createNetServer())
  assert.notEqual(Socket.prototype.setTimeout, native)
  const { client } = await connected(t)
  client.setTimeout(40)
  unplug()
  unplug()
  assert.ok(isOurs(client), 'a server is still plugged')
  unplugServer()
  assert.equal(Socket.prototype.setTimeout, native)
  assert.ok(!isOurs(client))
  await once(client, 'timeout')
})

test('a keep-alive server closes idle connections, and answers the others', async t => {
  t.after(plugSockets(null, FINE))
  const server = createServer((request, response) => response.end('x'))
  server.keepAliveTimeout = 40
  const port = await listen(server)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let i = 0; i < 3; i++) {
    const [response] = await once(request({ port, host: '127.0.0.1', agent }).end(), 'response')
    response.resume()
    await once(response, 'end')
  }
  const [socket] = Object.values(agent.freeSockets).flat()
  if (socket && !socket.destroyed) await once(socket, 'close')
  agent.destroy()
  await close(server)
})

test('arguments are refused as in Node, and leave the running timeout alone', async t => {
  t.after(plugSockets(null, FINE))
  const { client } = await connected(t)
  client.setTimeout(40)
  for (const [code, ...values] of /** @type {any[][]} */ ([
    ['ERR_OUT_OF_RANGE', -1, Infinity, NaN],
    ['ERR_INVALID_ARG_TYPE', '100', 'abc', undefined, null, {}]
  ])) {
    for (const bad of values) assert.throws(() => client.setTimeout(bad), { code })
  }
  assert.ok(isOurs(client))
  await once(client, 'timeout')
  for (const bad of /** @type {any[]} */ ([null, 'x', {}])) {
    assert.throws(() => client.setTimeout(100, bad), { code: 'ERR_INVALID_ARG_TYPE' })
  }
})

test('unplugging restores what is still ours; below later hooks, ours let every call pass', async t => {
  /** @type {any} */
  const prototype = Socket.prototype
  const { setTimeout, _unrefTimer, _destroy } = prototype
  t.after(() => Object.assign(prototype, { setTimeout, _unrefTimer, _destroy }))
  const unplug = plugSockets(null, FINE)
  const plugged = prototype.setTimeout
  let calls = 0
  prototype.setTimeout = function hook (/** @type {any[]} */ ...args) {
    calls++
    return plugged.apply(this, args)
  }
  const { client } = await connected(t)
  client.setTimeout(30)
  assert.ok(isOurs(client))
  unplug()
  assert.equal(prototype.setTimeout.name, 'hook')
  assert.deepEqual([prototype._unrefTimer, prototype._destroy], [_unrefTimer, _destroy])
  const before = calls
  client.setTimeout(20)
  assert.equal(calls, before + 1)
  assert.ok(!isOurs(client))
  await once(client, 'timeout')

  const unplugAgain = plugSockets(null, FINE)
  client.setTimeout(30)
  assert.equal(calls, before + 2)
  assert.ok(isOurs(client))
  await once(client, 'timeout')
  unplugAgain()
  assert.equal(prototype.setTimeout.name, 'hook')
})

test('a socket that is plugged again has no timer of Node in addition to its own', async t => {
  const { client } = await connected(t)
  const unplug = plugSockets(null, FINE)
  client.setTimeout(40)
  unplug()
  t.after(plugSockets(null, FINE))
  client.setTimeout(LONG_MS)
  client.on('timeout', () => assert.fail('the timer that Node had started'))
  await sleep(100)
})

test('after unplugging, an expired timeout continues, and a stopped one stays so', async t => {
  const unplug = plugSockets(null, FINE)
  const [{ client }, stopped] = [await connected(t), await connected(t)]
  client.setTimeout(30)
  await once(client, 'timeout')
  stopped.client.setTimeout(30)
  stopped.client.setTimeout(0)
  stopped.client.on('timeout', () => assert.fail('stopped'))
  unplug()
  await once(client, 'timeout')
  await sleep(30)
})

test('wrong arguments of plugSockets are refused, with their names, and plug nothing', () => {
  const native = Socket.prototype.setTimeout
  const milliseconds = ['resolution', 'shortest'].map(name => ({
    refused: [NaN, -1, 0, Infinity, 1e300, '100', null, {}].map(value => [null, { [name]: value }]),
    error: { name: 'RangeError', message: new RegExp(`^${name} must be milliseconds from`) }
  }))
  const servers = [8080, '127.0.0.1', {}, new Socket(), () => {}]
  for (const { refused, error } of [
    ...milliseconds,
    { refused: servers.map(server => [server]), error: /^TypeError: server must be a server of net, tls or http/ },
    { refused: [[{ resolution: 50 }]], error: /^TypeError: .*options come second: plugSockets\(null, \{ \.\.\. \}\)/ },
    {
      refused: [null, 100, 'fine'].map(options => [null, options]),
      error: /^TypeError: the options of plugSockets must be/
    },
    {
      refused: [[null, { resolutions: 50 }]],
      error: /^TypeError: plugSockets has no option "resolutions": its options are resolution, shortest$/
    }
  ]) {
    for (const [server, options] of /** @type {any[][]} */ (refused)) {
      assert.throws(() => plugSockets(server, options), error)
    }
  }
  assert.equal(Socket.prototype.setTimeout, native)
})

const CONNECTIONS = 50
/** Much longer than a busy machine may stop a process. */
const TIMEOUT_MS = 600

/**
 * Connections to a server whose sockets have data waiting when the event loop has been blocked for longer than their
 * timeout.
 */
async function timeoutsAfterBlock () {
  let timeouts = 0
  /** @type {Socket[]} */
  const accepted = []
  const server = createNetServer(socket => accepted.push(socket.on('timeout', () => timeouts++)))
  const port = await listen(server)
  const clients = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'))
  while (accepted.length < CONNECTIONS) await once(server, 'connection')
  let start
  do {
    start = performance.now()
    for (const socket of accepted) socket.setTimeout(TIMEOUT_MS)
    await sleep(10)
    // In a check phase, so timers come before the poll phase.
    await new Promise(setImmediate)
  } while (performance.now() - start > TIMEOUT_MS / 2)
  const received = accepted.map(socket => once(socket, 'data'))
  for (const client of clients) client.write('x')
  block(1.5 * TIMEOUT_MS)
  await Promise.all(received)
  for (const socket of [...clients, ...accepted]) socket.destroy()
  await close(server)
  return timeouts
}

test('data that waited while the event loop was blocked counts as activity, unlike in Node', async t => {
  assert.equal(await timeoutsAfterBlock(), CONNECTIONS)
  const unplug = plugSockets(null, FINE)
  t.after(unplug)
  assert.equal(await timeoutsAfterBlock(), 0)
})

test('node --import plugs a program', () => {
  const preload = fileURLToPath(new URL('../../timers/sockets.js', import.meta.url))
  const program = `
    import { Socket } from 'node:net'
    import { kTimer } from ${JSON.stringify(new URL('../../timers/socket-timers.js', import.meta.url).href)}
    console.log(kTimer in new Socket().setTimeout(60_000))`
  const args = ['--import', preload, '--input-type=module', '--eval', program]
  assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }), 'true\n')
})
