/**
 * Student's t interval of a mean. It assumes values that are about normal, and in return has its coverage from two values
 * on, where an interval by ranks needs six for 95 %.
 *
 * Source: Student, "The probable error of a mean", Biometrika 6(1), 1908.
 */
import { mean, sampleStandardDeviation, variance } from 'simple-statistics'
import { tQuantile } from './growth.js'

/**
 * @param {number[]} values  At least two, about normal.
 * @param {number} [confidence]
 * @returns {{low: number, high: number, coverage: number}}
 */
export function tInterval (values, confidence = 0.95) {
  const reach = tQuantile((1 + confidence) / 2, values.length - 1) * sampleStandardDeviation(values) / Math.sqrt(values.length)
  const centre = mean(values)
  return { low: centre - reach, high: centre + reach, coverage: confidence }
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
