/** Judges claims by the intervals of their ratios. */
import { ratioOf } from '../judge/ratio.js'
import { medianInterval } from '../judge/statistics/interval.js'
import { metrics } from '../model/metrics.js'
import { formatCount, formatInterval, formatNumber, formatRatioWithInterval } from '../model/numbers.js'
import { observer, specsOf } from './observe.js'

/** @import { CellSpec, Claim, Compared, Condition } from '../../scenarios/claims/claim.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { Observe } from './observe.js' */

/**
 * @typedef {{median: number, low: number, high: number, n: number}} Interval
 *
 * @typedef {object} JudgedCondition
 * @property {Condition} condition
 * @property {boolean | null} holds  null: undecided.
 * @property {number} n  Pairs, or values.
 * @property {string} text
 *
 * @typedef {'held' | 'not held' | 'undecided' | 'not measured' | 'excluded'} RowVerdict
 *
 * @typedef {object} Row
 * @property {string} id @property {string} claim @property {string} documented @property {string} measured
 * @property {boolean | null} holds  null: undecided or not measured.
 * @property {RowVerdict} verdict
 * @property {string} command  Repeats the measurement.
 */

/** The ratios of two equal queues in three rounds are all on one side of 1 in a quarter of runs. */
export const FEWEST_TO_DECIDE = 5

/**
 * Judges a claim by the planned rounds, or by all rounds if the planned rounds leave the claim undecided. Two judgements at 95 % are wrong
 * for less than one claim of ten, because time, not the samples, decides on the second.
 * @param {Claim} claim @param {Plan} plan @param {Sample[]} samples @returns {Row}
 */
export function judgeClaim (claim, plan, samples) {
  const { id, documented, excluded, whyNot } = claim
  const { preset } = plan.settings
  const command = `timerq reproduce --only ${id}${preset === 'quick' ? '' : ` --preset ${preset}`}`
  const row = (/** @type {RowVerdict} */ verdict, /** @type {string} */ measured, /** @type {boolean | null} */ holds = null) =>
    ({ id, claim: claim.claim, documented, measured, holds, verdict, command })
  if (excluded) return row('excluded', `excluded: ${excluded}`)
  try {
    const first = judgeFirst(claim, plan, samples)
    const { holds, conditions } = first.holds === null ? judgeConditions(claim, observer(plan, samples)) : first
    const measured = describe(conditions)
    if (holds === null) return row('undecided', measured + describeFew(conditions))
    return holds ? row('held', measured, holds) : row('not held', measured + (whyNot ? `. ${whyNot}` : ''), holds)
  } catch (error) {
    if (!(error instanceof MissingError)) throw error
    return row('not measured', `could not be measured: ${error.message}`)
  }
}

/** Claims that do not hold: --strict fails on them. @param {Row[]} rows */
export const contradicted = rows => rows.filter(({ holds }) => holds === false)

/** Judges by the planned rounds alone. @type {(claim: Claim, plan: Plan, samples: Sample[]) => ReturnType<typeof judgeConditions>} */
export const judgeFirst = (claim, plan, samples) =>
  judgeConditions(claim, observer(plan, samples.filter(({ round }) => round < plan.settings.rounds)))

/** A cell of a claim was not measured. */
export class MissingError extends Error {}

/** @type {(claim: Claim, observe: Observe) => {holds: boolean | null, conditions: JudgedCondition[]}} */
function judgeConditions ({ holds, mayBeOpen = 0 }, observe) {
  const conditions = holds.map(condition => judgeCondition(condition, observe))
  const limited = conditions.filter(({ condition }) => hasLimits(condition))
  if (limited.some(({ holds }) => holds === false)) return { holds: false, conditions }
  return { holds: limited.filter(({ holds }) => holds === null).length <= mayBeOpen || null, conditions }
}

/** @param {Condition} condition */
export const hasLimits = ({ above, below }) => above !== undefined || below !== undefined

/**
 * Decides a condition by an interval wholly on one side of each limit.
 * @param {Interval} interval @param {{above?: number, below?: number}} limits @returns {boolean | null}
 */
export function decide ({ low, high, n }, { above = -Infinity, below = Infinity }) {
  if (n < FEWEST_TO_DECIDE) return null
  if (high < above || low > below) return false
  return low > above && high < below ? true : null
}

