/**
 * Every metric, once: its names, the better direction, and its role.
 *
 * @typedef {object} Metric
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {'time' | 'count' | 'service' | 'side'} role `time`: CPU time, compared within heats. `count`: exact, the
 *   same in every run. `service`: noticed by clients, measured alone. `side`: shown, never judged.
 * @property {number} [tolerance] Multiplies the floor and the margin of a verdict, because noisier metrics need more
 *   room. Without a tolerance no verdict rests on the metric. Above 1 the metric is a guard, see isGuard.
 * @property {number} [grain]  Resolution of the clock; lower values count as equal to it.
 * @property {boolean} [isPhase]  One phase of a cycle that is timed in phases.
 * @property {boolean} [isBatched]  One unit of work is long enough for the end of a slice to cut it in two.
 * @property {boolean} [isCost]  A rise belongs on a dashboard.
 * @property {'always' | 'wide'} [table]  Has a column in the tables of a run, always or only where there is room.
 * @property {boolean} [isDrawn]  Has a chart.
 * @property {string} title  In sentences and headings.
 * @property {string} column  Over a column, with the unit.
 * @property {string} short  In a comparison, without the unit.
 * @property {string} axis  Beside a chart.
 * @property {string} worse  In words: 5 % slower.
 * @property {string} improved  In words: 5 % faster.
 */

const slower = { better: /** @type {const} */ ('lower'), worse: 'slower', improved: 'faster' }
const more = (/** @type {string} */ noun) => ({
  better: /** @type {const} */ ('lower'),
  worse: `more ${noun}`,
  improved: `less ${noun}`
})
const higher = { better: /** @type {const} */ ('lower'), worse: 'higher', improved: 'lower' }
const longer = { better: /** @type {const} */ ('lower'), worse: 'longer', improved: 'shorter' }
const time = { role: /** @type {const} */ ('time') }
const count = { role: /** @type {const} */ ('count') }
const service = { role: /** @type {const} */ ('service') }
const inTables = { table: /** @type {const} */ ('always') }
const inWideTables = { table: /** @type {const} */ ('wide') }
const side = { role: /** @type {const} */ ('side') }

