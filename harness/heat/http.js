/**
 * An HTTP heat: the servers of one table, each in a fresh process under an equal load of its own, share one core for the
 * same seconds. The scheduler gives them turns of milliseconds, so that what disturbs the machine disturbs all of them
 * alike. Every slice says what each server's CPU time was per request; throughput and latency are those of servers that
 * share a core, and compare with each other only.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SampleError } from '../child.js'
import { metricsOf, settle, withServer } from '../http/measure.js'

/**
 * @typedef {import('../http/measure.js').HttpTask} HttpTask
 * @typedef {import('../http/measure.js').RunningServer} RunningServer
 * @typedef {import('./micro.js').HeatResult} HeatResult
 *
 * @typedef {object} HttpTiming
 * @property {number} seconds  That a heat lasts.
 * @property {number} sliceMs
 *
 * @typedef {{task: HttpTask, runtime: import('../child.js').Runtime}} HttpEntrant
 */

/** Until all connections of a load are open, and before the first of them are closed again. */
const EDGE_MS = 300

/**
 * @param {HttpEntrant[]} entrants
 * @param {{timing: HttpTiming, pins: import('../pinning.js').Pins, signal?: AbortSignal}} options
 * @returns {Promise<(HeatResult | SampleError)[]>} one an entrant. A server that dies or does wrong costs its own result only.
 */
export async function runHttpHeat (entrants, { timing, pins, signal }) {
  const line = new StartLine(entrants.length)
  return Promise.all(entrants.map(async ({ task, runtime }) => {
    let isAtLine = false
    try {
      return await withServer(task, { runtime, pins, signal }, async server => {
        isAtLine = true
        await line.arrive()
        return measure(server, task, timing)
      })
    } catch (error) {
      if (!(error instanceof SampleError)) throw error
      return error
    } finally {
      if (!isAtLine) line.withdraw()
    }
  }))
}

/**
 * @param {RunningServer} server
 * @param {HttpTask} task
 * @param {HttpTiming} timing
 * @returns {Promise<HeatResult>}
 */
async function measure (server, task, timing) {
  const { scenario, ask, load } = server
  /** @type {(number | null)[]} */
  const slices = []
  /** @type {any} */
  let window
  // Cold servers are measured from their first request to their last, and what they do changes on the way.
  const client = scenario.coldStart ? await coldLoad() : await load(timing.seconds, slice)
  const warnings = await settle(server, task, { client, window })
  return {
    metrics: metricsOf(window, client),
    slices: scenario.coldStart ? {} : { cpuMicrosPerRequest: slices },
    warnings,
    details: { client, window }
  }

  async function slice () {
    const start = performance.now() + EDGE_MS
    await sleep(EDGE_MS)
    await ask({ type: 'open' })
    const count = Math.floor((1000 * timing.seconds - 2 * EDGE_MS) / timing.sliceMs)
    for (let i = 1; i <= count; i++) {
      await sleep(Math.max(0, start + i * timing.sliceMs - performance.now()))
      const { requests, cpuMicros } = await ask({ type: 'slice' })
      slices.push(requests > 0 && cpuMicros > 0 ? Number((cpuMicros / requests).toPrecision(5)) : null)
    }
    window = await ask({ type: 'close' })
  }

  async function coldLoad () {
    await ask({ type: 'open' })
    const client = await load(task.params.seconds)
    window = await ask({ type: 'close' })
    return client
  }
}

/** All wait here until the last has arrived, or has given up. */
class StartLine {
  #missing
  /** @type {() => void} */
  #go = () => {}
  #started = new Promise(resolve => { this.#go = () => resolve(undefined) })

  /** @param {number} entrants */
  constructor (entrants) {
    this.#missing = entrants
  }

  async arrive () {
    this.withdraw()
    await this.#started
  }

  withdraw () {
    if (--this.#missing === 0) this.#go()
  }
}
