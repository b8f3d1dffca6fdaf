/**
 * Every metric, once: reports, the schema of samples, and the table in docs/reference/formats.md are made from these
 * entries.
 *
 * @typedef {object} Metric
 * @property {string} unit
 * @property {'time' | 'count' | 'service' | 'side'} role `time`: CPU time, compared within heats. `count`: exact, the
 *   same in every run. `service`: noticed by clients, measured alone. `side`: shown, never judged.
 * @property {'lower' | 'higher'} better
 * @property {number} [tolerance] Multiplies the floor and the margin of a verdict, because noisier metrics need more
 *   room. Without a tolerance no verdict rests on the metric. Above 1 the metric is a guard, see isGuard.
 * @property {number} [grain]  Resolution of the clock; lower values count as equal to it.
 * @property {boolean} [isOptional]  Counted only where it is exact, so a side may lack it.
 * @property {boolean} [isPhase]  Whether it is one phase of a cycle that is timed in phases.
 * @property {boolean} [isBatched]  Whether a unit of work is so long that the end of a slice can cut it in two.
 * @property {boolean} [isCost]  A rise belongs on a dashboard.
 * @property {'always' | 'wide'} [table]  When the tables of a run have its column: always, or if there is room.
 * @property {boolean} [isDrawn]  Whether reports draw a chart of the metric.
 * @property {string} title  Name in sentences and headings.
 * @property {string} column  Over a column, with the unit.
 * @property {string} short  Name in a comparison, without the unit.
 * @property {string} axis  Title of a chart's axis.
 * @property {string} [legend]  Sentence below the tables of a terminal.
 * @property {string} worse  Word for a worse value: 5 % slower.
 * @property {string} improved  Word for a better value: 5 % faster.
 *
 * @typedef {Partial<Metric> & Pick<Metric, 'unit' | 'role' | 'title'>} Entry  Its other words default to the title.
 */

const slower = { worse: 'slower', improved: 'faster' }
const longer = { worse: 'longer', improved: 'shorter' }
const more = (/** @type {string} */ noun) => ({ worse: `more ${noun}`, improved: `less ${noun}` })

const time = { role: /** @type {const} */ ('time') }
const count = { role: /** @type {const} */ ('count') }
const service = { role: /** @type {const} */ ('service') }
const side = { role: /** @type {const} */ ('side') }
const inTables = { table: /** @type {const} */ ('always') }
const inWideTables = { table: /** @type {const} */ ('wide') }

const nanoseconds = { unit: 'ns', ...time, ...slower }
/** Main results: in every table, with a chart, on dashboards. */
const leading = { ...inTables, isCost: true, isDrawn: true }
const phase = { ...nanoseconds, ...leading, tolerance: 2, isPhase: true }
const blocks = { unit: 'blocks', ...count, ...more('work'), ...inTables, tolerance: 1, isCost: true }
const cpuMicros = { unit: 'µs', ...time, ...more('CPU') }
const serverCpu = { ...time, ...more('CPU'), ...leading, tolerance: 1, isBatched: true }
const milliseconds = { unit: 'ms', ...service, ...longer }
const memory = { unit: 'bytes', ...more('memory') }

/**
 * Metrics in the order of the columns of tables.
 *
 * @type {Record<string, Entry>}
 */
