/** A comparison as JUnit XML, which every CI server reads: one test case for each row that gates. */
import { measuredMetrics, metrics } from '../../../harness/model/metrics.js'
import { formatRatioInterval, placeOf } from '../../../harness/model/numbers.js'
import { describeBase, describeRow, describeWhole } from '../../answers/comparison.js'
import { attributesOf } from '../../markup.js'

/**
 * @import { ComparisonRecord } from '../../../harness/judge/records.js'
 * @import { CellPlace } from '../../../harness/model/cell.js'
 *
 * @typedef {object} TestCase
 * @property {string} [classname]
 * @property {string} name
 * @property {string | null} outcome  Element of JUnit; null: it passed.
 * @property {string} message
 */

/** Verdicts in JUnit's words. An undecided row counts as skipped. */
const OUTCOMES = { pass: null, regression: 'failure', missed: 'failure', inconclusive: 'skipped', invalid: 'error' }

/** @param {ComparisonRecord} record */
export function render (record) {
  const rows = record.comparisons.filter(({ gates }) => gates)
  // No rows, or a control that moved: the suite itself must not look green.
  const isBroken = record.verdict === 'invalid' && rows.every(({ verdict }) => verdict !== 'invalid')
  const nameOf = (/** @type {CellPlace} */ row, metric = rows[0]?.metric ?? measuredMetrics[0]) => ({
    classname: `timerq.${row.queue}`,
    name: `${placeOf(row)}, ${metrics[metric].short}`
  })
  const skip = (/** @type {CellPlace[]} */ cells, /** @type {string} */ message) =>
    cells.map(row => ({ ...nameOf(row), outcome: 'skipped', message }))
  /** @type {TestCase[]} */
  const cases = [
    ...(isBroken ? [{ name: 'the measurement', outcome: 'error', message: describeWhole(record) }] : []),
    ...(record.unmeasured ?? []).map(message => ({ name: 'what was measured', outcome: 'skipped', message })),
    ...rows.map(row => ({
      ...nameOf(row, row.metric),
      outcome: OUTCOMES[row.verdict],
      message: `${describeRow(row)}; head/base ${formatRatioInterval(row)}`
    })),
    ...skip(record.notFitting ?? [], 'the budget was spent before: give it a longer --budget'),
    ...skip(record.untouched ?? [], 'untouched: nothing that it runs has changed (--measure all)')
  ]
  const count = (/** @type {string} */ outcome) => cases.filter(each => each.outcome === outcome).length
  const suite = attributesOf({
    name: 'timerq',
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped')
  })
  const base = attributesOf({ name: 'base', value: describeBase(record) })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite${suite}>`,
    ...(record.behind ? [`  <properties><property${base}/></properties>`] : []),
    ...cases.map(renderCase),
    '</testsuite></testsuites>\n'
  ].join('\n')
}

/** @param {TestCase} testCase */
function renderCase ({ classname = 'timerq', name, outcome, message }) {
  const start = `  <testcase${attributesOf({ classname, name })}`
  return outcome === null ? `${start}/>` : `${start}><${outcome}${attributesOf({ message })}/></testcase>`
}
