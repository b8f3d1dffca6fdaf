/**
 * Figures with intervals, and questions about them that have three answers: true, false, and null for undecided. An
 * answer rests on whole intervals, never on medians alone.
 *
 * @typedef {object} Figure
 * @property {number} median
 * @property {number} low
 * @property {number} high
 * @property {number} n  Samples: fresh processes, or heats.
 * @property {number} coverage  Probability that the interval from low to high holds the true median.
 *
 * @typedef {object} Measured  What a figure of a cell has besides.
 * @property {string} place  Cell and metric, without the queue: figures of one place may have been measured at the same time.
 * @property {string} queue
 * @property {Figure & {to: string}} [ratio]  To the queue `to`, measured at the same time.
 */

/**
 * Below this nothing is decided: with three samples each, two equal things differ by whole intervals once in ten times.
 * With five, the coverage is 93.75 %.
 */
const COVERAGE_TO_DECIDE = 0.9

/** The number of samples that reaches it. */
export const SAMPLES_TO_DECIDE = 5

/** @param {Figure} figure */
export const isDecisive = ({ coverage }) => coverage >= COVERAGE_TO_DECIDE

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
 * @param {Figure & Partial<Measured>} one
 * @param {Figure & Partial<Measured>} other
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
 * What was measured at the same time is compared by its ratios to the control, which the noise of the machine spares.
 *
 * @param {Figure & Partial<Measured>} one
 * @param {Figure & Partial<Measured>} other
 * @returns {Figure}
 */
export function ratioOf (one, other) {
  if (one === other) return exactly(1)
  const control = one.ratio?.to ?? other.ratio?.to
  if (control === undefined || one.place !== other.place) return quotient(one, other)
  const [oneRatio, otherRatio] = [one, other].map(figure => figure.queue === control ? exactly(1) : figure.ratio)
  return oneRatio && otherRatio ? quotient(oneRatio, otherRatio) : quotient(one, other)
}

/**
 * @param {Figure} one
 * @param {Figure} other
 * @returns {Figure}
 */
const quotient = (one, other) => ({ ...weakest(one, other), median: one.median / other.median, low: one.low / other.high, high: one.high / other.low })

/**
 * @param {Figure} one
 * @param {Figure} other
 * @returns {Figure}
 */
export const product = (one, other) => ({ ...weakest(one, other), median: one.median * other.median, low: one.low * other.low, high: one.high * other.high })

/**
 * @param {Figure} one
 * @param {Figure} other
 * @returns {Figure}
 */
export const sum = (one, other) => ({ ...weakest(one, other), median: one.median + other.median, low: one.low + other.low, high: one.high + other.high })

/**
 * @param {number} factor
 * @param {Figure} figure
 */
export const times = (factor, figure) => product(exactly(factor), figure)

/**
 * The exponent e of cost ~ size ** e.
 *
 * @param {[number, number]} sizes
 * @param {[Figure, Figure]} costs
 * @returns {Figure}
 */
export function exponentOf ([small, large], [costOfSmall, costOfLarge]) {
  const ratio = quotient(costOfLarge, costOfSmall)
  const exponent = (/** @type {number} */ value) => Math.log(value) / Math.log(large / small)
  return { ...ratio, median: exponent(ratio.median), low: exponent(ratio.low), high: exponent(ratio.high) }
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

/** @param {Figure} figure */
export const percent = ({ median }) => `${round(100 * median)} %`

/**
 * @param {Figure} figure
 * @param {string} unit
 */
export const show = ({ median, low, high }, unit) => `${round(median)} (${round(low)}–${round(high)}) ${unit}`

/** @param {Figure} exponent */
export const showGrowth = ({ median, low, high }) => `n ** ${round(median)} (${round(low)}–${round(high)})`
