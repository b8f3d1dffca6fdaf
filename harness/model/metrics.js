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
 * @typedef {Partial<Metric> & Pick<Metric, 'unit' | 'role'>} About
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
const singleCalls = { ...nanoseconds, ...inWideTables }
const bare = { unit: '', ...side }

/**
 * Metrics in the order of the columns of tables: what they are, then their title, column, short name and axis, where
 * these are not the title.
 *
 * @type {Record<string, [about: About, title: string, column?: string, short?: string, axis?: string]>}
 */
const entries = {
  nsPerOp: [{ ...nanoseconds, ...leading, tolerance: 1 }, 'time per operation', 'ns/op', 'time', 'ns per operation'],
  startNsPerTimer: [phase, 'time to start a timer', 'start ns', 'start', 'ns per started timer'],
  expireNsPerTimer: [phase, 'time to expire a timer', 'expire ns', 'expiry', 'ns per expired timer'],
  moveNsPerTimer: [
    phase,
    'time to restart or replace a timer',
    'move ns',
    'move',
    'ns per restarted or replaced timer'
  ],
  nextExpiryNsPerCall: [
    phase,
    'time to ask when the next timer is due',
    'next expiry ns',
    'next',
    'ns per call of nextExpiry'
  ],
  advanceNsPerCall: [phase, 'time to look for due timers', 'advance ns', 'advance', 'ns per call of advance'],
  longestAdvanceNs: [singleCalls, 'longest advance', 'longest advance ns'],
  opP99Ns: [singleCalls, '99th percentile of time per call', 'call p99 ns'],
  opP999Ns: [singleCalls, '99.9th percentile of time per call', 'call p99.9 ns'],
  workPerOp: [
    { ...blocks, isDrawn: true, legend: 'Work: basic blocks executed. Exact (-: not counted).' },
    'work per operation',
    'work/op',
    'work',
    'basic blocks executed per operation'
  ],
  bytesPerTimer: [
    { ...memory, ...count, ...leading, tolerance: 1, legend: 'Bytes: per pending timer. Exact.' },
    'memory per pending timer',
    'bytes',
    'bytes',
    'bytes per pending timer'
  ],
  allocatedBytesPerOp: [
    {
      unit: 'bytes',
      ...count,
      ...more('garbage'),
      ...inTables,
      tolerance: 1,
      isOptional: true,
      legend: 'Alloc: bytes of the heap that an operation allocates once V8 has optimised it. Exact (-: they vary).'
    },
    'heap allocated per operation',
    'alloc/op',
    'allocation'
  ],
  cpuMicrosPerRequest: [
    { unit: 'µs', ...serverCpu },
    'server CPU per request',
    'CPU µs/request',
    'CPU',
    'µs of server CPU per request'
  ],
  windowCpuMicrosPerRequest: [cpuMicros, 'server CPU per request, over whole windows', undefined, 'CPU'],
  cpuMillisPerSecond: [
    { unit: 'ms', ...serverCpu },
    'server CPU per second',
    'CPU ms/s',
    'CPU',
    'ms of server CPU per second'
  ],
  workPerRequest: [
    { ...blocks, legend: 'Work/request: basic blocks that the queue executes (-: not counted).' },
    'work per request',
    'work/request',
    'work',
    'basic blocks that the queue executes per request'
  ],
  requestsPerSecond: [
    {
      unit: '1/s',
      ...service,
      ...inTables,
      better: 'higher',
      worse: 'fewer requests',
      improved: 'more requests',
      tolerance: 3
    },
    'requests per second',
    'requests/s',
    'req/s'
  ],
  latencyP50Ms: [{ ...milliseconds, ...inWideTables }, 'median latency', 'p50 ms'],
  latencyP99Ms: [
    { ...milliseconds, ...inWideTables, tolerance: 10, isCost: true },
    '99th percentile of latency',
    'p99 ms',
    'p99'
  ],
  latenessP99Ms: [
    { ...milliseconds, ...inWideTables, tolerance: 10, grain: 1, isCost: true, isDrawn: true },
    'lateness of expiries, 99th percentile',
    'lateness p99 ms',
    'lateness',
    'ms after the deadline'
  ],
  gcCount: [{ ...bare, ...inWideTables }, 'garbage collections', 'collections'],
  gcPauseMs: [
    { ...milliseconds, ...side, ...inWideTables, isCost: true },
    'garbage collection pauses',
    'GC ms'
  ],
  getLatencyP50Ms: [milliseconds, 'median latency of GET'],
  getLatencyP99Ms: [milliseconds, '99th percentile of latency of GET'],
  postLatencyP50Ms: [milliseconds, 'median latency of POST'],
  postLatencyP99Ms: [milliseconds, '99th percentile of latency of POST'],
  errors: [{ ...bare, ...service }, 'errors seen by the client', undefined, 'errors'],
  busyMicrosPerRequest: [
    { unit: 'µs', ...side, ...longer },
    'time a process is busy with a request',
    undefined,
    'busy'
  ],
  queueShare: [
    { ...bare, isDrawn: true },
    'share of busy CPU spent in the queue',
    undefined,
    undefined,
    'share of busy CPU'
  ],
  queueTickShare: [bare, 'share of busy CPU spent in the queue, by ticks', undefined, 'queue share'],
  queueMicrosPerRequest: [
    { ...cpuMicros, ...side },
    "the queue's CPU per request",
    undefined,
    "queue's CPU per request"
  ],
  queueMicrosPerTimeout: [
    { ...cpuMicros, ...side },
    "the queue's CPU per fired timeout",
    undefined,
    "queue's CPU per timeout"
  ],
  scavengesPerThousandRequests: [bare, 'scavenges in a thousand requests', undefined, 'scavenges in 1000 requests'],
  rssBytes: [{ ...memory, ...side, isCost: true }, 'resident memory of the server'],
  fidelityError: [bare, 'error of the profile'],
  timerOperationsPerSecond: [{ ...side, unit: '1/s' }, 'starts and restarts of idle timers per second']
}

/**
 * @param {typeof entries[string]} entry
 * @returns {Metric}
 */
const complete = ([about, title, column = title, short = title, axis = title]) => ({
  better: 'lower',
  worse: 'higher',
  improved: 'lower',
  title,
  column,
  short,
  axis,
  ...about
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
  return complete([phase, `time of ${words} per operation`, `${words} ns`, words, `ns per operation of ${words}`])
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