const entries = {
  nsPerOp: {
    ...nanoseconds,
    ...leading,
    tolerance: 1,
    title: 'time per operation',
    column: 'ns/op',
    short: 'time',
    axis: 'ns per operation'
  },
  startNsPerTimer: {
    ...phase,
    title: 'time to start a timer',
    column: 'start ns',
    short: 'start',
    axis: 'ns per started timer'
  },
  expireNsPerTimer: {
    ...phase,
    title: 'time to expire a timer',
    column: 'expire ns',
    short: 'expiry',
    axis: 'ns per expired timer'
  },
  moveNsPerTimer: {
    ...phase,
    title: 'time to restart or replace a timer',
    column: 'move ns',
    short: 'move',
    axis: 'ns per restarted or replaced timer'
  },
  nextExpiryNsPerCall: {
    ...phase,
    title: 'time to ask when the next timer is due',
    column: 'next expiry ns',
    short: 'next',
    axis: 'ns per call of nextExpiry'
  },
  advanceNsPerCall: {
    ...phase,
    title: 'time to look for due timers',
    column: 'advance ns',
    short: 'advance',
    axis: 'ns per call of advance'
  },
  longestAdvanceNs: { ...nanoseconds, ...inWideTables, title: 'longest advance', column: 'longest advance ns' },
  opP99Ns: {
    ...nanoseconds,
    ...inWideTables,
    title: '99th percentile of time per call',
    column: 'call p99 ns'
  },
  opP999Ns: {
    ...nanoseconds,
    ...inWideTables,
    title: '99.9th percentile of time per call',
    column: 'call p99.9 ns'
  },
  workPerOp: {
    ...blocks,
    isDrawn: true,
    title: 'work per operation',
    column: 'work/op',
    short: 'work',
    axis: 'basic blocks executed per operation',
    legend: 'Work: basic blocks executed. Exact (-: not counted).'
  },
  bytesPerTimer: {
    ...memory,
    ...count,
    ...leading,
    tolerance: 1,
    title: 'memory per pending timer',
    column: 'bytes',
    short: 'bytes',
    axis: 'bytes per pending timer',
    legend: 'Bytes: per pending timer. Exact.'
  },
  allocatedBytesPerOp: {
    unit: 'bytes',
    ...count,
    ...more('garbage'),
    ...inTables,
    tolerance: 1,
    isOptional: true,
    title: 'heap allocated per operation',
    column: 'alloc/op',
    short: 'allocation',
    legend: 'Alloc: bytes of the heap that an operation allocates once V8 has optimised it. Exact (-: they vary).'
  },
  cpuMicrosPerRequest: {
    unit: 'µs',
    ...serverCpu,
    title: 'server CPU per request',
    column: 'CPU µs/request',
    short: 'CPU',
    axis: 'µs of server CPU per request'
  },
  windowCpuMicrosPerRequest: { ...cpuMicros, title: 'server CPU per request, over whole windows', short: 'CPU' },
  cpuMillisPerSecond: {
    unit: 'ms',
    ...serverCpu,
    title: 'server CPU per second',
    column: 'CPU ms/s',
    short: 'CPU',
    axis: 'ms of server CPU per second'
  },
  workPerRequest: {
    ...blocks,
    title: 'work per request',
    column: 'work/request',
    short: 'work',
    axis: 'basic blocks that the queue executes per request',
    legend: 'Work/request: basic blocks that the queue executes (-: not counted).'
  },
  requestsPerSecond: {
    unit: '1/s',
    ...service,
    ...inTables,
    better: 'higher',
    worse: 'fewer requests',
    improved: 'more requests',
    tolerance: 3,
    title: 'requests per second',
    column: 'requests/s',
    short: 'req/s'
  },
  latencyP50Ms: {
    ...milliseconds,
    ...inWideTables,
    title: 'median latency',
    column: 'p50 ms'
  },
  latencyP99Ms: {
    ...milliseconds,
    ...inWideTables,
    tolerance: 10,
    isCost: true,
    title: '99th percentile of latency',
    column: 'p99 ms',
    short: 'p99'
  },
  latenessP99Ms: {
    ...milliseconds,
    ...inWideTables,
    tolerance: 10,
    grain: 1,
    isCost: true,
    isDrawn: true,
    title: 'lateness of expiries, 99th percentile',
    column: 'lateness p99 ms',
    short: 'lateness',
    axis: 'ms after the deadline'
  },
  gcCount: { unit: '', ...side, ...inWideTables, title: 'garbage collections', column: 'collections' },
  gcPauseMs: {
    unit: 'ms',
    ...side,
    ...longer,
    ...inWideTables,
    isCost: true,
    title: 'garbage collection pauses',
    column: 'GC ms'
  },
  getLatencyP50Ms: { ...milliseconds, title: 'median latency of GET' },
  getLatencyP99Ms: { ...milliseconds, title: '99th percentile of latency of GET' },
  postLatencyP50Ms: { ...milliseconds, title: 'median latency of POST' },
  postLatencyP99Ms: { ...milliseconds, title: '99th percentile of latency of POST' },
  errors: { unit: '', ...service, title: 'errors seen by the client', short: 'errors' },
  busyMicrosPerRequest: {
    unit: 'µs',
    ...side,
    ...longer,
    title: 'time a process is busy with a request',
    short: 'busy'
  },
  queueShare: {
    unit: '',
    ...side,
    isDrawn: true,
    title: 'share of busy CPU spent in the queue',
    axis: 'share of busy CPU'
  },
  queueTickShare: {
    unit: '',
    ...side,
    title: 'share of busy CPU spent in the queue, by ticks',
    short: 'queue share'
  },
  queueMicrosPerRequest: {
    ...cpuMicros,
    ...side,
    title: "the queue's CPU per request",
    short: "queue's CPU per request"
  },
  queueMicrosPerTimeout: {
    ...cpuMicros,
    ...side,
    title: "the queue's CPU per fired timeout",
    short: "queue's CPU per timeout"
  },
  scavengesPerThousandRequests: {
    unit: '',
    ...side,
    title: 'scavenges in a thousand requests',
    short: 'scavenges in 1000 requests'
  },
  rssBytes: { ...memory, ...side, isCost: true, title: 'resident memory of the server' },
  fidelityError: { unit: '', ...side, title: 'error of the profile' },
  timerOperationsPerSecond: { unit: '1/s', ...side, title: 'starts and restarts of idle timers per second' }
}

/**
 * @param {Entry} entry
 * @returns {Metric}
 */
const complete = entry => ({
  better: 'lower',
  worse: 'higher',
  improved: 'lower',
  column: entry.title,
  short: entry.title,
  axis: entry.title,
  ...entry
})

const table = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, complete(entry)]))

/** Users choose names for the phases of their workloads, for example touchNsPerOp. */
const OWN_PHASE = /^([a-z][a-zA-Z0-9]{0,40})NsPerOp$/

/**
 * @param {string} name  Name of the phase in camel case.
 * @returns {Metric}
 */
function phaseMetric (name) {
  const words = name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return complete({
    ...phase,
    title: `time of ${words} per operation`,
    column: `${words} ns`,
    short: words,
    axis: `ns per operation of ${words}`
  })
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

/** @param {string} name  Name in a file, of any origin. */
export const isMetric = name => Object.hasOwn(table, name) || isOwnPhase(name)

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
