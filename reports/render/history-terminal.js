/** Runs over time for a terminal of 80 columns: what changed, latest first, each with its trend in small. */
import { formatParams } from '../../harness/model/numbers.js'
import { describeChange, nameOfRun } from '../documents/history.js'
import { metricTitle } from '../metric-names.js'

/**
 * @typedef {import('../../harness/history.js').History} History
 * @typedef {import('../../harness/history.js').Trend} Trend
 */

const BARS = '▁▂▃▄▅▆▇█'
/** The latest runs fit. */
const MOST_BARS = 40

/**
 * @param {History} history
 * @param {import('./terminal.js').Style} style
 */
export function renderHistory ({ runs, trends, warnings }, style) {
  const changed = trends.filter(({ changes }) => changes.length > 0).sort((a, b) => lastChange(b) - lastChange(a))
  return [
    `${runs.length} runs, ${trends.length} trends, ${changed.length === 0 ? 'none changed' : `${changed.length} changed`}\n`,
    ...changed.map(trend => renderTrend(trend, runs, style)),
    ...(warnings.length > 0 ? [warnings.map(warning => style.yellow(`warning: ${warning}\n`)).join('')] : [])
  ].join('\n')
}

/**
 * @param {Trend} trend
 * @param {History['runs']} runs
 * @param {import('./terminal.js').Style} style
 */
function renderTrend ({ scenario, params, queue, runtime, metric, unit, better, points, changes }, runs, style) {
  const lines = changes.map(change => {
    const isWorse = (change.ratio > 1) === (better === 'lower')
    const paint = isWorse ? style.red : style.green
    return `  since run ${nameOfRun(runs, change.run)}: ${paint(`${describeChange(change)} ${unit}, ${isWorse ? 'worse' : 'better'}`)}`
  })
  return [
    `${style.bold(queue)}: ${metricTitle(metric)}`,
    style.dim(`  ${[scenario, formatParams(params), runtime].filter(Boolean).join(', ')}`),
    `  ${sparkline(points.map(({ median }) => median))}`,
    ...lines
  ].map(line => `${line}\n`).join('')
}

/** @param {number[]} values */
function sparkline (values) {
  const shown = values.slice(-MOST_BARS)
  const low = Math.min(...shown)
  const span = Math.max(...shown) - low
  return shown.map(value => BARS[span === 0 ? 0 : Math.round((value - low) / span * (BARS.length - 1))]).join('')
}

/** @param {Trend} trend */
const lastChange = ({ changes }) => changes[changes.length - 1].run
