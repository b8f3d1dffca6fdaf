/** Judges claims by the intervals of their ratios. */
import { pairedRatios } from '../judge/pairs.js'
import { medianInterval, ratioInterval } from '../judge/statistics/interval.js'
import { groupBy } from '../model/group-by.js'
import { formatCount, formatInterval, formatNumber, formatRatioWithInterval } from '../model/numbers.js'
import { cellOf, kindOf, measureOf, nameInPairs, observer, specsIn, specsOf } from './observe.js'
/** @import { CellSpec, Claim, Compared, Condition } from '../../scenarios/claims/claim.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { Observe } from './observe.js' */

/**
 * @typedef {{median: number, low: number, high: number, n: number}} Estimated
 *
 * @typedef {object} JudgedCondition
 * @property {Condition} condition
 * @property {boolean | null} holds  null: undecided.
 * @property {number} n  Number of pairs or values.
 * @property {string} text
 * @property {boolean} [isMissing]  A figure is missing; the text says which.
 *
 * @typedef {'held' | 'not held' | 'undecided' | 'not measured' | 'excluded'} ClaimVerdict
 *
 * @typedef {object} JudgedClaim
 * @property {string} id
 * @property {string} claim
 * @property {string} documented
 * @property {string} measured
 * @property {boolean | null} holds  null: undecided or not measured.
 * @property {ClaimVerdict} verdict
 * @property {string} command  Repeats the measurement.
 */

/**
 * Pairs at which a condition is looked at, and the confidence of the interval that decides it. Clear claims take three
 * pairs. The looks together decide at most 5 % of the ratios that lie exactly on their limit (`npm run simulate`).
 */
export const LOOKS = [3, 5, 8, 12, 20, 40]
export const CONFIDENCE = 0.99

/**
 * @param {Claim} claim
 * @param {Plan} plan
 * @param {Sample[]} samples
 * @returns {JudgedClaim}
 */
export function judgeClaim (claim, plan, samples) {
  const { id, documented, excluded, whyNot } = claim
  const { preset } = plan.settings
  const command = `timerq reproduce --only ${id}${preset === 'quick' ? '' : ` --preset ${preset}`}`
  const row = (
    /** @type {ClaimVerdict} */ verdict,
    /** @type {string} */ measured,
    /** @type {boolean | null} */ holds = null
  ) => ({ id, claim: claim.claim, documented, measured, holds, verdict, command })
  if (excluded) return row('excluded', `excluded: ${excluded}`)
  const conditions = claim.holds.map(condition => judgeCondition(condition, plan, samples))
  const holds = combine(claim, condition => conditions[claim.holds.indexOf(condition)].holds)
  const missing = conditions.find(({ isMissing }) => isMissing)
  if (missing && holds === null) return row('not measured', `could not be measured: ${missing.text}`)
  const measured = describeConditions(conditions)
  if (holds === null) return row('undecided', measured + describeMissingPairs(conditions))
  return holds ? row('held', measured, holds) : row('not held', measured + (whyNot ? `. ${whyNot}` : ''), holds)
}

/**
 * Whether a claim holds: one condition can contradict it, and all must hold.
 *
 * @param {Claim} claim
 * @param {(condition: Condition) => boolean | null} holdsOf
 */
export function combine ({ holds, mayBeOpen = 0 }, holdsOf) {
  const verdicts = holds.filter(hasLimits).map(holdsOf)
  if (verdicts.includes(false)) return false
  return verdicts.filter(verdict => verdict === null).length <= mayBeOpen || null
}

/** @param {Condition} condition */
export const hasLimits = ({ above, below }) => above !== undefined || below !== undefined

/**
 * Judges by the first look that decides, or by all samples. Samples after a look were taken for other claims.
 *
 * @param {Condition} condition
 * @param {Plan} plan
 * @param {Sample[]} samples
 * @returns {JudgedCondition & {isPlanned: boolean}} `isPlanned`: by a look, or by counts, which are exact
 */
export function judgeCondition (condition, plan, samples) {
  const kind = kindOf(plan, condition)
  const cells = groupBy(samples.filter(sample => sample.kind === kind), ({ cell }) => cell)
  const own = specsIn(condition).map(spec => cells.get(cellOf(plan, spec).id) ?? [])
  const rounds = completeRounds(own)
  for (const look of hasLimits(condition) ? LOOKS.filter(look => look <= rounds) : []) {
    const judged = judgeSamples(condition, plan, own.flat(), look)
    if (judged.holds !== null) return { ...judged, isPlanned: true }
  }
  return { ...judgeSamples(condition, plan, own.flat()), isPlanned: kind === 'count' }
}

/**
 * Rounds that all cells have, up to the first that one lacks: a later one may end earlier.
 *
 * @param {Pick<Sample, 'round'>[][]} samples  Of each cell.
 */
export function completeRounds (samples) {
  const taken = samples.map(own => new Set(own.map(({ round }) => round)))
  let rounds = 0
  while (taken.every(own => own.has(rounds))) rounds++
  return rounds
}

/**
 * Judges a condition by the samples of some rounds.
 *
 * @type {(condition: Condition, plan: Plan, samples: Sample[], rounds?: number) => JudgedCondition}
 */
function judgeSamples (condition, plan, samples, rounds = Infinity) {
  const looked = samples.filter(({ round }) => round < rounds)
  try {
    return judgeObserved(condition, observer(plan, looked))
  } catch (error) {
    if (!(error instanceof MissingError)) throw error
    return { condition, holds: null, n: 0, text: error.message, isMissing: true }
  }
}

/** A cell was not measured. */
class MissingError extends Error {}

/**
 * Decides a condition by an interval wholly on one side of each limit.
 *
 * @param {Estimated} estimated
 * @param {{above?: number, below?: number}} limits
 * @returns {boolean | null}
 */
