/** A summary for other programs: spreadsheets, and the dashboards that people keep. */

/**
 * @typedef {import('../../harness/summary.js').Summary} Summary
 * @typedef {import('../../harness/summary.js').CellSummary} CellSummary
 */

/** What a rise of is worse, and belongs on a dashboard. */
const COSTS = ['nsPerOp', 'startNsPerTimer', 'expireNsPerTimer', 'nextExpiryNsPerCall', 'advanceNsPerCall', 'workPerOp', 'bytesPerTimer',
  'cpuMicrosPerRequest', 'latencyP99Ms', 'latenessP99Ms', 'gcPauseMs', 'rssBytes']

/**
 * RFC 4180, one line a cell and metric; a column for each parameter.
 *
 * @param {Summary} summary
 */
export function renderCsv ({ cells }) {
  const parameters = [...new Set(cells.flatMap(({ params }) => Object.keys(params)))]
  const rows = cells.flatMap(({ scenario, params, queue, runtime, metrics }) => Object.entries(metrics).map(([metric, figures]) => {
    const { unit, better, median, low, high, n, coverage } = figures
    return [scenario, queue, runtime, ...parameters.map(name => params[name]), metric, unit, better, exactly(median), exactly(low), exactly(high), n, coverage]
  }))
  const titles = ['scenario', 'queue', 'runtime', ...parameters, 'metric', 'unit', 'better', 'median', 'low', 'high', 'samples', 'coverage']
  return [titles, ...rows].map(row => row.map(csvField).join(',') + '\n').join('')
}

/** @param {string | number | undefined} value */
function csvField (value) {
  if (typeof value !== 'string') return String(value ?? '')
  // A spreadsheet would run a name that begins like a formula.
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * For github-action-benchmark, `tool: customSmallerIsBetter`.
 *
 * @param {Summary} summary
 */
export function renderBenchmarkAction ({ cells }) {
  const entries = cells.flatMap(cell => costsOf(cell).map(([metric, { unit, median, low, high, n }]) => ({
    name: `${nameOf(cell)} ${metric}`,
    unit,
    value: exactly(median),
    range: `± ${exactly(Math.max(high - median, median - low))}`,
    extra: `median of ${n} ${n === 1 ? 'process' : 'processes'}, from ${exactly(low)} to ${exactly(high)}`
  })))
  return JSON.stringify(entries, null, 2) + '\n'
}

/**
 * Bencher Metric Format, for `bencher run --adapter json`: a measure for each metric.
 *
 * @param {Summary} summary
 */
export function renderBencher ({ cells }) {
  const benchmarks = cells.map(cell => [nameOf(cell), Object.fromEntries(costsOf(cell).map(([metric, { median, low, high }]) =>
    [kebab(metric), { value: exactly(median), lower_value: exactly(low), upper_value: exactly(high) }]))])
  return JSON.stringify(Object.fromEntries(benchmarks), null, 2) + '\n'
}

/** @param {CellSummary} cell */
const costsOf = ({ metrics }) => COSTS.filter(metric => metrics[metric]).map(metric => /** @type {const} */ ([metric, metrics[metric]]))

/**
 * The same in every run, so that dashboards can follow it.
 *
 * @param {CellSummary} cell
 */
function nameOf ({ scenario, params, queue, runtime }) {
  return [scenario, ...Object.entries(params).map(([name, value]) => `${name}=${value}`), queue, runtime].join(' ')
}

/** @param {string} name */
const kebab = name => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/**
 * As it was measured: digits beyond the seventh are beyond every clock.
 *
 * @param {number} value
 */
const exactly = value => Number(value.toPrecision(7))
