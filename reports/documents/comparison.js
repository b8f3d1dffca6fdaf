/** A comparison as a document: the verdict first, rows that changed open, the others folded. */
import { metrics } from '../../harness/model/metrics.js'
import { compact } from '../../harness/model/compact.js'
import {
  capitalise,
  describeCell,
  formatP,
  formatPercent,
  formatRatioInterval,
  placeOf
} from '../../harness/model/numbers.js'
import {
  commandLine,
  createDocument,
  figure,
  fold,
  list,
  longNames,
  number,
  paragraph,
  picture,
  section,
  table,
  warnings as warn,
  words
} from '../blocks.js'
import { styleOf } from '../charts/style.js'
import {
  describeBase,
  describeEarlier,
  describeFunctions,
  describeRow,
  describeUntouched,
  describeWhole,
  exactFirst,
  hasInterval,
  isQuiet
} from '../answers/comparison.js'

/** @import { Comparison, ComparisonRecord } from '../../harness/judge/records.js' */
/** @import { Subject } from '../../harness/model/kinds.js' */
/** @import { Absent, Block, Document, Section, Table } from '../blocks.js' */
/** @import { DotsFigure } from '../charts/dots.js' */

const TONES = /** @type {const} */ ({
  regression: 'bad',
  missed: 'bad',
  invalid: 'invalid',
  inconclusive: 'open',
  pass: 'good'
})
/** A chart with more rows cannot be read at a glance. */
const MOST_ROWS = 40
/** Metrics that readers look for in addition to CPU per request, changed or not. */
const ALWAYS_SHOWN = ['requestsPerSecond', 'latencyP99Ms']

/**
 * @param {ComparisonRecord} record
 * @param {(Block | Absent)[]} [pictures]
 * @returns {Document}
 */
export function comparisonDocument (record, pictures = []) {
  const meaning = fold('How to reproduce, and the meaning of the words', [
    ...receiptOf(record),
    list(explainVerdicts(record))
  ])
  return createDocument([...heading(record), ...pictures, ...rowsAndNotes(record), meaning], [], '', namesIn(record))
}

/** @param {ComparisonRecord} record */
export const namesIn = ({ comparisons, unmatched }) => longNames([...comparisons, ...unmatched])

/**
 * Explains the words that appear, and no others.
 *
 * @param {ComparisonRecord} record
 */
function explainVerdicts ({ rules: { floor, margin, alpha }, comparisons }) {
  const gating = comparisons.filter(({ gates }) => gates)
  const has = (/** @type {Comparison['verdict']} */ verdict) =>
    gating.some(row => row.verdict === verdict && !row.exact && !row.expect)
  return [
    compact(
      has('regression') && `Regression: more than ${formatPercent(floor)} slower with confidence.`,
      has('pass') && `Pass: less than ${formatPercent(margin)} slower with confidence.`
    ).join(' '),
    comparisons.some(({ p }) => p !== null) && `p: adjusted for all rows and looks; alpha is ${alpha}.`
  ]
}

/**
 * Facts by which a reader can repeat a gate, and its command. A terminal leaves them out.
 *
 * @param {ComparisonRecord} record
 * @returns {Block[]}
 */
export function receiptOf ({ command, receipt, base, head, seconds }) {
  const line = { ...commandLine(command), wide: true }
  if (!receipt) return [line]
  const { seed, baseCommit, headCommit, trees, environment } = receipt
  const { cpu, cores, kernel, node, v8, timerq } = environment
  const after = trees && (headCommit ? `commit ${headCommit}` : `not committed, tree ${trees.head}`)
  return [
    {
      kind: 'facts',
      facts: [
        ['base', compact(base, baseCommit && `commit ${baseCommit}`).join(', ')],
        ['head', compact(head, after).join(', ')],
        ['seed', String(seed)],
        ['seconds', String(seconds)],
        ['machine', `${cores} x ${cpu}, ${kernel}, Node ${node}, V8 ${v8}, timerq ${timerq}`]
      ]
    },
    line
  ]
}