export function decide ({ low, high, n }, { above = -Infinity, below = Infinity }) {
  if (n < LOOKS[0]) return null
  if (high < above || low > below) return false
  return low > above && high < below ? true : null
}

/** @type {(condition: Condition, observe: Observe) => JudgedCondition} */
function judgeObserved (condition, observe) {
  const { metric, of, toMetric = metric, against, growth } = condition
  const judged = (/** @type {Estimated} */ estimated, /** @type {string} */ text) => ({
    condition,
    holds: decide(estimated, condition),
    n: estimated.n,
    text
  })
  const value = valueOf(of, metric, observe)
  if (!condition.to) return judged(value, `${nameOf(of)} ${withUnit(value, metric)}`)
  const to = choose(condition.to, toMetric, observe)
  const ratio = compare(of, to, condition, observe)
  if (growth !== undefined) {
    const [median, low, high] = [ratio.median, ratio.low, ratio.high].map(end => Math.log(end) / Math.log(growth))
    const exponent = { median, low, high, n: ratio.n }
    return judged(exponent, `${nameOf(of)} ~ n ** ${formatInterval(exponent)}`)
  }
  const [name, toName] =
    toMetric === metric ? [nameOf(of), nameOf(to)] : [measureOf(metric).short, measureOf(toMetric).short]
  const toValue = withUnit(valueOf(to, toMetric, observe), toMetric)
  const text = `${name} ${withUnit(value, metric)}, ${toName} ${toValue}, ${formatRatioWithInterval(ratio)}`
  if (!against) return judged(ratio, text)
  const other = judgeObserved({ metric, ...against }, observe)
  const ratios = quotients(pairsOf(of, to, condition, observe), pairsOf(against.of, against.to, { metric }, observe))
  const quotient = ratioInterval(ratios, CONFIDENCE)
  return judged(quotient, `${text}; ${other.text}; ratio of the two ${formatRatioWithInterval(quotient)}`)
}

/** @type {(compared: Compared, metric: string, observe: Observe) => CellSpec} */
function choose (compared, metric, observe) {
  const [first, ...rest] = specsOf(compared)
  const sign = 'highest' in compared ? -1 : 1
  const rank = (/** @type {CellSpec} */ spec) => sign * valueOf(spec, metric, observe).median
  return rest.reduce((best, spec) => (rank(spec) < rank(best) ? spec : best), first)
}

/** @type {(spec: CellSpec, metric: string, observe: Observe) => Estimated} */
function valueOf (spec, metric, observe) {
  const values = observe(spec, metric).map(({ metrics }) => metrics[metric])
  if (values.length === 0) throw new MissingError(`no ${metric} of ${spec.queue} on ${spec.scenario}`)
  return measureOf(metric).role === 'count' ? exactly(values[0]) : medianInterval(values, CONFIDENCE)
}

/** @typedef {{metric: string, toMetric?: string}} Metrics */

/** @type {(of: CellSpec, to: CellSpec, metrics: Metrics, observe: Observe) => Estimated} */
function compare (of, to, { metric, toMetric = metric }, observe) {
  if (measureOf(metric).role === 'count') {
    return exactly(valueOf(of, metric, observe).median / valueOf(to, toMetric, observe).median)
  }
  return ratioInterval([...pairsOf(of, to, { metric, toMetric }, observe).values()], CONFIDENCE)
}

/** @type {(of: CellSpec, to: CellSpec, metrics: Metrics, observe: Observe) => Map<number, number>}  Ratios by round. */
function pairsOf (of, to, { metric, toMetric = metric }, observe) {
  const name = nameInPairs(metric)
  const pairs = pairedRatios(observe(to, toMetric, name), observe(of, metric, name), name).filter(
    ({ ratio }) => ratio > 0 && ratio < Infinity
  )
  if (pairs.length === 0) {
    throw new MissingError(`no round with ${metric} of both ${of.queue} and ${to.queue} on ${of.scenario}`)
  }
  return new Map(pairs.map(({ round, ratio }) => [round, ratio]))
}

/**
 * Ratios of two ratios of one round.
 *
 * @type {(ratios: Map<number, number>, others: Map<number, number>) => number[]}
 */
function quotients (ratios, others) {
  const known = [...ratios].flatMap(([round, ratio]) =>
    others.has(round) ? ratio / /** @type {number} */ (others.get(round)) : []
  )
  if (known.length === 0) throw new MissingError('no round with both ratios')
  return known
}

/** @type {(count: number) => Estimated} */
const exactly = count => ({ median: count, low: count, high: count, n: Infinity })

/** @param {CellSpec} spec */
const nameOf = ({ label, queue }) => label ?? queue

/** @type {(value: Estimated, metric: string) => string} */
const withUnit = ({ median }, metric) =>
  metric === 'queueTickShare'
    ? `${formatNumber(100 * median)} %`
    : `${formatNumber(median)} ${measureOf(metric).unit}`.trim()

/** @param {JudgedCondition[]} conditions */
function describeConditions (conditions) {
  return conditions
    .map(({ condition: { metric, toMetric }, text }, i) =>
      toMetric !== undefined || conditions[i - 1]?.condition.metric === metric
        ? text
        : `${measureOf(metric).short}: ${text}`
    )
    .join('; ')
}

/** @param {JudgedCondition[]} conditions */
function describeMissingPairs (conditions) {
  const fewest = Math.min(...conditions.filter(({ condition }) => hasLimits(condition)).map(({ n }) => n))
  return fewest < LOOKS[0]
    ? `; ${formatCount(fewest, 'pair')} ${fewest === 1 ? 'decides' : 'decide'} nothing, at least ${LOOKS[0]} are needed`
    : ''
}
