/**
 * Every metric, once: reports, the schema of samples, and the table in docs/reference/formats.md are made from these
 * entries.
 *
 * @typedef {object} Metric
 * @property {string} unit  Empty for a plain number.
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
 * @property {string} [legend]  Sentence below the tables of a terminal.
 * @property {string} worse  Word for a worse value: 5 % slower.
 * @property {string} improved  Word for a better value: 5 % faster.
 *
 * @typedef {Partial<Metric> & Pick<Metric, 'role'>} About
 */

const more = (/** @type {string} */ noun) => ({ worse: `more ${noun}`, improved: `less ${noun}` })

const time = { role: /** @type {const} */ ('time') }
const count = { role: /** @type {const} */ ('count') }
const service = { role: /** @type {const} */ ('service') }
const side = { role: /** @type {const} */ ('side') }
const inTables = { table: /** @type {const} */ ('always') }
const inWideTables = { table: /** @type {const} */ ('wide') }

const nanoseconds = { unit: 'ns', ...time, worse: 'slower', improved: 'faster' }
/** Main results: in every table, with a chart, on dashboards. */
const leading = { ...inTables, isCost: true, isDrawn: true }
const phase = { ...nanoseconds, ...leading, tolerance: 2, isPhase: true }
const blocks = { unit: 'blocks', ...count, ...more('work'), ...inTables, tolerance: 1, isCost: true }
const bytes = { unit: 'bytes', ...count, ...inTables, tolerance: 1 }
const serverCpu = { ...time, ...more('CPU'), ...leading, tolerance: 1, isBatched: true }
const milliseconds = { unit: 'ms', ...service, ...inWideTables, worse: 'longer', improved: 'shorter' }
const lateTail = { ...milliseconds, tolerance: 10, isCost: true }
const memory = more('memory')
const singleCalls = { ...nanoseconds, ...inWideTables }
const perSecond = { unit: '1/s' }

/**
 * Metrics in the order of the columns of tables: what they are, then their title, column and short name, where these
 * are not the title. A detail that no table shows and no verdict needs belongs in the details of a sample.
 *
 * @type {Record<string, [about: About, title: string, column?: string, short?: string]>}
 */
const entries = {
  nsPerOp: [{ ...nanoseconds, ...leading, tolerance: 1 }, 'time per operation', 'ns/op', 'time'],
  startNsPerTimer: [phase, 'time to start a timer', 'start ns', 'start'],
  expireNsPerTimer: [phase, 'time to expire a timer', 'expire ns', 'expiry'],
  moveNsPerTimer: [phase, 'time to restart or replace a timer', 'move ns', 'move'],
  nextExpiryNsPerCall: [phase, 'time to ask when the next timer is due', 'next expiry ns', 'next'],
  advanceNsPerCall: [phase, 'time to look for due timers', 'advance ns', 'advance'],
  longestAdvanceNs: [singleCalls, 'longest advance', 'longest advance ns'],
  opP99Ns: [singleCalls, '99th percentile of time per call', 'call p99 ns'],
  opP999Ns: [singleCalls, '99.9th percentile of time per call', 'call p99.9 ns'],
  workPerOp: [
    { ...blocks, isDrawn: true, legend: 'Work: basic blocks executed. Exact (-: not counted).' },
    'work per operation',
    'work/op',
    'work'
  ],
  bytesPerTimer: [
    { ...bytes, ...memory, ...leading, legend: 'Bytes: per pending timer. Exact.' },
    'memory per pending timer',
    'bytes',
    'bytes'
  ],
  allocatedBytesPerOp: [
    {
      ...bytes,
      ...more('garbage'),
      isOptional: true,
      legend: 'Alloc: bytes of the heap that an operation allocates once V8 has optimised it. Exact (-: they vary).'
    },
    'heap allocated per operation',
    'alloc/op',
    'allocation'
  ],
  cpuMicrosPerRequest: [{ ...serverCpu, unit: 'µs' }, 'server CPU per request', 'CPU µs/request', 'CPU'],
  cpuMillisPerSecond: [{ ...serverCpu, unit: 'ms' }, 'server CPU per second', 'CPU ms/s', 'CPU'],
  workPerRequest: [
    { ...blocks, legend: 'Work/request: basic blocks that the queue executes (-: not counted).' },
    'work per request',
    'work/request',
    'work'
  ],
  requestsPerSecond: [
    {
      ...perSecond,
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
  latencyP50Ms: [milliseconds, 'median latency', 'p50 ms'],
  latencyP99Ms: [lateTail, '99th percentile of latency', 'p99 ms', 'p99'],
  latenessP99Ms: [
    { ...lateTail, grain: 1, isDrawn: true },
    'lateness of expiries, 99th percentile',
    'lateness p99 ms',
    'lateness'
  ],
  gcCount: [{ ...side, ...inWideTables }, 'garbage collections', 'collections'],
  gcPauseMs: [{ ...milliseconds, ...side, isCost: true }, 'garbage collection pauses', 'GC ms'],
  errors: [service, 'errors seen by the client', undefined, 'errors'],
  queueShare: [{ ...side, isDrawn: true }, 'share of busy CPU spent in the queue'],
  rssBytes: [{ unit: 'bytes', ...memory, ...side, isCost: true }, 'resident memory of the server'],
  fidelityError: [side, 'error of the profile'],
  timerOperationsPerSecond: [{ ...perSecond, ...side }, 'starts and restarts of idle timers per second']
}

/**
 * @param {typeof entries[string]} entry
 * @returns {Metric}
 */
const complete = ([about, title, column = title, short = title]) => ({
  unit: '',
  better: 'lower',
  worse: 'higher',
  improved: 'lower',
  title,
  column,
  short,
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
  return complete([phase, `time of ${words} per operation`, `${words} ns`, words])
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
