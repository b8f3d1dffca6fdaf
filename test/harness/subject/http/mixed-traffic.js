/** Mixed traffic for several servers at the same time: each visit is drawn once and paid to all of them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../../../harness/model/random.js'
/** @import { Socket } from 'node:net' */
/** @import { Random } from '../../../../harness/model/random.js' */

const SERVER = new URL('./mixed-traffic-server.js', import.meta.url)
const MEAN_GAP_MS = 8
/**
 * Until the timeouts of the last visits have closed their connections; a loaded machine may take many times as long.
 */
const REST_LIMIT_MS = 60_000
const REST_POLL_MS = 50

/**
 * @typedef {{http: number, tcp: number}} Ports
 *
 * @typedef {string | number | ((socket: Socket) => unknown)} Step  A text to write, a pause in milliseconds, or an act.
 */

/**
 * Steps of a visit, drawn before it begins: each kind is paid in the same way to all servers.
 *
 * @type {Record<string, (random: Random) => Step[]>}
 */
const VISITS = {
  requests (random) {
    const pauses = Array.from({ length: 1 + random(8) }, () => random(40))
    const leavesIdle = random(2) === 0
    return [...pauses.flatMap(pause => [ask, pause]), ...(leavesIdle ? [] : [socket => socket.end()])]
  },
  parts: random => [requestOf(`/parts?ms=${random(20)}`)],
  unanswered: random => [requestOf(`/wait?ms=${5 + random(500)}`)],
  destroyed: random => [requestOf(`/destroy?ms=${random(100)}`)],
  cancelled: random => [requestOf(`/cancel?ms=${random(100)}`)],
  reset (random) {
    const pause = random(100)
    const request = requestOf(['/wait?ms=1000', '/parts?ms=10', '/answer'][random(3)])
    return [request, pause, socket => socket.resetAndDestroy()]
  },
  slowWriter (random) {
    const pauses = Array.from({ length: 2 + random(20) }, () => random(30))
    const header = `POST /upload HTTP/1.1\r\nHost: server\r\nContent-Length: ${pauses.length}\r\n\r\n`
    return [header, ...pauses.flatMap(pause => [pause, '.'])]
  },
  slowReader (random) {
    const pause = random(150)
    const request = requestOf(`/large?ms=${20 + random(100)}`)
    return [request, socket => socket.pause(), pause, socket => socket.resume()]
  }
}
/** Visits to the server that speaks no HTTP: it is told how long to wait. */
const TCP_VISITS = /** @type {typeof VISITS} */ ({
  halfOpen (random) {
    const ms = 5 + random(500)
    return [socket => socket.end(String(ms))]
  },
  silent: random => [String(5 + random(500))]
})
const ALL_VISITS = { ...VISITS, ...TCP_VISITS }

/**
 * @param {import('node:test').TestContext} t
 * @param {string} queueUrl
 */
export async function startServer (t, queueUrl) {
  const child = fork(SERVER, [queueUrl], { execArgv: ['--expose-gc'] })
  t.after(() => child.kill('SIGKILL'))
  const died = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the server of ${queueUrl} ended with ${signal ?? code}`)
  })
  // It is killed when the test is over.
  died.catch(() => {})
  const answered = async () => {
    const [answer] = await Promise.race([once(child, 'message'), died])
    return /** @type {any} */ (answer)
  }
  /** @type {Ports} */
  const ports = await answered()
  return {
    ports,
    /** @param {'read' | 'rest' | 'close'} type */
    ask (type) {
      child.send(type)
      return answered()
    }
  }
}

/**
 * Visits all servers for some time. The last visits take longer than that.
 *
 * @param {Awaited<ReturnType<typeof startServer>>[]} servers
 * @param {{seconds: number, seed: number}} options
 * @returns {Promise<{counts: Record<string, number>, over: Promise<unknown>}>} visits to each server by kind, and when
 *   all have ended
 */
export async function visitAll (servers, { seconds, seed }) {
  const random = createRandom(seed)
  const kinds = Object.keys(ALL_VISITS)
  /** @type {Record<string, number>} */
  const counts = Object.fromEntries(kinds.map(kind => [kind, 0]))
  const visits = new Set()
  const end = performance.now() + 1000 * seconds
  while (performance.now() < end) {
    const kind = kinds[random(kinds.length)]
    const steps = ALL_VISITS[kind](random)
    const protocol = kind in TCP_VISITS ? 'tcp' : 'http'
    counts[kind]++
    const paid = Promise.all(servers.map(({ ports }) => visit(ports[protocol], steps))).then(() => visits.delete(paid))
    visits.add(paid)
    await sleep(random(2 * MEAN_GAP_MS))
  }
  // A connection that is never closed is found when the server is at rest.
  return { counts, over: Promise.race([Promise.all(visits), sleep(REST_LIMIT_MS, null, { ref: false })]) }
}

/**
 * Returns the timers and memory of a server whose connections are all closed.
 *
 * @param {Awaited<ReturnType<typeof startServer>>} server
 * @returns {Promise<{open: number, pending: number, heapBytes: number}>} open connections, if some are not closed in
 *   time
 */
export async function atRest (server) {
  const end = performance.now() + REST_LIMIT_MS
  for (;;) {
    const left = await server.ask('rest')
    if ((left.open === 0 && left.pending === 0) || performance.now() > end) return left
    await sleep(REST_POLL_MS)
  }
}

/**
 * Pays a visit, by a connection that keeps its own half open until it is told otherwise, or the other side is done.
 *
 * @param {number} port
 * @param {Step[]} steps
 */
async function visit (port, steps) {
  const socket = connect(port, '127.0.0.1')
    .on('error', () => {})
    .resume()
  for (const step of steps) {
    if (typeof step === 'string') socket.write(step)
    else await (typeof step === 'number' ? sleep(step) : step(socket))
  }
  if (!socket.destroyed) await once(socket, 'close')
}

/** @param {string} path */
const requestOf = path => `GET ${path} HTTP/1.1\r\nHost: server\r\n\r\n`

/**
 * Waits for an answer, or for the end of the connection.
 *
 * @param {Socket} socket
 */
async function ask (socket) {
  if (socket.destroyed) return
  socket.write(requestOf('/answer'))
  await new Promise(resolve => {
    const done = () => {
      socket.off('data', done).off('close', done)
      resolve(null)
    }
    socket.on('data', done).on('close', done)
  })
}
