/**
 * A comparison as GitHub workflow commands, which GitHub shows in the files of a pull request: only rows that need
 * attention. See "Workflow commands for GitHub Actions" in GitHub's documentation.
 */
import { printableLines } from '../../../harness/model/text.js'
import { describeCell } from '../../../harness/model/numbers.js'
import { describeRow, describeUntouched, describeWhole, isCount } from '../../answers/comparison.js'

/** @import { ComparisonRecord } from '../../../harness/judge/records.js' */

const LEVELS = { regression: 'error', missed: 'error', invalid: 'error', inconclusive: 'warning', pass: 'notice' }

/**
 * @param {ComparisonRecord} record
 * @param {Map<string, string>} fileOf  Files by queue and scenario; not each has one.
 */
export function render (record, fileOf) {
  const rows = record.comparisons.filter(({ gates, verdict }) => gates && verdict !== 'pass')
  // Counts are certain, even on a disturbed machine.
  const isDisturbed = record.control?.moved === true
  const levelOf = (/** @type {typeof rows[0]} */ row) =>
    isDisturbed && !isCount(row) ? 'warning' : LEVELS[row.verdict]
  return [
    command(
      isDisturbed && record.verdict !== 'regression' ? 'warning' : LEVELS[record.verdict],
      { title: `timerq: ${record.verdict}` },
      [describeWhole(record), ...describeUntouched(record)].join('\n')
    ),
    ...rows.map(row =>
      command(
        levelOf(row),
        { title: `timerq: ${row.verdict}`, file: fileOf.get(row.queue) ?? fileOf.get(row.scenario) },
        `${describeCell(row)}: ${describeRow(row)}`
      )
    )
  ].join('')
}

/**
 * @param {string} level
 * @param {{title: string, file?: string}} properties
 * @param {string} message
 */
function command (level, properties, message) {
  const list = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escape(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${level} ${list.join(',')}::${escape(message)}\n`
}

/** @param {string} text */
function escape (text) {
  return printableLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A')
}
