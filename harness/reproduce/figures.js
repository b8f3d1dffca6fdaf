/**
 * Figures with intervals, and questions about them that have three answers: true, false, and null for undecided. An
 * answer rests on whole intervals, never on medians alone.
 *
 * Figures that were measured together are compared heat by heat, or round by round: a machine that slows down slows both of
 * them down, so their ratio has a narrower interval than either. Shares of profiles are different: what V8 made of a process
 * decides them, not the speed of the machine in that minute, so each of one is compared with each of the other. What is left is
 * compared by the intervals of both.
 */
import { heatRatio } from '../judge/pairs.js'
import { differenceInterval, intervalOf } from '../judge/statistics/interval.js'

/**
 * @typedef {object} Figure
 * @property {number} median
 * @property {number} low
 * @property {number} high
 * @property {number} n  Samples: fresh processes, or heats.
 * @property {number} coverage  Probability that the interval from low to high holds the true median.
 * @property {Observations} [observations]
 * @property {number} [ticks]  Of a share: how many ticks of a busy thread each profile has, about.
 *
 * @typedef {object} Observations  What a figure is the median of.
 * @property {'heat' | 'round' | 'process'} by  What of two figures goes together; processes do not.
 * @property {Map<string | number, Observation>} values  By the id of the heat, or by the round.
 * @property {number} [confidence]  Of the intervals of ratios; 0.95 if not set.
 *
 * @typedef {object} Observation
 * @property {number} value
 * @property {{metric: string, sample: import('../store/results.js').Sample}} [sliced]  Where it is from, if nothing was done to it since.
 */

/**
 * Below this nothing is decided: with three samples each, two equal things differ by whole intervals once in ten times.
 * With five, the coverage is 93.75 %.
 */
const COVERAGE_TO_DECIDE = 0.9

/** The number of samples that reaches it. */
export const SAMPLES_TO_DECIDE = 5

/** @param {Figure} figure */
export const isDecisive = ({ coverage, n }) => coverage >= COVERAGE_TO_DECIDE && n >= SAMPLES_TO_DECIDE

/**
 * @param {number} value
 * @returns {Figure}
 */
export const exactly = value => ({ median: value, low: value, high: value, n: Infinity, coverage: 1 })

/**
 * @param {Figure} figure
 * @param {number} limit
 * @returns {boolean | null}
 */
export function isOver (figure, limit) {
  if (!isDecisive(figure)) return null
  if (figure.low > limit) return true
  return figure.high < limit ? false : null
}

/**
 * @param {Figure} figure
 * @param {number} limit
 * @returns {boolean | null}
 */
export function isUnder (figure, limit) {
  const over = isOver(figure, limit)
  return over === null ? null : !over
}

/**
 * Whether one figure is more than `factor` times another.
 *
 * @param {Figure} one
 * @param {Figure} other
 * @param {number} [factor]
 */
export const isAbove = (one, other, factor = 1) => isOver(ratioOf(one, other), factor)

/** A prediction may be off by a quarter. */
const NEAR = 1.25

/**
 * Whether a prediction was right.
 *
 * @param {Figure} one
 * @param {Figure} other
 */
export function isNear (one, other) {
  const ratio = ratioOf(one, other)
  return allHold([isOver(ratio, 1 / NEAR), isUnder(ratio, NEAR)])
}

/**
 * @param {(boolean | null)[]} answers
 * @returns {boolean | null} true when all are, false when one is
 */
export const allHold = answers => answers.includes(false) ? false : answers.includes(null) ? null : true

/**
 * @param {Figure} one
 * @param {Figure} other
 * @returns {Figure}
 */
export function ratioOf (one, other) {
  if (one === other) return exactly(1)
  const paired = pairUp(one, other, divide)
  if (paired?.by === 'process') return { ...ratioOfProcesses(one, other), observations: paired }
  const logs = paired ? logsOf(paired).filter(log => !Number.isNaN(log)) : []
  // A share of nothing has no logarithm.
  if (!paired || logs.length === 0 || !logs.every(Number.isFinite)) return quotient(one, other)
  return { ...fromLogs(intervalOf(logs, paired.confidence)), n: logs.length, observations: paired }
}

/**
 * @param {Figure} one
 * @param {Figure} other
 * @returns {Figure}
 */
function ratioOfProcesses (one, other) {
  const [logs, others] = [one, other].map(({ observations }) => logsOf(/** @type {Observations} */ (observations)))
  return { ...fromLogs(differenceInterval(others, logs, one.observations?.confidence)), n: Math.min(logs.length, others.length) }
}

