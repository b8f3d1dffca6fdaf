/**
 * Student's t interval of a mean. It assumes values that are about normal, and in return has its coverage from two values
 * on, where an interval by ranks needs six for 95 %. Trimmed, it stands a few values that lie far away.
 *
 * Sources: Student, "The probable error of a mean", Biometrika 6(1), 1908; J. W. Tukey and D. H. McLaughlin, "Less vulnerable
 * confidence and significance procedures for location based on a single sample: trimming/Winsorization 1", Sankhya A 25(3), 1963.
 */
import { mean, sumNthPowerDeviations, variance } from 'simple-statistics'
import { tQuantile } from './growth.js'

/**
 * The interval of the mean of those values that are neither among the lowest nor among the highest. How much they scatter is told by
 * all values, where those that were trimmed count as the nearest ones that were not. With none trimmed it is Student's.
 *
 * O(n log n).
 *
 * @param {number[]} values  About normal, but for those that are trimmed.
 * @param {number} trimmed  How many at either end; at least two values are left.
 * @param {number} [confidence]
 * @returns {{low: number, high: number, coverage: number}}
 */
export function trimmedInterval (values, trimmed, confidence = 0.95) {
  const kept = withoutEnds(values, trimmed)
  const drawnIn = values.map(value => Math.min(Math.max(value, kept[0]), kept[kept.length - 1]))
  const freedom = kept.length - 1
  const error = Math.sqrt(sumNthPowerDeviations(drawnIn, 2) / (kept.length * freedom))
  const reach = tQuantile((1 + confidence) / 2, freedom) * error
  const centre = mean(kept)
  return { low: centre - reach, high: centre + reach, coverage: confidence }
}

/**
 * In ascending order, those that are neither among the lowest nor among the highest.
 *
 * @param {number[]} values
 * @param {number} trimmed  How many at either end.
 */
export function withoutEnds (values, trimmed) {
  return [...values].sort((a, b) => a - b).slice(trimmed, values.length - trimmed)
}

/**
 * The interval of the difference of two means, of two sets of values that scatter about equally.
 *
 * @param {number[]} before  Together at least three values.
 * @param {number[]} now
 * @param {number} [confidence]
 * @returns {{difference: number, low: number, high: number}}
 */
export function differenceInterval (before, now, confidence = 0.95) {
  const difference = mean(now) - mean(before)
  const freedom = before.length + now.length - 2
  const pooled = ((before.length * variance(before)) + (now.length * variance(now))) / freedom
  const reach = tQuantile((1 + confidence) / 2, freedom) * Math.sqrt(pooled * (1 / before.length + 1 / now.length))
  return { difference, low: difference - reach, high: difference + reach }
}