/**
 * @param {ComparisonRecord} record
 * @returns {Section}
 */
export function comparisonSection (record) {
  return section('Comparison with the baseline', [
    paragraph(`Against ${record.base}: ${record.verdict}. ${describeWhole(record)}.`),
    ...ratiosIn(record),
    ...rowsAndNotes(record)
  ])
}

/**
 * A picture of the ratios that decide.
 *
 * @param {ComparisonRecord} record
 */
export function ratiosIn ({ comparisons }) {
  const timed = comparisons.filter(({ gates, exact, ratio }) => gates && !exact && ratio !== null)
  return timed.length > 0 && timed.length <= MOST_ROWS ? [picture(ratioFigure(timed))] : []
}

/**
 * @param {ComparisonRecord} record
 * @returns {(Block | Absent)[]}
 */
export function heading (record) {
  return [
    { kind: 'verdict', name: record.verdict, tone: TONES[record.verdict], text: describeWhole(record) },
    list(describeUntouched(record)),
    record.earlier && paragraph(`${capitalise(describeEarlier(record))}.`),
    paragraph(`${record.head} against ${describeBase(record)}`)
  ]
}

/**
 * @param {ComparisonRecord} record
 * @returns {(Block | Absent)[]}
 */
export const rowsAndNotes = ({ subject = 'queue', comparisons, control, earlier, unmatched, warnings }) => [
  comparisons.length > 0 && rowTable(comparisons, subject),
  list(describeFunctions(comparisons)),
  list([
    control &&
      `Control, the base against itself: ${formatRatioInterval(control)}, ${control.pairs} pairs` +
        (control.moved ? ': it moved' : ''),
    ...(earlier?.differences ?? []).map(
      ({ fact, before, now }) => `Not as in the first gate: ${fact} ${now}, was ${before}`
    ),
    ...unmatched.map(cell => `Not compared: ${describeCell(cell)}, ${cell.runtime}: ${cell.reason}`)
  ]),
  warn(warnings)
]

/**
 * @param {Comparison[]} rows
 * @param {Subject} subject
 * @returns {Table}
 */
const rowTable = (rows, subject) =>
  table({
    caption: 'Row by row: above 1 is worse for times, work, memory and CPU',
    short: '',
    columns: [
      subject,
      words('scenario', { narrow: 'group' }),
      'what',
      number('head/base'),
      number('p'),
      number('pairs'),
      words('verdict', { narrow: 'note' })
    ],
    rows: exactFirst(rows).map(row => {
      const { queue, metric, gates, ratio, p, exact, pairs, verdict } = row
      return {
        isQuiet: isQuiet(row),
        wide: !gates && isQuiet(row) && !ALWAYS_SHOWN.includes(metric),
        cells: [
          queue,
          placeOf(row),
          metrics[metric].short,
          figure(formatRatioInterval(hasInterval(row) ? row : { ratio, low: ratio, high: ratio }), ratio),
          figure(formatP(p), p),
          figure(exact ? 'exact' : String(pairs), pairs),
          { text: describeRow(row), tone: gates ? TONES[verdict] : undefined }
        ]
      }
    })
  })

/**
 * @param {Comparison[]} rows
 * @returns {DotsFigure}
 */
function ratioFigure (rows) {
  const sorted = [...rows].sort((a, b) => Number(b.ratio) - Number(a.ratio))
  return {
    kind: 'dots',
    id: 'comparison',
    title: 'Time and CPU, head to base',
    subtitle: 'whiskers are intervals of the ratio; left of the line is faster than before',
    unit: 'times the base',
    log: true,
    rows: sorted.map(({ queue, scenario, params, ratio, low, high, change }) => ({
      name: [queue, scenario, ...Object.values(params).slice(0, 1)].join(' '),
      queue,
      control: false,
      style: styleOf(change === 'slower' ? 1 : change === 'faster' ? 2 : 5),
      median: Number(ratio),
      low,
      high
    })),
    reference: 1
  }
}
