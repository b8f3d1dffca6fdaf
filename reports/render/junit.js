/** A comparison as JUnit XML, which every CI server reads: one test case for each row that gates. */
import { metrics } from '../../harness/model/metrics.js'
import { formatRatioInterval, placeOf } from '../../harness/model/numbers.js'
import { escapeText } from '../charts/svg.js'
import { describeRow, describeWhole } from '../answers/comparison.js'

/** @import { ComparisonRecord } from '../../harness/judge/compare.js' */

/** Verdicts in JUnit's words. An undecided row counts as skipped. */
const ELEMENTS = { pass: null, regression: 'failure', missed: 'failure', inconclusive: 'skipped', invalid: 'error' }

/** @param {ComparisonRecord} record */
export function renderJunit (record) {
  const rows = record.comparisons.filter(({ gates }) => gates)
  const count = (/** @type {string} */ verdict) => rows.filter(row => row.verdict === verdict).length
  // No rows, or a control that moved: the suite itself must not look green.
  const suiteError = record.verdict === 'invalid' && count('invalid') === 0
  const unmeasured = record.unmeasured ?? []
  const attributes = attributesOf({
    name: 'timerq',
    tests: rows.length + unmeasured.length + (suiteError ? 1 : 0),
    failures: count('regression') + count('missed'),
    errors: count('invalid') + (suiteError ? 1 : 0),
    skipped: count('inconclusive') + unmeasured.length
  })
  return (
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites><testsuite ${attributes}>`,
      ...(suiteError
        ? [
            `  <testcase ${attributesOf({ classname: 'timerq', name: 'the measurement' })}>` +
              `<error ${attributesOf({ message: describeWhole(record) })}/></testcase>`
          ]
        : []),
      ...unmeasured.map(
        reason =>
          `  <testcase ${attributesOf({ classname: 'timerq', name: 'what was measured' })}><skipped ` +
          `${attributesOf({ message: reason })}/></testcase>`
      ),
      ...rows.map(renderRow),
      '</testsuite></testsuites>'
    ].join('\n') + '\n'
  )
}

/** @param {ComparisonRecord['comparisons'][0]} row */
function renderRow (row) {
  const attributes = attributesOf({
    classname: `timerq.${row.queue}`,
    name: `${placeOf(row)}, ${metrics[row.metric].short}`
  })
  const element = ELEMENTS[row.verdict]
  if (element === null) return `  <testcase ${attributes}/>`
  const message = `${describeRow(row)}; head/base ${formatRatioInterval(row)}`
  return `  <testcase ${attributes}><${element} ${attributesOf({ message })}/></testcase>`
}

/** @param {Record<string, string | number>} values */
function attributesOf (values) {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join(' ')
}

/**
 * XML 1.0 allows no control character but the end of a line.
 *
 * @param {string} text
 */
const escape = text => text.split('\n').map(escapeText).join('&#10;')
