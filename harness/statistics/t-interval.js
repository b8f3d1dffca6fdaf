/**
 * Student's t interval of a mean. It assumes values that are about normal, and in return has its coverage from two values
 * on, where an interval by ranks needs six for 95 %.
 *
 * Source: Student, "The probable error of a mean", Biometrika 6(1), 1908.
 */
import { mean, sampleStandardDeviation } from 'simple-statistics'
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