/** All metrics, in the order of the columns of tables. */
const table = {
  nsPerOp: {
    unit: 'ns',
    ...slower,
    ...time,
    tolerance: 1,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'time per operation',
    column: 'ns/op',
    short: 'time',
    axis: 'ns per operation'
  },
  startNsPerTimer: {
    unit: 'ns',
    ...slower,
    ...time,
    tolerance: 2,
    isPhase: true,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'time to start a timer',
    column: 'start ns',
    short: 'start',
    axis: 'ns per started timer'
  },
  expireNsPerTimer: {
    unit: 'ns',
    ...slower,
    ...time,
    tolerance: 2,
    isPhase: true,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'time to expire a timer',
    column: 'expire ns',
    short: 'expiry',
    axis: 'ns per expired timer'
  },
  moveNsPerTimer: {
    unit: 'ns',
    ...slower,
    ...time,
    tolerance: 2,
    isPhase: true,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'time to restart or replace a timer',
    column: 'move ns',
    short: 'move',
    axis: 'ns per restarted or replaced timer'
  },
  nextExpiryNsPerCall: {
    unit: 'ns',
    ...slower,
    ...time,
    tolerance: 2,
    isPhase: true,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'time to ask when the next timer is due',
    column: 'next expiry ns',
    short: 'next',
    axis: 'ns per call of nextExpiry'
  },
  advanceNsPerCall: {
    unit: 'ns',
    ...slower,
    ...time,
    tolerance: 2,
    isPhase: true,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'time to look for due timers',
    column: 'advance ns',
    short: 'advance',
    axis: 'ns per call of advance'
  },
  longestAdvanceNs: {
    unit: 'ns',
    ...slower,
    ...time,
    ...inWideTables,
    title: 'longest advance',
    column: 'longest advance ns',
    short: 'longest advance',
    axis: 'ns of the longest advance'
  },
  opP99Ns: {
    unit: 'ns',
    ...slower,
    ...time,
    ...inWideTables,
    title: '99th percentile of time per call',
    column: 'call p99 ns',
    short: 'call p99',
    axis: 'ns per call'
  },
  opP999Ns: {
    unit: 'ns',
    ...slower,
    ...time,
    ...inWideTables,
    title: '99.9th percentile of time per call',
    column: 'call p99.9 ns',
    short: 'call p99.9',
    axis: 'ns per call'
  },
  workPerOp: {
    unit: 'blocks',
    ...more('work'),
    ...count,
    tolerance: 1,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'work per operation',
    column: 'work/op',
    short: 'work',
    axis: 'basic blocks executed per operation'
  },
  longestAdvanceWork: {
    unit: 'blocks',
    ...longer,
    ...count,
    tolerance: 1,
    ...inWideTables,
    title: 'work of the longest advance',
    column: 'longest advance work',
    short: 'work of the longest advance',
    axis: 'basic blocks executed by the longest advance'
  },
  bytesPerTimer: {
    unit: 'bytes',
    ...more('memory'),
    ...count,
    tolerance: 1,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'memory per pending timer',
    column: 'bytes',
    short: 'bytes',
    axis: 'bytes per pending timer'
  },
  virtualLatenessMeanMs: {
    unit: 'ms',
    ...longer,
    ...count,
    ...inWideTables,
    title: 'mean lateness of expiries, in virtual time',
    column: 'mean late ms',
    short: 'mean lateness',
    axis: 'ms after the deadline'
  },
  virtualLatenessP50Ms: {
    unit: 'ms',
    ...longer,
    ...count,
    ...inWideTables,
    title: 'median lateness of expiries, in virtual time',
    column: 'p50 late ms',
    short: 'median lateness',
    axis: 'ms after the deadline'
  },
  virtualLatenessP99Ms: {
    unit: 'ms',
    ...longer,
    ...count,
    ...inTables,
    title: 'lateness of expiries in virtual time, 99th percentile',
    column: 'p99 late ms',
    short: 'lateness',
    axis: 'ms after the deadline'
  },
  cpuMicrosPerRequest: {
    unit: 'µs',
    ...more('CPU'),
    ...time,
    tolerance: 1,
    isBatched: true,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'server CPU per request',
    column: 'CPU µs/request',
    short: 'CPU',
    axis: 'µs of server CPU per request'
  },
  windowCpuMicrosPerRequest: {
    unit: 'µs',
    ...more('CPU'),
    ...time,
    title: 'server CPU per request, over whole windows',
    column: 'CPU µs/request',
    short: 'CPU',
    axis: 'µs of server CPU per request'
  },
  userMicrosPerRequest: {
    unit: 'µs',
    ...more('CPU'),
    ...time,
    title: 'server CPU per request, user',
    column: 'user µs/request',
    short: 'user CPU',
    axis: 'µs of user CPU per request'
  },
  systemMicrosPerRequest: {
    unit: 'µs',
    ...more('CPU'),
    ...time,
    title: 'server CPU per request, system',
    column: 'system µs/request',
    short: 'system CPU',
    axis: 'µs of system CPU per request'
  },
  cpuMillisPerSecond: {
    unit: 'ms',
    ...more('CPU'),
    ...time,
    tolerance: 1,
    isBatched: true,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: 'server CPU per second',
    column: 'CPU ms/s',
    short: 'CPU',
    axis: 'ms of server CPU per second'
  },
  workPerRequest: {
    unit: 'blocks',
    ...more('work'),
    ...count,
    tolerance: 1,
    isCost: true,
    ...inTables,
    title: 'work per request',
    column: 'work/request',
    short: 'work',
    axis: 'basic blocks that the queue executes per request'
  },
  requestsPerSecond: {
    unit: '1/s',
    better: /** @type {const} */ ('higher'),
    worse: 'fewer requests',
    improved: 'more requests',
    ...service,
    tolerance: 3,
    ...inTables,
    title: 'requests per second',
    column: 'requests/s',
    short: 'req/s',
    axis: 'requests per second'
  },
  latencyP50Ms: {
    unit: 'ms',
    ...longer,
    ...service,
    ...inWideTables,
    title: 'median latency',
    column: 'p50 ms',
    short: 'p50',
    axis: 'ms'
  },
  latencyP99Ms: {
    unit: 'ms',
    ...longer,
    ...service,
    tolerance: 10,
    isCost: true,
    ...inWideTables,
    title: '99th percentile of latency',
    column: 'p99 ms',
    short: 'p99',
    axis: 'ms'
  },
  latenessP99Ms: {
    unit: 'ms',
    ...longer,
    ...service,
    tolerance: 10,
    grain: 1,
    isCost: true,
    ...inWideTables,
    isDrawn: true,
    title: 'lateness of expiries, 99th percentile',
    column: 'lateness p99 ms',
    short: 'lateness',
    axis: 'ms after the deadline'
  },
  gcCount: {
    unit: '',
    ...higher,
    ...side,
    ...inWideTables,
    title: 'garbage collections',
    column: 'collections',
    short: 'collections',
    axis: 'garbage collections'
  },
  gcPauseMs: {
    unit: 'ms',
    ...longer,
    ...side,
    isCost: true,
    ...inWideTables,
    title: 'garbage collection pauses',
    column: 'GC ms',
    short: 'GC',
    axis: 'ms'
  },
  getLatencyP50Ms: {
    unit: 'ms',
    ...longer,
    ...service,
    title: 'median latency of GET',
    column: 'GET p50 ms',
    short: 'GET p50',
    axis: 'ms'
  },
  getLatencyP99Ms: {
    unit: 'ms',
    ...longer,
    ...service,
    title: '99th percentile of latency of GET',
    column: 'GET p99 ms',
    short: 'GET p99',
    axis: 'ms'
  },
  getLatencyMaxMs: {
    unit: 'ms',
    ...longer,
    ...service,
    title: 'longest latency of GET',
    column: 'GET max ms',
    short: 'GET max',
    axis: 'ms'
  },
  postLatencyP50Ms: {
    unit: 'ms',
    ...longer,
    ...service,
    title: 'median latency of POST',
    column: 'POST p50 ms',
    short: 'POST p50',
    axis: 'ms'
  },
  postLatencyP99Ms: {
    unit: 'ms',
    ...longer,
    ...service,
    title: '99th percentile of latency of POST',
    column: 'POST p99 ms',
    short: 'POST p99',
    axis: 'ms'
  },
  postLatencyMaxMs: {
    unit: 'ms',
    ...longer,
    ...service,
    title: 'longest latency of POST',
    column: 'POST max ms',
    short: 'POST max',
    axis: 'ms'
  },
  errors: {
    unit: '',
    ...higher,
    ...service,
    title: 'errors seen by the client',
    column: 'errors',
    short: 'errors',
    axis: 'errors'
  },
  busyMicrosPerRequest: {
    unit: 'µs',
    ...longer,
    ...side,
    title: 'time a process is busy with a request',
    column: 'busy µs/request',
    short: 'busy',
    axis: 'µs busy per request'
  },
  busyProcesses: {
    unit: 'processes',
    ...higher,
    ...side,
    title: 'processes busy on average',
    column: 'busy processes',
    short: 'busy processes',
    axis: 'processes'
  },
  queueShare: {
    unit: '',
    ...higher,
    ...side,
    isDrawn: true,
    title: 'share of busy CPU spent in the queue',
    column: 'queue share',
    short: 'queue share',
    axis: 'share of busy CPU'
  },
  queueTickShare: {
    unit: '',
    ...higher,
    ...side,
    title: 'share of busy CPU spent in the queue, by ticks',
    column: 'queue share',
    short: 'queue share',
    axis: 'share of busy CPU'
  },
  queueMicrosPerRequest: {
    unit: 'µs',
    ...more('CPU'),
    ...side,
    title: "the queue's CPU per request",
    column: 'queue µs/request',
    short: "queue's CPU per request",
    axis: 'µs of CPU per request'
  },
  queueMicrosPerTimeout: {
    unit: 'µs',
    ...more('CPU'),
    ...side,
    title: "the queue's CPU per fired timeout",
    column: 'queue µs/timeout',
    short: "queue's CPU per timeout",
    axis: 'µs of CPU per timeout'
  },
  fidelityError: {
    unit: '',
    ...higher,
    ...side,
    title: 'error of the profile',
    column: 'profile error',
    short: 'profile error',
    axis: 'share'
  },
  gcShare: {
    unit: '',
    ...higher,
    ...side,
    title: 'share of busy CPU spent in garbage collection',
    column: 'GC share',
    short: 'GC share',
    axis: 'share of busy CPU'
  },
  scavengesPerThousandRequests: {
    unit: '',
    ...higher,
    ...side,
    title: 'scavenges in a thousand requests',
    column: 'scavenges',
    short: 'scavenges in 1000 requests',
    axis: 'scavenges'
  },
  allocatedBytesPerRequest: {
    unit: 'bytes',
    ...more('memory'),
    ...side,
    title: 'heap allocated per request',
    column: 'bytes/request',
    short: 'allocated',
    axis: 'bytes per request'
  },
  allocatedBytesPerOp: {
    unit: 'bytes',
    ...more('memory'),
    ...side,
    title: 'heap allocated per operation',
    column: 'bytes/op',
    short: 'allocated',
    axis: 'bytes per operation'
  },
  pendingPeak: {
    unit: 'timers',
    ...higher,
    ...side,
    title: 'most timers pending at once',
    column: 'pending',
    short: 'pending',
    axis: 'timers'
  },
  rssBytes: {
    unit: 'bytes',
    ...more('memory'),
    ...side,
    isCost: true,
    title: 'resident memory of the server',
    column: 'RSS bytes',
    short: 'RSS',
    axis: 'bytes'
  },
  timerOperationsPerSecond: {
    unit: '1/s',
    ...higher,
    ...side,
    title: 'starts and restarts of idle timers per second',
    column: 'timer operations/s',
    short: 'timers',
    axis: 'operations per second'
  },
  spuriousWakeups: {
    unit: '',
    ...higher,
    ...side,
    title: 'wake-ups that fired nothing',
    column: 'spurious wake-ups',
    short: 'spurious',
    axis: 'wake-ups'
  }
}

