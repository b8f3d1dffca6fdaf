/** Samples of a machine on which every claim holds, and of machines that differ from it in a few figures. */
import { createHash } from 'node:crypto'
import { claimsOf } from '../../../scenarios/claims/index.js'
import { queues } from '../../../queues/index.js'
import { scenarios } from '../../../scenarios/index.js'
import { planClaims } from '../../../harness/reproduce/plan-claims.js'
import { Schedule } from '../../../harness/reproduce/schedule.js'
import { normal } from '../judge/statistics/noise.js'

/** @import { Plan } from '../../../harness/plan/plan.js' */
/** @import { Kind } from '../../../harness/plan/steps.js' */

/** @import { Sample } from '../../../harness/store/results.js' */
/** @typedef {Record<string, Record<string, number>>} Figures  Metrics by cell, as named by keyOf. */

/** @param {{preset?: 'quick' | 'documented', cores?: number, only?: string[], rounds?: number}} [options] */
export async function planOf ({ preset = 'quick', cores = 4, only, rounds = 5 } = {}) {
  const claims = claimsOf({ preset, cores }).filter(({ id }) => only?.includes(id) ?? true)
  const micro = { warmupMs: 110, leadMs: 4, turnMs: 6, turns: 5, tailMs: 0 }
  const settings = { preset, seed: 1, micro, httpWarmupMs: 300, httpHeat: { seconds: 3, sliceMs: 150 } }
  const plan = await planClaims(
    claims,
    /** @type {any} */ ({ settings, end: { rounds, budgetSeconds: null }, of: {} }),
    /** @type {any} */ ({
      queue: (/** @type {string} */ name) => queues.find(queue => queue.name === name),
      scenario: (/** @type {string} */ name) => scenarios.find(scenario => scenario.name === name),
      runtime: async (/** @type {string} */ flags) => ({
        name: `v20 ${flags}`.trim(),
        path: process.execPath,
        flags: flags === '' ? [] : [flags]
      })
    })
  )
  return { claims, plan }
}

/**
 * Scenario, queue or flags, and the parameters by which cells of one scenario differ here.
 *
 * @param {{scenario: string, queue: string, params: Record<string, number>, runtime: string}} cell
 */
export function keyOf ({ scenario, queue, params: { size, ttls, stay, workers, connections, split }, runtime }) {
  const [, flag] = runtime.split('=')
  const place = scenario.startsWith('files-')
    ? [workers, split, connections === 1 ? 'idle' : undefined]
    : scenario === 'keep-alive'
      ? [connections]
      : [size, ttls, stay]
  return [scenario, flag ?? queue, ...place].filter(part => part !== undefined).join(' ')
}

/**
 * @param {string} text  A cell, named as by keyOf, a colon, and its metrics, in a line or between semicolons.
 * @returns {Figures}
 */
export const figuresIn = text =>
  Object.fromEntries(
    text
      .trim()
      .split(/\n|; /)
      .map(line => line.split(': '))
      .map(([cell, metrics]) => [
        cell,
        Object.fromEntries(
          metrics
            .split(', ')
            .map(metric => metric.split(' '))
            .flatMap(([name, value]) =>
              name === 'latencyMs' ? latencies(Number(value)) : [[name, Number(value)]]
            )
        )
      ])
  )

