/** A comment for a pull request: three lines when nothing changed, else the verdict with its rows folded. */
import { exactFirst, isQuiet } from '../../answers/comparison.js'
import { createDocument, fold } from '../../blocks.js'
import { heading, namesIn, receiptOf, rowsAndNotes } from '../../documents/comparison.js'
import { renderMarkdown } from '../markdown.js'

/** @import { ComparisonRecord } from '../../../harness/judge/records.js' */

/** GitHub takes 65 536 characters, and the action adds marks that keep links and mentions apart. */
const MOST_CHARACTERS = 50_000

/**
 * A comment that would be too long shows fewer rows, the most important ones, until it fits.
 *
 * @param {ComparisonRecord} record
 */
export function render (record) {
  const rows = exactFirst(record.comparisons).sort((a, b) => Number(isQuiet(a)) - Number(isQuiet(b)))
  for (let most = rows.length; ; most >>= 1) {
    const text = renderRows(record, rows.slice(0, most))
    if (text.length <= MOST_CHARACTERS || most === 0) return text
  }
}

/**
 * @param {ComparisonRecord} record
 * @param {ComparisonRecord['comparisons']} comparisons
 */
function renderRows (record, comparisons) {
  const { verdict, comparisons: all, unmatched, warnings } = record
  const missing = all.length - comparisons.length
  const shown = {
    ...record,
    comparisons,
    warnings: missing > 0 ? [...warnings, `${missing} further rows are in the job's summary`] : warnings
  }
  const isQuietWhole = verdict === 'pass' && all.every(isQuiet) && unmatched.length + warnings.length === 0
  const details = isQuietWhole ? [] : [fold('Details', rowsAndNotes(shown)), fold('Receipt', receiptOf(record))]
  return renderMarkdown(createDocument([...heading(record), ...details], [], '', namesIn(record)))
}
