/** What was reproduced of the source documents, as text. */
import { markdownTable } from 'markdown-table'
import { table } from 'table'
import { escape, renderInlineCode } from '../render/markdown.js'

/** @typedef {import('../../harness/reproduce.js').Row} Row */

/** @param {Row} row */
const verdict = ({ holds, measured }) =>
  holds === null ? (measured.startsWith('could not') ? 'not measured' : 'not told apart') : holds ? 'held' : 'not held'

/**
 * @param {Row[]} rows
 * @param {import('../render/terminal.js').Style} style
 */
export function renderReproduced (rows, style) {
  const colours = { held: style.green, 'not held': style.red, 'not told apart': style.yellow, 'not measured': style.yellow }
  const text = table(rows.map(row => [
    row.id,
    `${row.claim}\n  documented: ${row.documented}\n  measured:   ${row.measured}`,
    colours[verdict(row)](verdict(row))
  ]), { columns: { 1: { width: 56, wrapWord: true } } })
  return text + renderCount(rows)
}

/** @param {Row[]} rows */
export function renderReproducedMarkdown (rows) {
  const lines = rows.map(row => [
    ...[row.id, row.claim, row.documented, row.measured, verdict(row)].map(escape),
    // A bar ends a table's cell even in code.
    renderInlineCode(row.command).replaceAll('|', '\\|')
  ])
  return markdownTable([['id', 'claim', 'documented', 'measured', '', 'repeat with'], ...lines]) + `\n\n${renderCount(rows)}`
}

/** @param {Row[]} rows */
function renderCount (rows) {
  const held = rows.filter(({ holds }) => holds === true).length
  return `${held} of ${rows.length} findings held; one of them again: timerq reproduce --only ${rows[0]?.id ?? 'A1'}\n`
}
