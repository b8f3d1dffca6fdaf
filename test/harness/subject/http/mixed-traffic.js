/** Mixed traffic for several servers at the same time: each visit is drawn once and paid to all of them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../../../harness/model/random.js'

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
 * @typedef {(random: import('../../../../harness/model/random.js').Random) => (ports: Ports) => Promise<unknown>} Visit
 */

/** @type {Record<string, Visit>} */
const VISITS = {
  requests (random) {
    const pauses = Array.from({ length: 1 + random(8) }, () => random(40))
    const leavesIdle = random(2) === 0
    return async ({ http }) => {
      const socket = visit(http)
      for (const pause of pauses) {
        await ask(socket, 'GET /answer')
        await sleep(pause)
      }
      if (!leavesIdle) socket.end()
      await closed(socket)
    }
  },

  parts: random => single(`GET /parts?ms=${random(20)}`),
  unanswered: random => single(`GET /wait?ms=${5 + random(500)}`),
  destroyed: random => single(`GET /destroy?ms=${random(100)}`),
  cancelled: random => single(`GET /cancel?ms=${random(100)}`),

  reset (random) {
    const pause = random(100)
    const line = ['GET /wait?ms=1000', 'GET /parts?ms=10', 'GET /answer'][random(3)]
    return async ({ http }) => {
      const socket = visit(http)
      socket.write(requestOf(line))
      await sleep(pause)
      socket.resetAndDestroy()
      await closed(socket)
    }
  },

  slowWriter (random) {
    const pauses = Array.from({ length: 2 + random(20) }, () => random(30))
    return async ({ http }) => {
      const socket = visit(http)
      socket.write(`POST /upload HTTP/1.1\r\nHost: server\r\nContent-Length: ${pauses.length}\r\n\r\n`)
      for (const pause of pauses) {
        await sleep(pause)
        socket.write('.')
      }
      await closed(socket)
    }
  },

  slowReader (random) {
    const pause = random(150)
    const ms = 20 + random(100)
    return async ({ http }) => {
      const socket = visit(http)
      socket.write(requestOf(`GET /large?ms=${ms}`))
      socket.pause()
      await sleep(pause)
      socket.resume()
      await closed(socket)
    }
  },

  halfOpen (random) {
    const ms = 5 + random(500)
    return async ({ tcp }) => {
      const socket = visit(tcp)
      socket.end(String(ms))
      await closed(socket)
    }
  },

  silent (random) {
    const ms = 5 + random(500)
    return async ({ tcp }) => {
      const socket = visit(tcp)
      socket.write(String(ms))
      await closed(socket)
    }
  }
}

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
  const kinds = Object.keys(VISITS)
  /** @type {Record<string, number>} */
  const counts = Object.fromEntries(kinds.map(kind => [kind, 0]))
  const visits = new Set()
  const end = performance.now() + 1000 * seconds
  while (performance.now() < end) {
    const kind = kinds[random(kinds.length)]
    const pay = VISITS[kind](random)
    counts[kind]++
    const paid = Promise.all(servers.map(({ ports }) => pay(ports))).then(() => visits.delete(paid))
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

/** @param {string} line */
function single (line) {
  return async (/** @type {Ports} */ { http }) => {
    const socket = visit(http)
    socket.write(requestOf(line))
    await closed(socket)
  }
}

/**
 * A connection that keeps its own half open until it is told otherwise, or the other side is done.
 *
 * @param {number} port
 */
function visit (port) {
  return connect(port, '127.0.0.1')
    .on('error', () => {})
    .resume()
}

/** @param {string} line */
const requestOf = line => `${line} HTTP/1.1\r\nHost: server\r\n\r\n`

/**
 * @param {import('node:net').Socket} socket
 * @param {string} line
 */
async function ask (socket, line) {
  if (socket.destroyed) return
  socket.write(requestOf(line))
  await new Promise(resolve => {
    const done = () => {
      socket.off('data', done).off('close', done)
      resolve(null)
    }
    socket.on('data', done).on('close', done)
  })
}

/** @param {import('node:net').Socket} socket */
const closed = async socket => socket.destroyed || once(socket, 'close')
