import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Child, SampleError } from '../../processes/child.js'
import { pinProcess } from '../../processes/pinning.js'
import { WindowCheck } from '../trust/cpu-check.js'
import { loadScenario } from '../modules/load-scenario.js'
import { assertShape, listening, settled, slice, window } from '../../processes/shapes.js'
import { describeSharedCore } from '../../processes/shared-core.js'
import { withFiles } from './files.js'
import { openIdleConnections } from './idle-connections.js'
import { generatorOf, urlOf } from './load-generator.js'

/**
 * @typedef {object} HttpWork
 * @property {string | null} queueUrl  null: Node's own timers.
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params  connections, threads and seconds among them.
 * @property {number} port  0: any that is free.
 * @property {number} warmupMs
 * @property {number} [limitMs]  CPU time for each answer of the server.
 *
 * @typedef {HttpWork & import('./load-generator.js').LoadSettings} HttpTask
 */

const SERVER = new URL('./server.js', import.meta.url)
const CLUSTER = new URL('./cluster.js', import.meta.url)
/** For everything but the load itself. */
const ANSWER_LIMIT_MS = 20_000
/** The server gives up before this. */
const REST_LIMIT_MS = 70_000
/** Of what the answers must look like, by message. @type {Record<string, import('../../processes/shapes.js').Shape>} */
const ANSWERS = { listen: listening, slice, close: window, settle: settled }
/** A server's own count may exceed the load generator's by this share, and by a request a connection that has no answer yet. */
const MOST_UNKNOWN = 0.05
/** With a larger share of failed requests, the figure describes something else. */
const MOST_FAILED = 0.01
/** wrk opens equally many connections on each thread, so a few less than it is asked for. */
const LEAST_CONNECTED = 0.9

/**
 * Measures a server alone: a warm-up, then a window of load.
 *
 * @param {HttpTask} task
 * @param {import('../../processes/child.js').Runtime} runtime
 * @param {import('../../processes/pinning.js').Pins} pins
 * @param {AbortSignal} [signal]
 * @throws {SampleError} when the server dies or does wrong, or the load generator fails
 */
export async function measureHttp (task, runtime, pins, signal) {
  return withServer(task, { runtime, pins, signal }, async server => {
    const { scenario, ask, load } = server
    await ask({ type: 'open' })
    const client = await load(task.params.seconds)
    const window = await ask({ type: 'close' })
    const cpu = { user: window.userMicros, system: window.systemMicros }
    return {
      metrics: { ...metricsOf(window, client), ...(scenario.workers ? clusterMetricsOf(window) : {}) },
      details: { client, window },
      warnings: [
        ...await settle(server, task, { client, window }),
        // On all cores it shares them with the load.
        ...(scenario.usesAllCores ? [] : describeSharedCore(cpu, window.windowMs * window.eventLoopUtilization))
      ]
    }
  })
}

/**
 * After the load: what it says of the server.
 *
 * @param {RunningServer} server
 * @param {HttpTask} task
 * @param {{client: import('./wrk.js').LoadResult, window: any}} seen
 * @returns {Promise<string[]>} warnings
 * @throws {SampleError} when no figure of this server is valid
 */
export async function settle ({ scenario, ask, read }, { params }, { client, window }) {
  const { pending, received, answered } = await ask({ type: 'settle' })
  assertRequests(window)
  if (!scenario.breaksConnections) {
    assertAnswers(client)
    assertCount(window, client, params)
  }
  const failures = scenario.breaksConnections ? [] : describeFailures(client)
  const fault = scenario.findFault?.({ read, received, answered }, params)
  if (fault) throw new SampleError('wrong', fault)
  const missing = scenario.breaksConnections ? [] : describeMissing(scenario, params, window)
  return [...failures, ...missing, ...(pending > 0 ? [`${pending} timers were left behind by closed sockets`] : [])]
}

/**
 * @typedef {object} ServerOptions
 * @property {import('../../processes/child.js').Runtime} runtime
 * @property {string[]} [flags]  Node flags on top of the runtime's.
 * @property {import('../../processes/pinning.js').Pins} pins
 * @property {AbortSignal} [signal]
 *
 * @typedef {(isOver: () => boolean) => Promise<unknown>} Meanwhile  `isOver`: whether the load has ended.
 *
 * @typedef {object} RunningServer
 * @property {import('../modules/load-scenario.js').HttpScenario} scenario
 * @property {(message: {type: string, [option: string]: unknown}) => Promise<any>} ask
 * @property {(seconds: number, meanwhile?: Meanwhile) => Promise<import('./wrk.js').LoadResult>} load  Loads it,
 *   and ends when all connections of the load are closed. Nothing else may be asked of the server until then, except
 *   meanwhile.
 * @property {(name: string) => string} read  One of the scenario's files.
 */

