/** Observations of a cell: its samples with the metric of a condition, which may be a figure of claims alone. */
import { samplesByCell } from '../judge/pairs.js'
import { createCell } from '../model/cell.js'
import { hadCores } from '../measure/http/metrics.js'
import { metrics } from '../model/metrics.js'
import { cpuPerTime } from '../profile/analysis/shares.js'
/** @import { CellSpec, Compared, Condition } from '../../scenarios/claims/claim.js' */
/** @import { Kind } from '../plan/steps.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */

/**
 * Share of the queue in all ticks of a busy server. A share of time would depend on where long pauses between ticks
 * fall. Zero ticks count as half a tick, so that every ratio exists.
 *
 * @param {Sample} sample
 */
const tickShare = ({ details: { ticks, queueTicks, shares, window } }) =>
  (Math.max(0.5, queueTicks) / ticks) * (1 - shares.idleByProfile) * cpuPerTime(window)

/** @param {Sample} sample */
const queueMicros = sample => tickShare(sample) * sample.details.window.cpuMicros

/**
 * @typedef {object} Derived  Figure of claims alone.
 * @property {string} short  Name in a sentence.
 * @property {string} unit
 * @property {(sample: Sample) => number} read
 * @property {boolean} [isProfiled]  Read from a profile.
 * @property {undefined} [role]
 */

/** @type {(method: string, percentile: 'p50' | 'p99', name: string) => Derived} */
const latencyOf = (method, percentile, name) => ({
  short: `${name} of ${method}`,
  unit: 'ms',
  read: ({ details: { client } }) => client.operations[method]?.latencyMs[percentile]
})
const MEDIAN = 'median latency'
const TAIL = '99th percentile of latency'

/**
 * Figures that are read from the details of a sample, and have no slices.
 *
 * @type {Record<string, Derived>}
 */
const DERIVED = {
  queueTickShare: { short: 'queue share', unit: '', read: tickShare, isProfiled: true },
  queueMicrosPerRequest: {
    short: "queue's CPU per request",
    unit: 'µs',
    read: sample => queueMicros(sample) / sample.details.requests,
    isProfiled: true
  },
  queueMicrosPerTimeout: {
    short: "queue's CPU per timeout",
    unit: 'µs',
    read: sample => queueMicros(sample) / sample.details.fired,
    isProfiled: true
  },
  getLatencyP50Ms: latencyOf('GET', 'p50', MEDIAN),
  getLatencyP99Ms: latencyOf('GET', 'p99', TAIL),
  postLatencyP50Ms: latencyOf('POST', 'p50', MEDIAN),
  postLatencyP99Ms: latencyOf('POST', 'p99', TAIL),
  scavengesPerThousandRequests: {
    short: 'scavenges in 1000 requests',
    unit: '',
    read: ({ details: { window } }) => (1000 * (window.collections.minor?.count ?? 0)) / window.requests
  },
  // A large semi-space is collected once in several slices, so no median over slices shows the cost.
  windowCpuMicrosPerRequest: { short: 'CPU', unit: 'µs', read: ({ metrics }) => metrics.cpuMicrosPerRequest },
  // By Little's law. An event loop that waits for a core counts as busy.
  busyMicrosPerRequest: {
    short: 'busy',
    unit: 'µs',
    read: ({ details: { window } }) =>
      hadCores(window) ? (1000 * window.windowMs * window.eventLoopUtilization) / window.requests : NaN
  }
}

/** @param {string} metric */
export const measureOf = metric => DERIVED[metric] ?? metrics[metric]

/**
 * Pairs know metrics only: to them, a derived figure is a plain number.
 *
 * @param {string} metric
 */
export const nameInPairs = metric => (metric in DERIVED ? 'queueShare' : metric)

/** @param {Compared} compared */
export const specsOf = compared =>
  'lowest' in compared ? compared.lowest : 'highest' in compared ? compared.highest : [compared]

/** @param {Condition} condition */
export const specsIn = ({ of, to = of, against }) => [of, ...specsOf(to), ...(against ? [against.of, against.to] : [])]

/**
 * @param {Pick<Plan, 'scenarios'>} plan
 * @param {{metric: string, of: CellSpec}} condition
 * @returns {Kind}
 */
export function kindOf ({ scenarios }, { metric, of }) {
  if (DERIVED[metric]?.isProfiled) return 'profile'
  if (measureOf(metric).role === 'count') return 'count'
  return scenarios.find(({ name }) => name === of.scenario)?.steps.includes('heat') ? 'heat' : 'alone'
}

/**
 * @param {Pick<Plan, 'scenarios' | 'runtimes'>} plan  Values of its scenarios: the default of each parameter.
 * @param {CellSpec} spec
 * @returns {Cell}
 */
export function cellOf ({ scenarios, runtimes }, { scenario, queue, params, flags = '' }) {
  const values = scenarios.find(({ name }) => name === scenario)?.values ?? {}
  const defaults = Object.fromEntries(Object.entries(values).map(([name, [value]]) => [name, value]))
  const runtime = runtimes.find(runtime => runtime.flags.join(' ') === flags)?.name ?? ''
  return createCell({ scenario, params: { ...defaults, ...params }, queue, runtime })
}

/** @typedef {(spec: CellSpec, metric: string, as?: string) => Sample[]} Observe  Empty where nothing was measured. */

/**
 * @param {Plan} plan
 * @param {Iterable<Sample>} samples
 * @returns {Observe}  `as`: the name under which the samples carry the metric.
 */
export function observer (plan, samples) {
  const samplesIn = samplesByCell(samples)
  return (spec, metric, as = metric) => {
    const kind = kindOf(plan, { metric, of: spec })
    return samplesIn(cellOf(plan, spec)).flatMap(sample => {
      if (sample.failure || sample.kind !== kind) return []
      if (as === metric && !(metric in DERIVED)) return metric in sample.metrics ? [sample] : []
      const value = DERIVED[metric]?.read(sample) ?? sample.metrics[metric]
      // Profiles of one round are pairs, like windows of one round.
      const comparedAs = /** @type {Kind} */ (kind === 'profile' ? 'alone' : sample.kind)
      return Number.isFinite(value)
        ? [{ ...sample, kind: comparedAs, slices: undefined, metrics: { [as]: value } }]
        : []
    })
  }
}
