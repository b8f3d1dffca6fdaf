/** What was measured, scenario by scenario: pictures, a table over what was swept, and every figure. */
import { fold, paragraph, picture, section } from '../blocks.js'
import { figuresOf } from '../figures/index.js'
import { capitalise, formatGrowth, formatInterval, formatParams, formatRatio, placeOf } from '../../harness/model/numbers.js'
import { metricTitle } from '../metric-names.js'
import { runtimeBlocks } from './runtimes.js'
import { growthAlong, isMapped, linesOf, sweepsOf, timedMetricsOf } from '../sweeps.js'
import { tablesOf } from '../tables.js'

/**
 * @typedef {import('../../harness/results.js').Results} Results
 * @typedef {import('../../harness/summary.js').Summary} Summary
 * @typedef {import('../../harness/summary.js').CellSummary} CellSummary
 * @typedef {import('../blocks.js').Section} Section
 * @typedef {import('../blocks.js').Table} Table
 * @typedef {import('../blocks.js').TableCell} TableCell
 */

/**
 * @param {Results} results
 * @param {Summary} summary
 * @returns {Section[]} one a scenario
 */
export function scenarioSections (results, summary) {
  const figures = figuresOf(results, summary)
  const tables = tablesOf(summary)
  const sweeps = sweepsOf(summary)
  return summary.scenarios.map(({ name, title }) => {
    const own = tables.filter(({ scenario }) => scenario === name)
    const all = own.map(table => resultTable(table, summary))
    const drawn = figures.filter(({ scenario }) => scenario === name)
    const lines = sweeps.filter(({ scenario }) => scenario === name).flatMap(linesOf).filter(({ parameter }) => parameter !== null)
    const mapped = lines.filter(({ sweep }) => isMapped(sweep))
    const pivots = lines.filter(line => !mapped.includes(line)).flatMap(line => pivotTables(line, summary))
    return section(name, [
      paragraph(`What is measured: ${title}.`),
      ...drawn.filter(({ line }) => line === null).map(({ figure }) => picture(figure)),
      ...pivots,
      ...mapped.map(line => fold(capitalise(fixedOn(line)), [
        ...drawn.filter(other => other.line !== null && isSameLine(other.line, line)).map(({ figure }) => picture(figure)),
        ...pivotTables(line, summary)
      ])),
      ...aboutGrowth(summary.growth.filter(({ scenario }) => scenario === name)),
      ...runtimeBlocks(own),
      ...(lines.length > 0 ? [fold('All figures, one by one', all)] : all),
      ...(own.some(({ rows }) => rows.length > 0) ? [] : [paragraph('Nothing was measured here.')])
    ])
  })
}

/**
 * What is the same all along.
 *
 * @param {import('../sweeps.js').Line} line
 */
function fixedOn ({ sweep, others }) {
  return placeOf({ params: others, runtime: sweep.onlyRuntime ? undefined : sweep.runtime })
}

/** @param {Summary['growth']} growth */
function aboutGrowth (growth) {
  const timed = growth.filter(({ coverage }) => coverage < 1)
  if (timed.length === 0) return []
  return [paragraph('Growth is the exponent e of cost ~ x^e, x being what heads the columns: 0 is flat, 1 linear (a straight line through ' +
    `all samples in log-log). In brackets: the interval that holds it with a probability of ${100 * timed[0].coverage} % if the line is ` +
    'straight. Where it bends, the exponents at its two ends follow.')]
}

/**
 * @param {import('../sweeps.js').Line} a
 * @param {import('../sweeps.js').Line} b
 */
function isSameLine (a, b) {
  return a.sweep.runtime === b.sweep.runtime && formatParams(a.others) === formatParams(b.others)
}

/**
 * What matters most over the swept parameter.
 *
 * @param {import('../sweeps.js').Line} line
 * @param {Summary} summary
 * @returns {Table[]}
 */
function pivotTables (line, summary) {
  return timedMetricsOf(line).map(metric => pivotTable(line, metric, summary))
}