/** A process takes 2 ms for a request of files, and twice as long asynchronously, on four cores. */
const FIGURES = figuresIn(`
files-async node 0: requestsPerSecond 250, latencyMs 128
files-cluster node 1 0: requestsPerSecond 500, busyMicrosPerRequest 2000, latencyMs 64
files-cluster node 2 0: requestsPerSecond 1000, busyMicrosPerRequest 2000, latencyMs 32
files-cluster node 4 0: requestsPerSecond 2000, busyMicrosPerRequest 2000, latencyMs 16
files-async node 1: requestsPerSecond 250, latencyMs 128
files-cluster node 1 1: requestsPerSecond 500, busyMicrosPerRequest 2000, latencyMs 64
files-cluster node 2 1: requestsPerSecond 1000, busyMicrosPerRequest 2000, latencyMs 32
files-cluster node 4 1: requestsPerSecond 2000, busyMicrosPerRequest 2000, latencyMs 16
files-async node 2: requestsPerSecond 250, latencyMs 128
files-cluster node 1 2: requestsPerSecond 500, busyMicrosPerRequest 2000, latencyMs 64
files-cluster node 2 2: requestsPerSecond 1000, busyMicrosPerRequest 2000, latencyMs 32
files-cluster node 4 2: requestsPerSecond 2000, busyMicrosPerRequest 2000, latencyMs 16
files-cluster node 2 0 idle: busyMicrosPerRequest 2000
keep-alive node 400: cpuMicrosPerRequest 80
keep-alive sorted-list 400: cpuMicrosPerRequest 150, queueTickShare 0.4
keep-alive unsorted-array 400: cpuMicrosPerRequest 90, queueTickShare 0.03
keep-alive binary-heap 400: cpuMicrosPerRequest 90, queueTickShare 0.05
keep-alive duration-lists 400: cpuMicrosPerRequest 85, queueTickShare 0.025
keep-alive hierarchical-wheel 400: cpuMicrosPerRequest 85, queueTickShare 0.02
keep-alive sorted-list 10000: queueTickShare 0.4
keep-alive binary-heap 10000: queueTickShare 0.05
timeouts unsorted-array: queueTickShare 0.072
timeouts binary-heap: queueTickShare 0.021
timeouts-one-in-ten unsorted-array: queueTickShare 0.02
timeouts-one-in-ten binary-heap: queueTickShare 0.01
staggered-expiry unsorted-array 1000: expireNsPerTimer 1000, workPerOp 500
staggered-expiry unsorted-array 10000: expireNsPerTimer 10000, workPerOp 5000
staggered-expiry binary-heap 1000: expireNsPerTimer 100, workPerOp 60
staggered-expiry binary-heap 10000: expireNsPerTimer 230, workPerOp 75
staggered-expiry sorted-list 1000: startNsPerTimer 1000, workPerOp 500
staggered-expiry sorted-list 10000: startNsPerTimer 10000, workPerOp 5000
staggered-expiry hierarchical-wheel 1000: startNsPerTimer 30, workPerOp 20
staggered-expiry hierarchical-wheel 10000: startNsPerTimer 40, expireNsPerTimer 50, workPerOp 21
staggered-expiry unordered-list 10000: expireNsPerTimer 10000
staggered-expiry duration-lists 10000: expireNsPerTimer 100
one-timer-poll hashed-wheel 1: advanceNsPerCall 12000, nextExpiryNsPerCall 4000
one-timer-poll hashed-wheel-bounded 1: advanceNsPerCall 20
one-timer-poll hierarchical-wheel 1: advanceNsPerCall 5
one-timer-poll hierarchical-wheel 1000: advanceNsPerCall 30
one-timer-poll ordered-map 1: advanceNsPerCall 150
drain-empty hashed-wheel: nsPerOp 12000
drain-empty hashed-wheel-bounded: nsPerOp 30
mixed single-wakeup 10: nsPerOp 10
mixed binary-heap 10: nsPerOp 50
mixed ordered-map 10: nsPerOp 90
mixed hierarchical-wheel 10: nsPerOp 40
mixed single-wakeup 100: nsPerOp 30
mixed binary-heap 100: nsPerOp 60
mixed ordered-map 100: nsPerOp 90
mixed hierarchical-wheel 100: nsPerOp 40
mixed single-wakeup 1000: nsPerOp 200
mixed binary-heap 1000: nsPerOp 70
mixed ordered-map 1000: nsPerOp 90
mixed hierarchical-wheel 1000: nsPerOp 40
mixed single-wakeup 10000: nsPerOp 2000
mixed binary-heap 10000: nsPerOp 80
mixed ordered-map 10000: nsPerOp 90
mixed hierarchical-wheel 10000: nsPerOp 40
garbage 16: scavengesPerThousandRequests 1000, cpuMicrosPerRequest 100
garbage 64: scavengesPerThousandRequests 294, cpuMicrosPerRequest 80
garbage 128: scavengesPerThousandRequests 145, cpuMicrosPerRequest 79
garbage 256: scavengesPerThousandRequests 72, cpuMicrosPerRequest 79
start-cancel millisecond-lists 10000: nsPerOp 2000
start-cancel binary-heap 10000: nsPerOp 40
start-cancel quaternary-heap 10000: nsPerOp 30
start-cancel searched-heap 10000: nsPerOp 1000
start-cancel pairing-heap 10000: nsPerOp 40
timer-per-key duration-lists 10000 1: nsPerOp 40
timer-per-key hierarchical-wheel 10000 1: nsPerOp 60
timer-per-key duration-lists 10000 3: nsPerOp 200
timer-per-key hierarchical-wheel 10000 3: nsPerOp 60
refresh-one-duration ordered-map 10000: nsPerOp 50
refresh-one-duration duration-lists 10000: nsPerOp 30
hold calendar-queue 10000: nsPerOp 80
hold binary-heap 10000: nsPerOp 90
hold unsorted-array 10000: nsPerOp 20000
up-down binary-heap 1000 100: workPerOp 16
up-down binary-heap 1000 50: workPerOp 12
distinct-durations-cancelled unordered-list 10000: nsPerOp 40
distinct-durations-cancelled duration-lists 10000: nsPerOp 200
far-future-cascade hierarchical-wheel 1000: expireNsPerTimer 300
far-future-cascade binary-heap 1000: expireNsPerTimer 200
far-future-cascade hierarchical-wheel 10000: expireNsPerTimer 200
far-future-cascade binary-heap 10000: expireNsPerTimer 200
start-cancel ordered-map 4000: nsPerOp 46
start-cancel ordered-map 1000000: nsPerOp 172
start-cancel hierarchical-wheel 4000: nsPerOp 21
start-cancel hierarchical-wheel 1000000: nsPerOp 22
million-timers binary-heap 100000: startNsPerTimer 85, expireNsPerTimer 915
`)