/** @type {(condition: Condition, observe: Observe) => JudgedCondition} */
function judgeCondition (condition, observe) {
  const { metric, of, toMetric = metric, against, growth } = condition
  const judged = (/** @type {Interval} */ interval, /** @type {string} */ text) => ({ condition, holds: decide(interval, condition), n: interval.n, text })
  const value = valueOf(of, metric, observe)
  if (!condition.to) return judged(value, `${nameOf(of)} ${withUnit(value, metric)}`)
  const to = choose(condition.to, toMetric, observe)
  const ratio = compare(of, to, condition, observe)
  if (growth !== undefined) {
    const exponent = mapInterval(ratio, end => Math.log(end) / Math.log(growth))
    return judged(exponent, `${nameOf(of)} ~ n ** ${formatInterval(exponent)}`)
  }
  const [name, toName] = toMetric === metric ? [nameOf(of), nameOf(to)] : [metrics[metric].short, metrics[toMetric].short]
  const text = `${name} ${withUnit(value, metric)}, ${toName} ${withUnit(valueOf(to, toMetric, observe), toMetric)}, ${formatRatioWithInterval(ratio)}`
  if (!against) return judged(ratio, text)
  const quotient = divide(ratio, compare(against.of, against.to, { metric }, observe))
  return judged(quotient, `${text}; ${judgeCondition({ metric, ...against }, observe).text}; ratio of the two ${formatRatioWithInterval(quotient)}`)
}

/** @type {(compared: Compared, metric: string, observe: Observe) => CellSpec} */
function choose (compared, metric, observe) {
  const [first, ...rest] = specsOf(compared)
  const sign = 'highest' in compared ? -1 : 1
  const rank = (/** @type {CellSpec} */ spec) => sign * valueOf(spec, metric, observe).median
  return rest.reduce((best, spec) => rank(spec) < rank(best) ? spec : best, first)
}

/** @type {(spec: CellSpec, metric: string, observe: Observe) => Interval} */
function valueOf (spec, metric, observe) {
  const values = observe(spec, metric).map(({ metrics }) => metrics[metric])
  if (values.length === 0) throw new MissingError(`no ${metric} of ${spec.queue} on ${spec.scenario}`)
  return metrics[metric].role === 'count' ? { median: values[0], low: values[0], high: values[0], n: Infinity } : medianInterval(values)
}

/** @type {(of: CellSpec, to: CellSpec, metrics: {metric: string, toMetric?: string}, observe: Observe) => Interval} */
function compare (of, to, { metric, toMetric = metric }, observe) {
  if (metrics[metric].role === 'count') return divide(valueOf(of, metric, observe), valueOf(to, toMetric, observe))
  const ratio = ratioOf(observe(of, metric), { to: to.queue, samples: observe(to, toMetric, metric) }, metric)
  if (ratio === null) throw new MissingError(`no round with ${metric} of both ${of.queue} and ${to.queue} on ${of.scenario}`)
  return ratio
}

/** The widest interval that the two allow. @type {(one: Interval, other: Interval) => Interval} */
const divide = (one, other) => ({ median: one.median / other.median, low: one.low / other.high, high: one.high / other.low, n: Math.min(one.n, other.n) })

/** @type {(interval: Interval, read: (end: number) => number) => Interval} */
const mapInterval = ({ median, low, high, n }, read) => ({ median: read(median), low: read(low), high: read(high), n })

/** @param {CellSpec} spec */
const nameOf = ({ label, queue }) => label ?? queue

/** @type {(value: Interval, metric: string) => string} */
const withUnit = ({ median }, metric) => metric === 'queueTickShare' ? `${formatNumber(100 * median)} %` : `${formatNumber(median)} ${metrics[metric].unit}`.trim()

/** @param {JudgedCondition[]} conditions */
function describe (conditions) {
  return conditions.map(({ condition: { metric, toMetric }, text }, i) =>
    toMetric !== undefined || conditions[i - 1]?.condition.metric === metric ? text : `${metrics[metric].short}: ${text}`).join('; ')
}

/** @param {JudgedCondition[]} conditions */
function describeFew (conditions) {
  const fewest = Math.min(...conditions.filter(({ condition }) => hasLimits(condition)).map(({ n }) => n))
  return fewest < FEWEST_TO_DECIDE ? `; ${formatCount(fewest, 'pair')} ${fewest === 1 ? 'decides' : 'decide'} nothing, at least ${FEWEST_TO_DECIDE} are needed` : ''
}
