/** A summary for spreadsheets, by RFC 4180: a line for each cell and metric, a column for each parameter. */
import { printableLines } from '../../../harness/model/text.js'
import { digits } from './dashboard.js'

/** @import { Summary } from '../../../harness/judge/records.js' */

/** Titles of the columns of a metric. */
const FIGURES = ['unit', 'better', 'median', 'low', 'high', 'samples', 'coverage']

/** @param {{summary: Summary}} report */
export function render ({ summary: { cells } }) {
  const parameters = [...new Set(cells.flatMap(({ params }) => Object.keys(params)))]
  const sided = cells.some(({ side }) => side) ? ['side'] : []
  const titles = ['scenario', 'queue', ...sided, 'runtime', ...parameters, 'metric', ...FIGURES]
  const rows = cells.flatMap(({ scenario, params, queue, side, runtime, metrics }) =>
    Object.entries(metrics).map(([metric, { unit, better, median, low, high, n, coverage }]) => {
      const place = [scenario, queue, ...sided.map(() => side), runtime, ...parameters.map(name => params[name])]
      return [...place, metric, unit, better, ...[median, low, high].map(digits), n, coverage]
    })
  )
  return [titles, ...rows].map(row => row.map(csvField).join(',') + '\n').join('')
}

/** @param {string | number | undefined} value */
function csvField (value) {
  if (typeof value !== 'string') return String(value ?? '')
  // A spreadsheet would run a name that begins like a formula.
  const harmless = printableLines(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
  return /[",\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
