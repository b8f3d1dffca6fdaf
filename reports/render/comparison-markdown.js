/** A comparison for a pull request: the verdict first, rows that changed open, the others folded. */
import { markdownTable } from 'markdown-table'
import { describeCell, describeRow, describeWhole, formatDetectable, formatP, formatPercent, formatRatioInterval, isQuiet, metricTitle } from '../documents/comparison-words.js'
import { code } from '../blocks.js'
import { capitalise, placeOf } from '../../harness/model/numbers.js'
import { escape, renderCode, renderInlineCode } from './markdown.js'
import { repeatCommand } from '../shell.js'

/**
 * @typedef {import('../../harness/compare.js').ComparisonRecord} ComparisonRecord
 * @typedef {import('../../harness/verdict.js').Comparison} Comparison
 */

const SIGN = { pass: '✅', regression: '❌', inconclusive: '❔', invalid: '⚠️' }

/** @param {ComparisonRecord} record */
export function renderComparisonMarkdown (record) {
  const { verdict, base, head, comparisons, unmatched, control, warnings, rules, command } = record
  const open = comparisons.filter(row => !isQuiet(row))
  const folded = comparisons.filter(isQuiet)
  return [
    `## ${SIGN[verdict]} timerq: ${verdict}`,
    `${capitalise(escape(describeWhole(record)))}.`,
    `${renderInlineCode(head)} against ${renderInlineCode(base)}`,
    ...(open.length > 0 ? [rowTable(open)] : []),
    ...(folded.length > 0 ? [fold(`${folded.length} ${open.length > 0 ? 'other rows' : 'rows, nothing changed'}`, rowTable(folded))] : []),
    ...notes(control, unmatched, warnings),
    fold('How to reproduce, and what the words mean', [
      renderCode(code(repeatCommand(command), 'sh')),
      `Regression: more than ${formatPercent(rules.floor)} slower, adjusted for all rows and looks at alpha ${rules.alpha}. Pass: a slowdown of ${formatPercent(rules.margin)} is excluded. Could see: the smallest slowdown that this run would have called a regression four times in five.`
    ].join('\n\n'))
  ].join('\n\n') + '\n'
}

/** @param {Comparison[]} rows */
function rowTable (rows) {
  return markdownTable([
    ['queue', 'scenario', 'what', 'head/base', 'p', 'pairs', 'could see', 'verdict'],
    ...rows.map(row => [
      row.queue,
      placeOf(row),
      metricTitle(row.metric),
      formatRatioInterval(row),
      formatP(row.p),
      row.exact ? 'exact' : String(row.pairs),
      formatDetectable(row),
      row.gates ? `${SIGN[row.verdict]} ${describeRow(row)}` : describeRow(row)
    ].map(escape))
  ], { align: ['l', 'l', 'l', 'r', 'r', 'r', 'r', 'l'] })
}

/**
 * @param {ComparisonRecord['control']} control
 * @param {ComparisonRecord['unmatched']} unmatched
 * @param {string[]} warnings
 */
function notes (control, unmatched, warnings) {
  const lines = [
    ...(control ? [`Control, the base against itself: ${formatRatioInterval(control)}, ${control.pairs} pairs${control.moved ? ': it moved' : ''}`] : []),
    ...unmatched.map(cell => `Not compared: ${describeCell(cell)}, ${cell.runtime}: ${cell.reason}`),
    ...warnings.map(capitalise)
  ]
  return lines.length > 0 ? [lines.map(line => `- ${escape(line)}`).join('\n')] : []
}

/**
 * @param {string} title
 * @param {string} content
 */
function fold (title, content) {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`
}
