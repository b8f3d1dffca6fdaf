/**
 * The server of one HTTP sample, in a process of its own, or one of its workers (see cluster.js). Its counters cover the
 * window between `open` and `close`.
 */
import { createServer } from 'node:http'
import { constants, performance, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { answer } from '../../processes/answer.js'
import { cpuMicros, wallMs } from '../trust/clock.js'
import { assertPunctual } from '../trust/punctuality.js'
import { assertUntouched } from '../trust/tampering.js'
import { createCellServer } from './create-server.js'
import { LOOPBACK } from './loopback.js'

const GC_KINDS = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakCallbacks']
])

/** Taken before a queue can replace them. */
const loopUtilization = performance.eventLoopUtilization.bind(performance)
const { memoryUsage: { rss }, resourceUsage } = process

/** @type {import('./timer-service.js').TimerService | null} null: Node's own timers, untouched */
let service = null
/** @type {(new () => import('../modules/load-queue.js').TimerQueue) | null} */
let Queue = null
/** @type {import('node:http').Server} */
let server
let requests = 0
/** Connections that are open, and the most that were since the window opened. */
let connected = 0
let connectedPeak = 0
/** Requests that wait until all connections of their load are open, and whether they are. @type {(() => void)[]} */
const waiting = []
let isAssembled = false
/** @type {NodeJS.Timeout | undefined} */
let patience
/** Since the start, by method: which of them the server has taken, and answered well. */
const received = /** @type {Record<string, number>} */ ({})
const answered = /** @type {Record<string, number>} */ ({})

/** @type {Record<string, {count: number, pauseMs: number, longestMs: number}>} */
let collections = {}
const collectionObserver = new PerformanceObserver(list => list.getEntries().forEach(countCollection))

/** State of the process when the window opened. */
let opened = { time: 0, cpu: cpuMicros(), loop: loopUtilization() }

/** The same when the last slice ended. */
let sliced = { requests: 0, cpuMicros: 0 }

/** Ten thousand connections whose timers are in a sorted list took more than ten seconds to close. */
const REST_LIMIT_MS = 60_000
const REST_POLL_MS = 5

/** Node's own. */
const BACKLOG = 511
/** When no further connection comes for so long, a load begins with those that have come. */
const ASSEMBLY_LIMIT_MS = 1000

answer({ listen, rest, open, slice, close, settle, call })

/** @param {import('./create-server.js').ServerTask & {port: number, listen?: string, countsOperations: boolean, workers?: number}} task */
async function listen (task) {
  ({ server, service, Queue } = await createCellServer(task, handler => createServer((request, response) => {
    requests++
    // Costs time of its own: only where it is asked for.
    if (task.countsOperations) countOperation(request, response)
    if (isAssembled) handler(request, response)
    else wait(() => handler(request, response))
  })))
  // How the workers of a cluster share connections is not known beforehand.
  const expected = task.workers === undefined ? connectionsOf(task.params) : 0
  server.on('connection', socket => countConnection(socket, expected))
  assertUntouched()
  // A load opens all its connections at once; the system makes those that find no place wait for a second or longer.
  const backlog = Math.max(BACKLOG, task.params.connections)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(task.port, task.listen ?? LOOPBACK, backlog, () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address())
      resolve({ port: address.port })
    })
  })
}

/**
 * Waits until a load is over: its connections closed, on this side too.
 *
 * @param {{connections: number}} message  How many stay open.
 */
async function rest ({ connections }) {
  const start = wallMs()
  while (await openConnections() > connections) {
    if (wallMs() - start > REST_LIMIT_MS) throw new Error(`connections still open ${REST_LIMIT_MS / 1000} s after the load`)
    await sleep(REST_POLL_MS)
  }
  return {}
}

/** @returns {Promise<number>} */
function openConnections () {
  return new Promise((resolve, reject) => server.getConnections((error, count) => error ? reject(error) : resolve(count)))
}

