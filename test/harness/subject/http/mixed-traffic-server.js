/**
 * A server for mixed traffic, in a separate process. All idle timers of its sockets are in one queue, and each has a
 * twin among Node's own timers: started, refreshed and stopped at the same moments, on the same event loop. When both
 * have fired, it notes how late each was.
 *
 * Usage: node --expose-gc mixed-traffic-server.js URL-OF-A-QUEUE, with a channel to the process that starts it.
 */
import { createServer } from 'node:http'
import { createServer as createTcpServer, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { countConnections } from '../../../../harness/subject/http/connections.js'
import { TimerService } from '../../../../harness/subject/http/timer-service.js'
import { loadQueue } from '../../../../harness/subject/modules/load.js'
import { plugSocketTimers } from '../../../../timers/socket-timers.js'

/** A minute of traffic stands for an hour: Node's 5 s, and the 2 min of Node 0.10. */
const KEEP_ALIVE_MS = 83
const IDLE_MS = 2000
const LARGE = Buffer.alloc(2 ** 21)
/** A timer that is seen to fire this early is early: less is the rounding of binary fractions. */
const ROUNDING_MS = 1e-6
/** Garbage that depends on other garbage, and closed handles, take more than one collection. */
const COLLECTIONS = 4

/** In typed arrays, outside of the heap that is measured. More pairs are not kept between two reads. */
const MOST_PAIRS = 2 ** 16
const lateness = { queue: new Float64Array(MOST_PAIRS), node: new Float64Array(MOST_PAIRS) }
let pairs = 0
let fired = 0
let early = 0
let afterClose = 0
let connections = 0

const kTwins = Symbol('twins')
/** @typedef {{startedAt: number, duration: number, native: NodeJS.Timeout, queue?: number, node?: number}} Twins */

const { Queue } = await loadQueue(process.argv[2])
const service = new TimerService(new Queue())
plugSocketTimers(service)
startTwins()

const http = createServer(serve)
http.timeout = IDLE_MS
http.keepAliveTimeout = KEEP_ALIVE_MS
// Each socket says how long it may be idle; its other half is closed when it was, or when it is asked to.
const tcp = createTcpServer({ allowHalfOpen: true }, socket => {
  socket.on('error', () => {})
  socket.on('timeout', () => socket.destroy())
  socket.setTimeout(IDLE_MS)
  socket.on('data', text => socket.setTimeout(Number(text) || IDLE_MS))
})
for (const server of [http, tcp]) {
  server.on('connection', () => {
    connections++
  })
}

const handlers = { read, rest, close }
process.on('message', async (/** @type {keyof typeof handlers} */ type) => process.send?.(await handlers[type]()))
process.once('disconnect', () => process.exit())
process.send?.({ http: await listen(http), tcp: await listen(tcp) })

/** Around the methods that plug the queue in, so that the clock is read before the queue's service reads it. */
function startTwins () {
  /** @type {any} */
  const prototype = Socket.prototype
  const { setTimeout: plugged, _unrefTimer, _destroy, _onTimeout } = prototype

  prototype.setTimeout = function (/** @type {number} */ duration, /** @type {() => void} */ callback) {
    stopTwin(this[kTwins])
    this[kTwins] = duration > 0 && !this.destroyed ? twinsOf(duration) : undefined
    return plugged.call(this, duration, callback)
  }
  prototype._unrefTimer = function () {
    const twins = this[kTwins]
    // If one of them has fired already, the other is left to itself.
    if (twins) this[kTwins] = hasFired(twins) ? twinsOf(twins.duration) : restarted(twins)
    return _unrefTimer.call(this)
  }
  prototype._destroy = function (/** @type {Error} */ error, /** @type {() => void} */ callback) {
    stopTwin(this[kTwins])
    return _destroy.call(this, error, callback)
  }
  prototype._onTimeout = function () {
    fired++
    if (this.destroyed) afterClose++
    note(this[kTwins], 'queue')
    if (this[kTwins].queue < -ROUNDING_MS) early++
    return _onTimeout.call(this)
  }
}

/** @param {number} duration */
function twinsOf (duration) {
  const twins = /** @type {Twins} */ ({ startedAt: performance.now(), duration })
  twins.native = setTimeout(note, duration, twins, 'node').unref()
  return twins
}

/** @param {Twins} twins */
function restarted (twins) {
  twins.startedAt = performance.now()
  twins.native.refresh()
  return twins
}

/** @param {Twins | undefined} twins */
function stopTwin (twins) {
  if (twins && !hasFired(twins)) clearTimeout(twins.native)
}

/** @param {Twins} twins */
const hasFired = ({ queue, node }) => (queue ?? node) !== undefined

/**
 * @param {Twins} twins
 * @param {'queue' | 'node'} who
 */
function note (twins, who) {
  twins[who] = performance.now() - twins.startedAt - twins.duration
  const { queue, node } = twins
  if (queue === undefined || node === undefined || pairs === MOST_PAIRS) return
  lateness.queue[pairs] = queue
  lateness.node[pairs] = node
  pairs++
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function serve (request, response) {
  const { socket } = request
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://server')
  const ms = Number(searchParams.get('ms'))
  if (pathname === '/answer') response.end()
  // Never answers: the idle timeout closes it.
  if (pathname === '/wait') socket.setTimeout(ms)
  if (pathname === '/destroy') {
    await sleep(ms)
    socket.destroy()
  }
  if (pathname === '/cancel') {
    socket.setTimeout(0)
    await sleep(ms)
    response.end()
  }
  // Part after part, each of which refreshes the timer.
  if (pathname === '/parts') {
    for (let i = 0; i < 8; i++) {
      response.write('part')
      await sleep(ms)
    }
    response.end()
  }
  // More than the buffers take: the timer fires while the client does not read, and starts again if it has read since.
  if (pathname === '/large') {
    socket.setTimeout(ms)
    response.end(LARGE)
  }
  if (pathname === '/upload') request.resume().once('end', () => response.end())
}

/** Returns the timers that fired since the last call. */
function read () {
  const [queue, node] = [lateness.queue, lateness.node].map(values => Array.from(values.subarray(0, pairs)))
  const read = { lateness: { queue, node }, fired, early, afterClose, connections }
  pairs = 0
  fired = 0
  early = 0
  afterClose = 0
  connections = 0
  return read
}

/** Returns the timers and memory that are left when traffic has ended. */
async function rest () {
  for (let i = 0; i < COLLECTIONS; i++) {
    await sleep(1)
    globalThis.gc?.()
  }
  return { open: await openConnections(), pending: service.pending, heapBytes: process.memoryUsage().heapUsed }
}

/** Closes whatever is open, and the servers. */
async function close () {
  http.closeAllConnections()
  await Promise.all([http, tcp].map(server => new Promise(resolve => server.close(resolve))))
  return { pending: service.pending }
}

async function openConnections () {
  const counts = await Promise.all([http, tcp].map(countConnections))
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * @param {import('node:net').Server} server
 * @returns {Promise<number>} its port
 */
function listen (server) {
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => {
      resolve(/** @type {import('node:net').AddressInfo} */ (server.address()).port)
    })
  )
}
