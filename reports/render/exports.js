/** A summary for other programs: spreadsheets and dashboards. */
import { cellId } from '../../harness/model/cell.js'
import { metrics } from '../../harness/model/metrics.js'
import { sevenDigits } from '../../harness/model/numbers.js'
import { printableLines } from '../../harness/model/text.js'

/** @import { CellSummary, Summary } from '../../harness/judge/summary.js' */

/** Metrics for a dashboard: a rise is worse. */
const COSTS = Object.keys(metrics).filter(name => metrics[name].isCost)

/**
 * RFC 4180, one line for each cell and metric; a column for each parameter.
 *
 * @param {Summary} summary
 */
export function renderCsv ({ cells }) {
  const parameters = [...new Set(cells.flatMap(({ params }) => Object.keys(params)))]
  const rows = cells.flatMap(({ scenario, params, queue, runtime, metrics }) =>
    Object.entries(metrics).map(([metric, figures]) => {
      const { unit, better, median, low, high, n, coverage } = figures
      return [
        scenario,
        queue,
        runtime,
        ...parameters.map(name => params[name]),
        metric,
        unit,
        better,
        sevenDigits(median),
        sevenDigits(low),
        sevenDigits(high),
        n,
        coverage
      ]
    })
  )
  const titles = [
    'scenario',
    'queue',
    'runtime',
    ...parameters,
    'metric',
    'unit',
    'better',
    'median',
    'low',
    'high',
    'samples',
    'coverage'
  ]
  return [titles, ...rows].map(row => row.map(csvField).join(',') + '\n').join('')
}

/** @param {string | number | undefined} value */
function csvField (value) {
  if (typeof value !== 'string') return String(value ?? '')
  // A spreadsheet would run a name that begins like a formula.
  const harmless = printableLines(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
  return /[",\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * Values for github-action-benchmark, `tool: customSmallerIsBetter`.
 *
 * @param {Summary} summary
 */
export function renderBenchmarkAction ({ cells }) {
  const entries = cells.flatMap(cell =>
    costsOf(cell).map(([metric, { unit, median, low, high, n }]) => ({
      name: `${cellId(cell)} ${metric}`,
      unit,
      value: sevenDigits(median),
      range: `± ${sevenDigits(Math.max(high - median, median - low))}`,
      extra: `median of ${n} ${n === 1 ? 'process' : 'processes'}, from ${sevenDigits(low)} to ${sevenDigits(high)}`
    }))
  )
  return JSON.stringify(entries, null, 2) + '\n'
}

/**
 * Bencher Metric Format, for `bencher run --adapter json`: a measure for each metric.
 *
 * @param {Summary} summary
 */
export function renderBencher ({ cells }) {
  const benchmarks = cells.map(cell => [
    cellId(cell),
    Object.fromEntries(
      costsOf(cell).map(([metric, { median, low, high }]) => [
        kebab(metric),
        { value: sevenDigits(median), lower_value: sevenDigits(low), upper_value: sevenDigits(high) }
      ])
    )
  ])
  return JSON.stringify(Object.fromEntries(benchmarks), null, 2) + '\n'
}

/** @param {CellSummary} cell */
const costsOf = ({ metrics }) =>
  COSTS.filter(metric => metrics[metric]).map(metric => /** @type {const} */ ([metric, metrics[metric]]))

/** @param {string} name */
const kebab = name => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