/**
 * Starts a server in a process of its own, or several, with all that the scenario declares; warms it up, and ends it
 * after use.
 *
 * @template T
 * @param {HttpTask} task
 * @param {ServerOptions} options
 * @param {(server: RunningServer) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {SampleError} when the server dies or the load generator fails
 */
export async function withServer (task, { runtime, flags, pins, signal }, use) {
  const scenario = /** @type {import('../modules/load-scenario.js').HttpScenario} */ (await loadScenario(task.scenarioUrl))
  const { params } = task
  const generate = generatorOf(task)

  return withFiles(scenario.files?.(params), async directory => {
    const pin = scenario.usesAllCores ? [] : pins.subject
    // Pinned later: those of a heat start and warm up on all cores.
    const server = new Child(scenario.workers ? CLUSTER : SERVER, { runtime, flags })
    const check = new WindowCheck(server.pid)
    const ask = async (/** @type {{type: string}} */ message) => {
      const answer = async () => {
        const reply = await server.ask(message, task.limitMs ?? ANSWER_LIMIT_MS, signal)
        return message.type in ANSWERS ? assertShape(reply, ANSWERS[message.type]) : reply
      }
      if (message.type === 'open') return check.open(answer)
      // The first process of a cluster compares those of its workers.
      return message.type === 'close' && !scenario.workers ? check.close(answer) : answer()
    }
    const over = new AbortController()
    const end = signal ? AbortSignal.any([over.signal, signal]) : over.signal
    /** @type {Promise<any>} */
    let generating = Promise.resolve()
    /** @type {Awaited<ReturnType<typeof openIdleConnections>> | undefined} */
    let idle
    try {
      const needs = { directory, workers: scenario.workers?.(params), cores: pins.cores, countsOperations: 'requests' in scenario }
      const { port } = await ask({ ...task, type: 'listen', ...needs })
      const connections = scenario.idleConnections?.(params) ?? 0
      if (connections > 0) idle = await server.during(openIdleConnections({ host: task.listen, port, connections, pin: pins.load, signal }))
      const aim = { ...describeLoad(scenario, params), url: urlOf(task, port), pin: pins.load }
      // A window holds all connections of its own load, from opening to closing, and none of another load.
      const load = async (/** @type {Promise<any>} */ result, /** @type {Meanwhile} */ meanwhile = async () => {}) => {
        let isOver = false
        generating = result.catch(() => {}).finally(() => { isOver = true })
        const [client] = await Promise.all([server.during(result), meanwhile(() => isOver)])
        await server.ask({ type: 'rest', connections }, REST_LIMIT_MS, signal)
        return client
      }
      if (!scenario.coldStart) await load(warmUp(generate, aim, task.warmupMs, end))
      await pinProcess(server.pid, pin)

      return await use({
        scenario,
        ask,
        async load (seconds, meanwhile) {
          const client = await load(generate({ ...aim, seconds, signal: end }), meanwhile)
          await idle?.assertOpen()
          return client
        },
        read: name => readFileSync(path.join(directory ?? '', name), 'utf8')
      })
    } finally {
      over.abort()
      await generating
      await idle?.end()
      await server.end()
    }
  })
}

/**
 * What a scenario asks of a load generator.
 *
 * @param {import('../modules/load-scenario.js').HttpScenario} scenario
 * @param {Record<string, number>} params
 */
export function describeLoad (scenario, params) {
  const { connections, threads = 1 } = params
  return { connections, threads, requests: scenario.requests?.(params), pauseMs: scenario.pauseMs?.(params) }
}

/**
 * @param {{requests: number}} window
 * @throws {SampleError} when no request reached the server
 */
export function assertRequests (window) {
  if (window.requests === 0) throw new SampleError('load', 'no request reached the server')
}

/**
 * A window may be over before thousands of connections are open: then the server has answered, but nobody has timed it.
 *
 * @param {import('./wrk.js').LoadResult} client
 * @throws {SampleError} when the load generator has seen no answer
 */
function assertAnswers ({ requests, errors }) {
  const failed = Object.values(errors).some(count => count > 0)
  if (requests === 0 && !failed) throw new SampleError('load', 'no request was answered while the load generator measured: it needs more seconds, or fewer connections')
}

/**
 * Only clients send requests: CPU time is divided by them, so a queue that makes some up would look fast. A few more than may
 * be is what a server of slow requests sees that was held up at the end of its window: then the sample alone is lost.
 *
 * @param {{requests: number}} window
 * @param {import('./wrk.js').LoadResult} client
 * @param {Record<string, number>} params
 * @throws {SampleError} when the server has counted more requests than the load generator has sent; of kind wrong when it has
 *   counted far more
 */