/** Phases of users' workloads have names of their own: touchNsPerOp. */
const OWN_PHASE = /^([a-z][a-zA-Z0-9]{0,40})NsPerOp$/

/**
 * @param {string} phase  Its name in camel case.
 * @returns {Metric}
 */
function phaseMetric (phase) {
  const words = phase.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return {
    unit: 'ns',
    ...slower,
    ...time,
    tolerance: 2,
    isPhase: true,
    isCost: true,
    ...inTables,
    isDrawn: true,
    title: `time of ${words} per operation`,
    column: `${words} ns`,
    short: words,
    axis: `ns per operation of ${words}`
  }
}

/**
 * Also knows the phases of users' workloads, which it does not list.
 *
 * @type {Record<string, Metric>}
 */
export const metrics = new Proxy(table, {
  get: (known, name) =>
    Reflect.get(known, name) ??
    (typeof name === 'string' && isOwnPhase(name) ? phaseMetric(name.replace('NsPerOp', '')) : undefined)
})

/** @param {string} name */
export const isOwnPhase = name => OWN_PHASE.test(name)

/**
 * Ranks queues: CPU time that is precise enough for a verdict.
 *
 * @param {string} name
 */
export const isRanked = name => metrics[name].role === 'time' && metrics[name].tolerance !== undefined

/**
 * The listed metrics that were measured, then phases of a user's workload.
 *
 * @param {string[]} listed
 * @param {{metrics: object}[]} measured
 */
export function metricsIn (listed, measured) {
  const found = new Set(measured.flatMap(({ metrics }) => Object.keys(metrics)))
  return [...listed.filter(name => found.has(name)), ...[...found].filter(name => !Object.hasOwn(table, name))]
}

/** Metrics that rank queues: time as a whole, by phase, or of the server; the first that was measured counts. */
export const rankedMetrics = Object.keys(metrics).filter(isRanked)

/** Metrics that verdicts rest on: measured with noise, or counted. */
const verdictsOn = (/** @type {boolean} */ isCount) =>
  Object.keys(metrics).filter(
    name => metrics[name].tolerance !== undefined && (metrics[name].role === 'count') === isCount
  )
export const measuredMetrics = verdictsOn(false)
export const countedMetrics = verdictsOn(true)

/**
 * A guard fails a comparison by a clear slowdown, but an unclear guard does not block it: a noisy metric catches gross
 * slowdowns and never keeps a good change from passing.
 *
 * @param {string} metric
 */
export function isGuard (metric) {
  return (metrics[metric].tolerance ?? 1) > 1
}