/** @param {Observations} observations */
const logsOf = ({ values }) => [...values.values()].map(({ value }) => Math.log(value))

/** @param {{estimate: number, low: number, high: number, coverage: number}} interval  Of logarithms. */
const fromLogs = ({ estimate, low, high, coverage }) => ({ median: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high), coverage })

/**
 * @param {Figure} one
 * @param {Figure} other
 * @returns {Figure}
 */
const quotient = (one, other) => ({ ...weakest(one, other), median: one.median / other.median, low: one.low / other.high, high: one.high / other.low })

/**
 * Within a heat, slice by slice where both figures have slices.
 *
 * @param {Observation} one
 * @param {Observation} other
 */
function divide (one, other) {
  const { sliced: own } = one
  const { sliced: others } = other
  const ofSlices = own && others && own.metric === others.metric ? heatRatio(own.sample, others.sample, own.metric) : null
  return ofSlices ?? one.value / other.value
}

/**
 * @param {Figure} one
 * @param {Figure} other
 * @param {(one: Observation, other: Observation) => number} operate
 * @returns {Observations | undefined} none where nothing was measured together
 */
function pairUp ({ observations: own }, { observations: others }, operate) {
  if (!own || !others) return
  const values = new Map([...own.values].flatMap(([key, one]) => {
    const other = others.values.get(key)
    return other ? [[key, { value: operate(one, other) }]] : []
  }))
  return values.size > 0 ? { ...own, values } : undefined
}

/**
 * A figure that is made of two. Its interval is made of theirs; in a ratio its observations count.
 *
 * @param {(one: number, other: number) => number} operate
 * @returns {(one: Figure, other: Figure) => Figure}
 */
const combine = operate => (one, other) => ({
  ...weakest(one, other),
  median: operate(one.median, other.median),
  low: operate(one.low, other.low),
  high: operate(one.high, other.high),
  observations: pairUp(one, other, (one, other) => operate(one.value, other.value))
})

export const product = combine((one, other) => one * other)
export const sum = combine((one, other) => one + other)

/**
 * @param {number} factor  Above 0.
 * @param {Figure} figure
 * @returns {Figure}
 */
export function times (factor, { median, low, high, observations, ...rest }) {
  return {
    ...rest,
    median: factor * median,
    low: factor * low,
    high: factor * high,
    observations: observations && {
      ...observations,
      values: new Map([...observations.values].map(([key, { value }]) => [key, { value: factor * value }]))
    }
  }
}

/**
 * Compared by whole windows. What happens once in several slices, such as a collection of a large semi-space, has no part in
 * their median.
 *
 * @param {Figure} figure
 * @returns {Figure}
 */
export const overWindows = figure => times(1, figure)

/**
 * The exponent e of cost ~ size ** e.
 *
 * @param {[number, number]} sizes
 * @param {[Figure, Figure]} costs
 * @returns {Figure}
 */
export function exponentOf ([small, large], [costOfSmall, costOfLarge]) {
  const { median, low, high, n, coverage } = ratioOf(costOfLarge, costOfSmall)
  const exponent = (/** @type {number} */ ratio) => Math.log(ratio) / Math.log(large / small)
  return { median: exponent(median), low: exponent(low), high: exponent(high), n, coverage }
}

/** @template {Figure} F @param {F[]} figures */
export const lowest = figures => figures.reduce((one, other) => other.median < one.median ? other : one)

/**
 * @param {Figure} one
 * @param {Figure} other
 */
const weakest = (one, other) => ({ n: Math.min(one.n, other.n), coverage: Math.min(one.coverage, other.coverage) })

/** @param {number} value */
export const round = value => Number(value.toPrecision(3))

/** @param {Figure} share */
export const percent = ({ median, ticks }) => `${round(100 * median)} %${ticks === undefined ? '' : ` of ${round(ticks)} ticks`}`

/**
 * @param {Figure} figure
 * @param {string} unit
 */
export const show = ({ median, low, high }, unit) => `${round(median)} (${round(low)}–${round(high)}) ${unit}`

/**
 * How many times the other, the way it is decided.
 *
 * @param {Figure} one
 * @param {Figure} other
 */
export function showRatio (one, other) {
  const { median, low, high } = ratioOf(one, other)
  return `${round(median)}x (${round(low)}–${round(high)})`
}

/** @param {Figure} exponent */
export const showGrowth = ({ median, low, high }) => `n ** ${round(median)} (${round(low)}–${round(high)})`