function open () {
  requests = 0
  connectedPeak = connected
  collections = {}
  collectionObserver.disconnect()
  collectionObserver.observe({ entryTypes: ['gc'] })
  service?.resetCounts()
  opened = { time: wallMs(), cpu: cpuMicros(), loop: loopUtilization() }
  sliced = { requests: 0, cpuMicros: opened.cpu.user + opened.cpu.system }
  return {}
}

/** What happened since the window opened, or since the last slice. */
function slice () {
  const { user, system } = cpuMicros()
  const now = { requests, cpuMicros: user + system }
  const since = sliced
  sliced = now
  return { requests: now.requests - since.requests, cpuMicros: now.cpuMicros - since.cpuMicros }
}

function close () {
  const windowMs = wallMs() - opened.time
  const { user, system } = cpuMicros()
  const loop = loopUtilization(opened.loop)
  collectionObserver.takeRecords().forEach(countCollection)
  return {
    windowMs,
    requests,
    connectedPeak,
    userMicros: user - opened.cpu.user,
    systemMicros: system - opened.cpu.system,
    eventLoopUtilization: loop.utilization,
    collections,
    rssBytes: residentBytes(),
    timers: service && {
      ...service.counts,
      pendingPeak: service.pendingPeak,
      latenessP50Ms: service.lateness.percentile(50) / 1000,
      latenessP99Ms: service.lateness.percentile(99) / 1000,
      latenessMaxMs: service.lateness.max / 1000
    }
  }
}

/**
 * Each thread of wrk opens as many connections as every other.
 *
 * @param {Record<string, number>} params
 */
function connectionsOf ({ connections, threads = 1 }) {
  return threads * Math.floor(connections / threads)
}

/**
 * @param {import('node:net').Socket} socket
 * @param {number} expected  Connections of a load.
 */
function countConnection (socket, expected) {
  connectedPeak = Math.max(connectedPeak, ++connected)
  if (connected >= expected) assemble()
  else patience?.refresh()
  socket.once('close', () => {
    if (--connected === 0) isAssembled = false
  })
}

/**
 * Node accepts one connection in each turn of its event loop. If the first connections were answered meanwhile, they would
 * keep the loop so busy that, where servers share a core, a third of the connections were never accepted in a heat of seconds.
 *
 * @param {() => void} answerRequest
 */
function wait (answerRequest) {
  waiting.push(answerRequest)
  patience ??= setTimeout(assemble, ASSEMBLY_LIMIT_MS)
}

function assemble () {
  isAssembled = true
  clearTimeout(patience)
  patience = undefined
  for (const answerRequest of waiting.splice(0)) answerRequest()
}

/** Now, or where that cannot be read (Linux without /proc), at most so far. */
function residentBytes () {
  try {
    return rss()
  } catch {
    return 1024 * resourceUsage().maxRSS
  }
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function countOperation ({ method = '' }, response) {
  received[method] = (received[method] ?? 0) + 1
  response.once('finish', () => {
    if (response.statusCode === 200) answered[method] = (answered[method] ?? 0) + 1
  })
}

/** After the load has gone: the timers left behind when all sockets are destroyed, and what was asked of the server. */
async function settle () {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  if (Queue) assertPunctual(Queue)
  assertUntouched()
  return { pending: service?.pending ?? 0, received, answered }
}

/**
 * For what only some samples ask of the server, such as a profile: a function of a module that the others never load.
 *
 * @param {{moduleUrl: string, name: string}} message  And the function's options.
 */
async function call ({ moduleUrl, name, ...options }) {
  const functions = await import(moduleUrl)
  return functions[name](options, server)
}

/** @param {import('node:perf_hooks').PerformanceEntry} entry */
function countCollection (entry) {
  const { kind } = /** @type {{kind: number}} */ (/** @type {any} */ (entry).detail)
  const name = GC_KINDS.get(kind) ?? 'other'
  const counted = collections[name] ??= { count: 0, pauseMs: 0, longestMs: 0 }
  counted.count++
  counted.pauseMs += entry.duration
  counted.longestMs = Math.max(counted.longestMs, entry.duration)
}
