/** A summary for a terminal of 80 columns. */
import { getBorderCharacters, table } from 'table'
import { formatInterval, formatParams, formatRatio } from './format.js'
import { tablesOf } from './tables.js'

/** Of a queue, with its mark. */
const LONGEST_NAME = 24

/**
 * @typedef {ReturnType<typeof import('picocolors').createColors>} Style
 */

/**
 * @param {import('../harness/summary.js').Summary} summary
 * @param {Style} style
 */
export function renderTerminal (summary, style) {
  const tables = tablesOf(summary)
  const sections = tables.map((table, index) => {
    const heading = table.scenario === tables[index - 1]?.scenario ? '' : `${style.bold(table.scenario)}: ${table.title}\n`
    return heading + renderTable(table, summary, style)
  })
  const warnings = [...summary.warnings, ...disturbance(summary)].map(warning => style.yellow(`warning: ${warning}\n`))
  return [...sections, legend(summary, tables), ...(warnings.length > 0 ? [warnings.join('')] : [])].join('\n')
}

/**
 * @param {import('../harness/summary.js').Summary} summary
 * @returns {string[]}
 */
function disturbance ({ cells }) {
  const disturbed = cells.filter(({ warnings }) => warnings.some(warning => warning.startsWith('shared core')))
  if (disturbed.length === 0) return []
  return [`other programs ran on the measured core in ${disturbed.length} of ${cells.length} cells: repeat it on a quiet machine`]
}

/**
 * @param {import('./tables.js').Table} content
 * @param {import('../harness/summary.js').Summary} summary
 * @param {Style} style
 */
function renderTable ({ params, runtime, columns, rows, skipped }, { environment }, style) {
  const shown = columns.map(({ wide }) => !wide)
  const where = style.dim(`${formatParams(params)}${runtime === environment.node ? '' : `, Node ${runtime}`}`)
  const left = skipped.map(({ queue, kind, reason }) => style.yellow(`  ${queue}: ${kind === 'time-limit' ? 'skipped' : 'failed'}, ${reason}\n`))
  if (rows.length === 0) return `${where}\n${left.join('')}`
  // What the parameters are stands over the names where it fits there.
  const isShort = formatParams(params).length <= LONGEST_NAME
  const lines = [
    [isShort ? where : '', ...columns.filter((_, i) => shown[i]).map(({ title }) => style.dim(title))],
    ...rows.map(row => [
      row.isControl ? style.cyan(`= ${row.queue}`) : `  ${row.queue}`,
      ...row.values.filter((_, i) => shown[i]).map(value => renderValue(value, style))
    ])
  ]
  const text = table(lines, {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: 2, alignment: 'right' },
    columns: { 0: { alignment: 'left' } },
    drawHorizontalLine: () => false
  })
  return (isShort ? '' : `${where}\n`) + text.replaceAll(/ +$/gm, '') + left.join('')
}

/**
 * @param {import('./tables.js').Value | null} value
 * @param {Style} style
 */
function renderValue (value, style) {
  if (value === null) return '-'
  const text = formatInterval(value.metric) + (value.ratio === null ? '' : ` ${formatRatio(value.ratio)}`)
  return value.best ? style.green(`${text} *`) : `${text}  `
}

/**
 * @param {import('../harness/summary.js').Summary} summary
 * @param {import('./tables.js').Table[]} tables
 */
function legend ({ cells, environment, settings }, tables) {
  const timed = cells.flatMap(({ metrics }) => Object.values(metrics).filter(({ n }) => n > 1))
  const counts = timed.map(({ n }) => n)
  const coverage = Math.min(...timed.map(({ coverage }) => coverage))
  const controls = [...new Set(tables.map(({ control }) => control))]
  return [
    `* best   = control (${controls.join(', ')})   x ratio to the control`,
    timed.length === 0
      ? 'One sample a cell: no interval can be given.'
      : `Median and interval of ${spanOf(counts)} fresh processes a cell (coverage ${Math.floor(coverage * 100)} % or more).`,
    'Work: basic blocks executed. Bytes: per pending timer. Both exact (-: took too long).',
    `${environment.cores} x ${environment.cpu}, Node ${environment.node}, ${environment.loadGenerator}, seed ${settings.seed}`
  ].map(line => `${line}\n`).join('')
}

/** @param {number[]} counts */
const spanOf = counts => [...new Set([Math.min(...counts), Math.max(...counts)])].join('–')
