/** A comparison for a terminal of 80 columns: the verdict first. */
import { getBorderCharacters, table } from 'table'
import { describeCell, describeRow, describeWhole, formatDetectable, formatP, formatPercent, formatRatioInterval, isQuiet, metricTitle } from '../documents/comparison-words.js'
import { placeOf } from '../../harness/model/numbers.js'

/**
 * @typedef {import('../../harness/compare.js').ComparisonRecord} ComparisonRecord
 * @typedef {import('../../harness/verdict.js').Comparison} Comparison
 * @typedef {import('./terminal.js').Style} Style
 */

/** What a reader of server figures looks for beside CPU per request, changed or not. */
const ALWAYS_SHOWN = ['requestsPerSecond', 'latencyP99Ms']
const SIGNS = { pass: '✓', regression: '✗', inconclusive: '?', invalid: '!' }

/**
 * @param {ComparisonRecord} record
 * @param {Style} style
 */
export function renderComparison (record, style) {
  const { base, head, verdict, comparisons, unmatched, control, warnings, rules } = record
  return [
    `${colourOf(verdict, style)(style.bold(verdict))}: ${describeWhole(record)}\n`,
    `${style.dim(`${head} against ${base}`)}\n`,
    ...(comparisons.length > 0 ? [renderRows(comparisons, style)] : []),
    ...(control ? [`control: the base against itself ${formatRatioInterval(control)}, ${control.pairs} pairs${control.moved ? ': it moved' : ''}\n`] : []),
    ...(unmatched.length > 0 ? [unmatched.map(cell => `not compared: ${describeCell(cell)}, ${cell.runtime}: ${cell.reason}\n`).join('')] : []),
    ...(warnings.length > 0 ? [warnings.map(warning => style.yellow(`warning: ${warning}\n`)).join('')] : []),
    style.dim(legend(rules))
  ].join('\n')
}

/**
 * Most of what is shown beside is left out where nothing changed.
 *
 * @param {Comparison[]} comparisons
 * @param {Style} style
 */
function renderRows (comparisons, style) {
  const shown = comparisons.filter(row => row.gates || !isQuiet(row) || ALWAYS_SHOWN.includes(row.metric))
  const places = [...new Set(shown.map(placeOf))]
  return places.map(place => renderPlace(place, shown.filter(row => placeOf(row) === place), style)).join('\n')
}

/**
 * @param {string} place
 * @param {Comparison[]} rows
 * @param {Style} style
 */
function renderPlace (place, rows, style) {
  const text = table([
    ['', '', 'head/base', 'p', 'pairs', 'could see'],
    ...rows.map(row => [`${row.gates ? SIGNS[row.verdict] : '·'} ${row.queue}`, metricTitle(row.metric), formatRatioInterval(row), formatP(row.p),
      row.exact ? 'exact' : String(row.pairs), formatDetectable(row)])
  ], {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: 2, alignment: 'right' },
    columns: { 0: { alignment: 'left' }, 1: { alignment: 'left' } },
    drawHorizontalLine: () => false
  })
  const [header, ...lines] = text.replaceAll(/ +$/gm, '').trimEnd().split('\n')
  const body = rows.flatMap((row, i) => {
    const words = `  ${row.gates ? '' : 'beside: '}${describeRow(row)}`
    return isQuiet(row) ? [lines[i]] : [lines[i], row.gates ? colourOf(row.verdict, style)(words) : words]
  })
  return [style.bold(place), style.dim(header), ...body].join('\n') + '\n'
}

/** @param {ComparisonRecord['rules']} rules */
function legend ({ floor, margin, alpha }) {
  return [
    `regression: surely more than ${formatPercent(floor)} slower; pass: surely less than ${formatPercent(margin)} slower.`,
    `p: adjusted for rows and looks, alpha ${alpha}; could see: found four times in five.`
  ].map(line => `${line}\n`).join('')
}

/**
 * @param {Comparison['verdict']} verdict
 * @param {Style} style
 */
function colourOf (verdict, style) {
  return { pass: style.green, regression: style.red, inconclusive: style.yellow, invalid: style.red }[verdict]
}