/**
 * @param {import('../sweeps.js').Line} line
 * @param {string} metric
 * @param {Summary} summary
 * @returns {Table}
 */
function pivotTable (line, metric, summary) {
  const { sweep, parameter, values, cells } = line
  const name = /** @type {string} */ (parameter)
  const measured = cells.filter(({ metrics }) => metrics[metric])
  const leastAt = new Map(values.map(value => {
    const here = measured.filter(({ params }) => params[name] === value)
    return [value, Math.min(...here.map(({ metrics }) => metrics[metric].median))]
  }))
  const largest = (/** @type {string} */ queue) => {
    const own = measured.filter(cell => cell.queue === queue).sort((a, b) => b.params[name] - a.params[name])
    return { reach: -own[0].params[name], median: own[0].metrics[metric].median }
  }
  const queues = [...new Set(measured.map(({ queue }) => queue))].map(queue => ({ queue, ...largest(queue) }))
    .sort((a, b) => a.reach - b.reach || a.median - b.median)
    .map(({ queue }) => ({ queue, growth: growthAlong(summary, line, queue, metric) }))
  const hasGrowth = queues.some(({ growth }) => growth)
  return {
    kind: 'table',
    caption: [`${capitalise(metricTitle(metric))}, ${measured[0].metrics[metric].unit}, by ${name}`, fixedOn(line)].filter(Boolean).join(', '),
    columns: [
      { title: 'queue', numeric: false },
      ...values.map(value => ({ title: formatParams({ '': value }).trim(), numeric: true })),
      ...(hasGrowth ? [{ title: 'growth', numeric: true }] : [])
    ],
    rows: queues.map(({ queue, growth }) => ({
      isControl: queue === sweep.control,
      cells: [{ text: queue }, ...values.map(value => {
        const cell = measured.find(({ queue: own, params }) => own === queue && params[name] === value)
        return cell ? figureCell(summary, cell, metric, cell.metrics[metric].median === leastAt.get(value)) : { text: '-' }
      }), ...(hasGrowth ? [growth ? { text: formatGrowth(growth), sort: growth.exponent } : { text: '-' }] : [])]
    }))
  }
}

/**
 * @param {import('../tables.js').Table} content
 * @param {Summary} summary
 * @returns {Table}
 */
function resultTable ({ scenario, params, runtime, columns, rows }, summary) {
  const cellOf = (/** @type {string} */ queue) => /** @type {CellSummary} */ (summary.cells.find(cell =>
    cell.queue === queue && cell.scenario === scenario && cell.runtime === runtime && formatParams(cell.params) === formatParams(params)))
  return {
    kind: 'table',
    caption: capitalise(placeOf({ params, runtime })),
    columns: [
      { title: 'queue', numeric: false },
      ...columns.flatMap(({ title, ratio }) => [{ title, numeric: true }, ...(ratio ? [{ title: 'ratio', numeric: true }] : [])]),
      { title: 'samples', numeric: true }
    ],
    rows: rows.map(({ queue, isControl, values }) => ({
      isControl,
      cells: [
        { text: queue },
        ...values.flatMap((value, i) => {
          const cell = value ? figureCell(summary, cellOf(queue), columns[i].metric, value.best) : { text: '-' }
          return columns[i].ratio ? [cell, value?.ratio ? { text: formatRatio(value.ratio), sort: value.ratio } : { text: '' }] : [cell]
        }),
        { text: String(values[0]?.metric.n ?? ''), sort: values[0]?.metric.n }
      ]
    }))
  }
}

/**
 * @param {Summary} summary
 * @param {CellSummary} cell
 * @param {string} metric
 * @param {boolean} best
 * @returns {TableCell}
 */
function figureCell ({ cells }, cell, metric, best) {
  return { text: formatInterval(cell.metrics[metric]), best, sort: cell.metrics[metric].median, cell: cells.indexOf(cell) }
}
