/**
 * An HTTP heat: the servers of one table, each in a fresh process with a separate, equal load, share one core for
 * the same seconds. The scheduler gives them turns of milliseconds, so a disturbance of the machine disturbs all of
 * them alike. Every slice gives each server's CPU time per request. Throughput and latency come from a shared core and
 * can only be compared with each other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SampleError } from '../../model/errors.js'
import { allOrNone } from '../../processes/processes.js'
import { withServer } from '../http/running-server.js'
import { measureWindow, settle } from '../http/settle.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Pins } from '../../processes/pinning.js' */
/** @import { HttpJob, RunningServer } from '../http/running-server.js' */
/** @import { HeatResult } from './micro.js' */

/**
 * @typedef {object} HttpTiming
 * @property {number} seconds  Length of a heat.
 * @property {number} sliceMs
 *
 * @typedef {{job: HttpJob, runtime: Runtime}} HttpEntrant
 *
 * @typedef {{requests: number, cpuMicros: number, ms: number}} Slice
 */

/** Time in which a load opens all its connections, and time in which it closes them again. */
const EDGE_MS = 300
/** Largest share of the time under load in which servers settle. */
const SETTLING_SHARE = 1 / 4
/** Load generators start slowly, above all when many start at once. */
const FIRST_REQUEST_LIMIT_MS = 30_000
const POLL_MS = 20

/**
 * @param {HttpEntrant[]} entrants
 * @param {{timing: HttpTiming, pins: Pins, signal?: AbortSignal}} options
 * @returns {Promise<(HeatResult | SampleError)[]>} one per entrant. A server that dies or does wrong loses its own
 *   result only.
 */
export async function runHttpHeat (entrants, { timing, pins, signal }) {
  const [warm, loaded] = [new StartLine(entrants), new StartLine(entrants)]
  return allOrNone(
    entrants.map(entrant => async end => {
      const { job, runtime } = entrant
      try {
        return await withServer(job, { runtime, pins, signal: end, copies: entrants.length }, async server => {
          await warm.arrive(entrant)
          // A cold server changes on the way, so slices would say nothing.
          if (server.needs.coldStart) return { ...(await measureWindow(server)), slices: {} }
          return measureSlices(server, timing, () => loaded.arrive(entrant))
        })
      } catch (error) {
        if (!(error instanceof SampleError)) throw error
        return error
      } finally {
        warm.withdraw(entrant)
        loaded.withdraw(entrant)
      }
    }),
    signal
  )
}

/**
 * @param {RunningServer} server
 * @param {HttpTiming} timing
 * @param {() => Promise<number>} othersAreLoaded  Resolves when all servers are under load, with the milliseconds since
 *   the first one was.
 * @returns {Promise<HeatResult>}
 */
async function measureSlices (server, timing, othersAreLoaded) {
  const { ask, load, kind, copies } = server
  /** @type {(Slice | null)[]} */
  const slices = []
  /** @type {any} */
  let window
  const client = await load(timing.seconds, async isOver => {
    await firstRequest(server)
    const loadedForMs = await othersAreLoaded()
    const underLoadMs = 1000 * timing.seconds - loadedForMs - 2 * EDGE_MS
    // Servers share the core while they settle, too.
    const settlingMs = Math.max(0, Math.min(kind.settlingMs * copies, SETTLING_SHARE * underLoadMs))
    await sleep(EDGE_MS + settlingMs)
    const start = performance.now()
    await ask({ type: 'open' })
    const count = Math.floor((underLoadMs - settlingMs) / timing.sliceMs)
    if (count < 1) {
      throw new SampleError(
        'load',
        `the load generators took ${Math.round(loadedForMs)} ms to start: no time was left with all servers under load`
      )
    }
    for (let i = 1; i <= count; i++) {
      await sleep(Math.max(0, start + i * timing.sliceMs - performance.now()))
      const slice = await ask({ type: 'slice' })
      // A busy server answers late: its last slice holds the closing of hundreds of connections.
      slices.push(isOver() ? null : slice)
    }
    window = await ask({ type: 'close' })
  })
  const result = await settle(server, { client, window })
  return { ...result, slices: costs(slices, window) }
}

/**
 * CPU time per request, or per second where a server counts no requests.
 *
 * @param {(Slice | null)[]} slices
 * @param {{requests: number}} window
 */
function costs (slices, window) {
  const hasRequests = window.requests > 0
  const costOf = (/** @type {Slice} */ { requests, cpuMicros, ms }) =>
    hasRequests ? cpuMicros / requests : cpuMicros / ms
  return {
    [hasRequests ? 'cpuMicrosPerRequest' : 'cpuMillisPerSecond']: slices.map(slice => {
      const cost = slice ? costOf(slice) : 0
      return cost > 0 && cost < Infinity ? Number(cost.toPrecision(5)) : null
    })
  }
}

/**
 * @param {RunningServer} server
 * @throws {SampleError} when no request comes
 */
async function firstRequest ({ ask }) {
  const start = performance.now()
  await ask({ type: 'open' })
  for (;;) {
    const { requests, accepted = 0 } = await ask({ type: 'slice' })
    if (requests + accepted > 0) return
    if (performance.now() - start > FIRST_REQUEST_LIMIT_MS) {
      throw new SampleError('load', `no request reached the server within ${FIRST_REQUEST_LIMIT_MS / 1000} s`)
    }
    await sleep(POLL_MS)
  }
}

/** All servers wait here until the last one has arrived or has given up. */
class StartLine {
  #missing
  #firstAt = Infinity
  #go = /** @type {(sinceFirstMs: number) => void} */ () => {}
  #started = new Promise((/** @type {(sinceFirstMs: number) => void} */ resolve) => {
    this.#go = resolve
  })

  /** @param {HttpEntrant[]} entrants */
  constructor (entrants) {
    this.#missing = new Set(entrants)
  }

  /**
   * @param {HttpEntrant} entrant
   * @returns {Promise<number>} milliseconds between the first and the last arrival, the same for all
   */
  arrive (entrant) {
    this.#firstAt = Math.min(this.#firstAt, performance.now())
    this.withdraw(entrant)
    return this.#started
  }

  /** @param {HttpEntrant} entrant  May have arrived already. */
  withdraw (entrant) {
    this.#missing.delete(entrant)
    if (this.#missing.size === 0) this.#go(performance.now() - this.#firstAt)
  }
}
