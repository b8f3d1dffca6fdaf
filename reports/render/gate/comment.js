/** A comment for a pull request: three lines when nothing changed, else the verdict with its rows folded. */
import { isQuiet } from '../../answers/comparison.js'
import { createDocument, fold } from '../../blocks.js'
import { heading, namesIn, receiptOf, rowsAndNotes } from '../../documents/comparison.js'
import { renderMarkdown } from '../markdown.js'

/** @import { ComparisonRecord } from '../../../harness/judge/records.js' */

/**
 * @param {ComparisonRecord} record
 */
export function render (record) {
  const { verdict, comparisons, unmatched, warnings } = record
  const isQuietWhole = verdict === 'pass' && comparisons.every(isQuiet) && unmatched.length + warnings.length === 0
  const details = isQuietWhole ? [] : [fold('Details', rowsAndNotes(record)), fold('Receipt', receiptOf(record))]
  return renderMarkdown(createDocument([...heading(record), ...details], [], '', namesIn(record)))
}
