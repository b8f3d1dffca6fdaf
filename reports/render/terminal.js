/** A summary for a terminal of 80 columns. */
import { getBorderCharacters, table } from 'table'
import { formatGrowth, formatInterval, formatRatio, placeOf } from '../../harness/model/numbers.js'
import { growthTablesOf, tablesOf } from '../tables.js'

/** Of a queue, with its mark. */
const LONGEST_NAME = 24

/**
 * @typedef {ReturnType<typeof import('picocolors').createColors>} Style
 */

/**
 * @param {import('../../harness/summary.js').Summary} summary
 * @param {Style} style
 */
export function renderTerminal (summary, style) {
  const tables = tablesOf(summary)
  const growth = growthTablesOf(summary)
  const sections = tables.flatMap((table, index) => {
    const { scenario, title } = table
    const heading = scenario === tables[index - 1]?.scenario ? '' : `${style.bold(scenario)}: ${title}\n`
    const isLast = scenario !== tables[index + 1]?.scenario
    return [
      heading + renderTable(table, summary, style),
      ...(isLast ? growth.filter(each => each.scenario === scenario).map(each => renderGrowth(each, summary, style)) : [])
    ]
  })
  const warnings = [...summary.warnings, ...disturbance(summary)].map(warning => style.yellow(`warning: ${warning}\n`))
  return [...sections, legend(summary, tables), ...(warnings.length > 0 ? [warnings.join('')] : [])].join('\n')
}

/**
 * @param {import('../../harness/summary.js').Summary} summary
 * @returns {string[]}
 */
function disturbance ({ cells }) {
  const disturbed = cells.filter(({ warnings }) => warnings.some(warning => warning.startsWith('shared core')))
  if (disturbed.length === 0) return []
  return [`other programs ran on the measured core in ${disturbed.length} of ${cells.length} cells: repeat it on a quiet machine`]
}

/**
 * @param {import('../tables.js').Table} content
 * @param {import('../../harness/summary.js').Summary} summary
 * @param {Style} style
 */
function renderTable ({ params, runtime, columns, rows, skipped }, { environment }, style) {
  const shown = columns.map(({ wide }) => !wide)
  const where = whereFrom(params, runtime, environment)
  const left = skipped.map(({ queue, kind, reason }) => style.yellow(`  ${queue}: ${kind === 'time-limit' ? 'skipped' : 'failed'}, ${reason}\n`))
  if (rows.length === 0) return `${style.dim(where)}\n${left.join('')}`
  const titles = columns.filter((_, i) => shown[i]).map(({ title }) => title)
  const lines = rows.map(({ queue, isControl, values }) =>
    ({ queue, isControl, texts: values.filter((_, i) => shown[i]).map(value => renderValue(value, style)) }))
  return drawTable(where, titles, lines, style) + left.join('')
}

/**
 * @param {import('../tables.js').GrowthTable} content
 * @param {import('../../harness/summary.js').Summary} summary
 * @param {Style} style
 */
function renderGrowth ({ parameter, params, runtime, columns, rows }, { environment }, style) {
  const where = [`growth with ${parameter}`, whereFrom(params, runtime, environment)].filter(Boolean).join(', ')
  const lines = rows.map(({ queue, isControl, values }) =>
    ({ queue, isControl, texts: values.map(value => value ? formatGrowth(value, (first, last) => ` ${first}→${last}`) : '-') }))
  return drawTable(where, columns, lines, style)
}

/**
 * @param {Record<string, number>} params
 * @param {string} runtime
 * @param {import('../../harness/summary.js').Summary['environment']} environment
 */
function whereFrom (params, runtime, { node }) {
  return placeOf({ params, runtime: runtime === node ? undefined : runtime })
}

/**
 * Where it was stands over the names if it fits there, else on a line of its own.
 *
 * @param {string} where
 * @param {string[]} titles
 * @param {{queue: string, isControl: boolean, texts: string[]}[]} rows
 * @param {Style} style
 */
function drawTable (where, titles, rows, style) {
  const isShort = where.length <= LONGEST_NAME
  const lines = [
    [isShort ? style.dim(where) : '', ...titles.map(title => style.dim(title))],
    ...rows.map(({ queue, isControl, texts }) => [isControl ? style.cyan(`= ${queue}`) : `  ${queue}`, ...texts])
  ]
  const text = table(lines, {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: 2, alignment: 'right' },
    columns: { 0: { alignment: 'left' } },
    drawHorizontalLine: () => false
  })
  return (isShort ? '' : `${style.dim(where)}\n`) + text.replaceAll(/ +$/gm, '')
}

/**
 * @param {import('../tables.js').Value | null} value
 * @param {Style} style
 */
function renderValue (value, style) {
  if (value === null) return '-'
  const text = formatInterval(value.metric) + (value.ratio === null ? '' : ` ${formatRatio(value.ratio)}`)
  return value.best ? style.green(`${text} *`) : `${text}  `
}

/**
 * @param {import('../../harness/summary.js').Summary} summary
 * @param {import('../tables.js').Table[]} tables
 */
function legend ({ cells, growth, environment, settings }, tables) {
  const timed = cells.flatMap(({ metrics }) => Object.values(metrics).filter(({ n }) => n > 1))
  const counts = timed.map(({ n }) => n)
  const coverage = Math.min(...timed.map(({ coverage }) => coverage))
  const rows = tables.flatMap(({ rows }) => rows)
  const controls = [...new Set(rows.filter(({ isControl }) => isControl).map(({ queue }) => queue))]
  return [
    `* best${controls.length > 0 ? `   = control (${controls.join(', ')})   x ratio to the control` : ''}`,
    timed.length === 0
      ? 'One sample a cell: no interval can be given.'
      : `Median and interval of ${spanOf(counts)} fresh processes a cell (coverage ${Math.floor(coverage * 100)} % or more).`,
    ...(growth.length > 0 ? ['Growth: e of cost ~ x^e, its interval (0 flat, 1 linear), a→b where it bends.'] : []),
    ...(tables.some(({ kind }) => kind === 'micro') ? ['Work: basic blocks executed. Bytes: per pending timer. Both exact (-: took too long).'] : []),
    [`${environment.cores} x ${environment.cpu}`, `Node ${environment.node}`, ...(environment.loadGenerator === 'none' ? [] : [environment.loadGenerator]), `seed ${settings.seed}`].join(', ')
  ].map(line => `${line}\n`).join('')
}

/** @param {number[]} counts */
const spanOf = counts => [...new Set([Math.min(...counts), Math.max(...counts)])].join('–')
