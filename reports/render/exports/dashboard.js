/** Figures for other programs. */
import { metrics } from '../../../harness/model/metrics.js'
import { sevenDigits } from '../../../harness/model/numbers.js'

/** @import { CellSummary } from '../../../harness/judge/records.js' */

/** Metrics for a dashboard: a rise is worse. */
const COSTS = Object.keys(metrics).filter(name => metrics[name].isCost)

/** @param {CellSummary} cell */
export const costsOf = ({ metrics }) =>
  COSTS.filter(metric => metrics[metric]).map(metric => /** @type {const} */ ([metric, metrics[metric]]))

/**
 * @param {number} value
 * @returns {number | undefined} undefined: an open end, which JSON and CSV cannot hold
 */
export const digits = value => (Number.isFinite(value) ? sevenDigits(value) : undefined)