/** The machine is slower in some rounds, for all cells alike, and each figure scatters by 1 %. */
const SLOWNESS = [1, 1.6, 0.7, 1.3, 0.9]
const SCATTER = 0.01

/**
 * @param {string} name  Of a sample, which scatters alike in every run of the tests.
 */
function scatterOf (name) {
  const hash = createHash('sha256').update(name).digest()
  return 1 + SCATTER * normal(hash.readInt32LE())()
}

/**
 * Steps of the first round.
 *
 * @param {Plan} plan
 */
function stepsIn (plan) {
  const { settings: { preset }, of } = plan
  const claims = claimsOf({ preset: /** @type {any} */ (preset), cores: 4 })
  const own = claims.filter(({ id }) => of.reproduce.claims.includes(id))
  return new Schedule(plan, own).stages.flat().filter(({ round }) => round === 0)
}

/**
 * Samples of each group of a plan.
 *
 * @param {any} plan
 * @param {object} [options]
 * @param {Figures} [options.changes]
 * @param {number | null} [options.all]  Every figure.
 * @param {number} [options.from]  First round.
 * @param {number} [options.rounds]
 * @returns {Sample[]}
 */
export function measure (plan, { changes = {}, all = null, from = 0, rounds = 5 } = {}) {
  return stepsIn(plan).flatMap(({ kind, cells }, group) =>
    Array.from({ length: kind === 'count' ? 1 : rounds }, (_, i) => from + i).flatMap(round =>
      cells.map(cell => {
        const { id } = cell
        const figures = { ...FIGURES[keyOf(cell)], ...changes[keyOf(cell)] }
        const scatter = kind === 'count' ? 1 : scatterOf(`${kind} ${id} ${round}`)
        const slowness = kind === 'heat' ? SLOWNESS[round % 5] : 1
        return toSample(
          { cell, round, kind, group },
          Object.fromEntries(
            Object.entries(figures).map(([metric, value]) => [
              metric,
              (all ?? value) * scatter * (metric === 'queueTickShare' ? 1 : slowness)
            ])
          )
        )
      })
    )
  )
}

/**
 * @param {{cell: any, round: number, kind: Kind, group: number}} place
 * @param {Record<string, number>} figures
 * @returns {any}
 */
function toSample (
  { cell: { id, ...cell }, round, kind, group },
  {
    queueTickShare = 0,
    scavengesPerThousandRequests = 0,
    busyMicrosPerRequest = 1000,
    getLatencyP50Ms,
    getLatencyP99Ms,
    postLatencyP50Ms,
    postLatencyP99Ms,
    workPerOp,
    ...metrics
  }
) {
  const { cpuMicrosPerRequest } = metrics
  const perSecond = cpuMicrosPerRequest === undefined ? {} : { requestsPerSecond: 1e6 / cpuMicrosPerRequest }
  const window = {
    windowMs: 1000,
    windowMicros: 1e6,
    cpuMicros: 1e6,
    runningShare: 1,
    requests: 1e6 / busyMicrosPerRequest,
    collections: { minor: { count: scavengesPerThousandRequests } },
    userMicros: 1e6,
    systemMicros: 0,
    eventLoopUtilization: 1
  }
  const operations = {
    GET: { latencyMs: { p50: getLatencyP50Ms, p99: getLatencyP99Ms } },
    POST: { latencyMs: { p50: postLatencyP50Ms, p99: postLatencyP99Ms } }
  }
  const profile = {
    tool: 'cpu',
    ticks: 1e5,
    queueTicks: 1e5 * queueTickShare,
    shares: { idleByProfile: 0 },
    window,
    requests: 1000,
    fired: 100
  }
  return {
    cell: id,
    ...cell,
    round,
    kind,
    seconds: 1,
    warnings: [],
    ...(kind === 'heat' && { heat: `${group} ${round}` }),
    metrics: { profile: { queueShare: 0.5 }, count: { workPerOp } }[
      /** @type {string} */ (kind)
    ] ?? {
      ...perSecond,
      ...metrics
    },
    details: kind === 'profile' ? profile : { client: { operations }, window }
  }
}

/** @param {number} ms */
function latencies (ms) {
  return ['get', 'post'].flatMap(verb => [[`${verb}LatencyP50Ms`, ms], [`${verb}LatencyP99Ms`, 2 * ms]])
}