export function assertCount (window, client, { connections }) {
  const sent = client.requests + Object.values(client.errors).reduce((sum, count) => sum + count, 0)
  const unknown = MOST_UNKNOWN * sent + connections
  if (window.requests <= sent + unknown) return
  throw new SampleError(window.requests > sent + 2 * unknown ? 'wrong' : 'load', `its server counted ${window.requests} requests, and the load generator ${sent}: its figures cannot be trusted`)
}

/**
 * A few requests that fail do not spoil a figure, and a client that waits long is not wrong. But where many fail, the figure
 * is not that of a working server.
 *
 * @param {import('./wrk.js').LoadResult} client
 * @returns {string[]} warnings
 * @throws {SampleError} when too many failed
 */
function describeFailures ({ requests, errors: { timeout: _, ...errors } }) {
  const kinds = Object.entries(errors).filter(([, count]) => count > 0)
  const failed = kinds.reduce((sum, [, count]) => sum + count, 0)
  if (failed === 0) return []
  const text = `${failed} of ${requests + failed} requests failed: ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')}`
  if (failed > MOST_FAILED * (requests + failed)) throw new SampleError(errors.connect === failed ? 'load' : 'wrong', text)
  return [text]
}

/**
 * Thousands of connections take seconds to open: a short window may be over by then.
 *
 * @param {import('../modules/load-scenario.js').HttpScenario} scenario
 * @param {Record<string, number>} params
 * @param {{connectedPeak: number}} window
 * @returns {string[]} warnings
 */
function describeMissing (scenario, params, { connectedPeak }) {
  const wanted = params.connections + (scenario.idleConnections?.(params) ?? 0)
  if (connectedPeak >= LEAST_CONNECTED * wanted) return []
  return [`too few connections: only ${connectedPeak} of ${wanted} were ever open, the window is too short for so many`]
}

/**
 * @param {ReturnType<typeof generatorOf>} generate
 * @param {Omit<import('./wrk.js').Load, 'seconds'>} load
 * @param {number} warmupMs
 * @param {AbortSignal} signal
 */
async function warmUp (generate, load, warmupMs, signal) {
  const enough = AbortSignal.timeout(warmupMs)
  // A signal ends it. If nobody is left to send one, it ends by itself.
  const seconds = Math.ceil(warmupMs / 1000) + 1
  try {
    await generate({ ...load, seconds, signal: AbortSignal.any([enough, signal]) })
  } catch (error) {
    if (!enough.aborted || signal.aborted) throw error
  }
}

/**
 * @param {any} window  The server's own counters.
 * @param {import('./wrk.js').LoadResult} client
 */
export function metricsOf (window, client) {
  const { requests, userMicros, systemMicros, collections, timers } = window
  const { p50, p99 } = client.latencyMs
  const kinds = /** @type {{count: number, pauseMs: number}[]} */ (Object.values(collections))
  /** @type {Record<string, number>} */
  const metrics = {
    cpuMicrosPerRequest: (userMicros + systemMicros) / requests,
    userMicrosPerRequest: userMicros / requests,
    systemMicrosPerRequest: systemMicros / requests,
    requestsPerSecond: client.requests / client.seconds,
    // A server that never answers has no latency, and not every load generator prints one.
    ...(client.requests > 0 && p50 !== undefined && p99 !== undefined ? { latencyP50Ms: p50, latencyP99Ms: p99 } : {}),
    ...latenciesByMethod(client),
    errors: Object.values(client.errors).reduce((sum, count) => sum + count, 0),
    gcPauseMs: kinds.reduce((sum, { pauseMs }) => sum + pauseMs, 0),
    gcCount: kinds.reduce((sum, { count }) => sum + count, 0),
    rssBytes: window.rssBytes
  }
  if (timers) {
    metrics.pendingPeak = timers.pendingPeak
    metrics.spuriousWakeups = timers.spuriousWakeups
    if (timers.fired > 0) metrics.latenessP99Ms = timers.latenessP99Ms
  }
  return metrics
}

/** @param {import('./wrk.js').LoadResult} client */
function latenciesByMethod ({ operations }) {
  return Object.fromEntries(Object.entries(operations).sort().flatMap(([method, { latencyMs: { p50, p99, max } }]) => {
    const name = `${method.toLowerCase()}Latency`
    return [[`${name}P50Ms`, p50], [`${name}P99Ms`, p99], [`${name}MaxMs`, max]]
  }))
}

/**
 * The terms of Little's law: how many processes are busy on average, and how long each request keeps one busy.
 *
 * @param {any} window
 */
function clusterMetricsOf ({ windowMs, eventLoopUtilization, requests }) {
  return { busyMicrosPerRequest: 1000 * windowMs * eventLoopUtilization / requests, busyProcesses: eventLoopUtilization }
}
