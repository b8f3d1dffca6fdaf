/**
 * What queues are ranked and compared by. Where heats measured them at the same time, it is the ratio to the control: the
 * absolute times of the same heats move with the machine and compare badly.
 */

/**
 * @typedef {import('../harness/judge/summary.js').CellSummary} CellSummary
 * @typedef {import('../harness/judge/summary.js').MetricSummary} MetricSummary
 * @typedef {import('../harness/judge/summary.js').Ratio} Ratio
 *
 * @typedef {object} Cost  In the metric's unit.
 * @property {number} median
 * @property {number} low
 * @property {number} high
 * @property {number} n
 * @property {number} coverage
 * @property {boolean} isRelative  The ratio to the control, times the median of the control, which counts as exact.
 *
 * @typedef {object} Entry
 * @property {string} queue
 * @property {MetricSummary} figures  As measured.
 * @property {Cost} cost  As compared.
 */

/**
 * The ratio of a queue to the control, if heats have given one.
 *
 * @param {MetricSummary | undefined} figures
 * @returns {Ratio | null}
 */
export const heatRatioOf = figures => figures?.ratio?.by === 'heat' ? figures.ratio : null

/**
 * The ratio of a queue to another one, if both ran in the same heats, with an interval to judge by.
 *
 * @param {MetricSummary} figures
 * @param {string} queue  The other.
 * @returns {Ratio | null}
 */
export function ratioTo (figures, queue) {
  const ratio = figures.others?.find(({ to }) => to === queue)
  return ratio ? judged(ratio) : null
}

/**
 * @param {CellSummary[]} cells  Of one table.
 * @param {string} metric  Lower is better.
 * @param {string} control
 * @returns {(Entry & {cell: CellSummary})[]} the lowest first
 */
export function rank (cells, metric, control) {
  const measured = cells.filter(({ metrics }) => metrics[metric])
  const standard = measured.find(({ queue }) => queue === control)?.metrics[metric]
  const isPaired = measured.some(({ metrics }) => heatRatioOf(metrics[metric]))
  return measured.map(cell => {
    const figures = cell.metrics[metric]
    const { median, low, high, n, coverage } = figures
    const ratio = heatRatioOf(figures)
    const absolute = { median, low, high, n, coverage, isRelative: false }
    const exact = { median, low: median, high: median, n, coverage: 1, isRelative: true }
    const cost = figures === standard && isPaired ? exact : standard && ratio ? times(ratio, standard.median) : absolute
    return { cell, queue: cell.queue, figures, cost }
  }).sort((a, b) => a.cost.median - b.cost.median)
}

/**
 * The range of two heats misses the true ratio half of the time. So two heats are judged by Student's t, whose interval is
 * this many times as long as their range (in logarithms): only gross differences count.
 */
const T_OF_TWO = 12.706

/**
 * @param {Ratio} ratio
 * @param {number} unit
 * @returns {Cost}
 */
function times (ratio, unit) {
  const { median, low, high, n, coverage } = judged(ratio)
  return { median: median * unit, low: low * unit, high: high * unit, n, coverage, isRelative: true }
}

/**
 * @param {Ratio} ratio  Of two heats, the ends are their ratios.
 * @returns {Ratio}
 */
function judged (ratio) {
  if (ratio.n !== 2) return ratio
  const reach = (ratio.high / ratio.low) ** (T_OF_TWO / 2)
  return { ...ratio, low: ratio.median / reach, high: ratio.median * reach, coverage: 0.95 }
}

/**
 * The costs of two phases of one cycle, together.
 *
 * @template {{median: number, low: number, high: number, n: number, coverage: number}} T
 * @param {T} one
 * @param {T} other
 * @returns {T}
 */
export function addCosts (one, other) {
  return {
    ...one,
    median: one.median + other.median,
    low: one.low + other.low,
    high: one.high + other.high,
    n: Math.min(one.n, other.n),
    coverage: Math.min(one.coverage, other.coverage)
  }
}
