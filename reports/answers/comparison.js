/** A comparison in words: each row, and the whole. */
import { cellId } from '../../harness/model/cell.js'
import { compact } from '../../harness/model/compact.js'
import { metrics } from '../../harness/model/metrics.js'
import {
  describeCell,
  formatCount,
  formatNumber,
  formatParam,
  formatPercent,
  formatRatioInterval,
  formatSome
} from '../../harness/model/numbers.js'
import { describeSpan } from './answer.js'

/** @import { Comparison, ComparisonRecord, Verdict } from '../../harness/judge/records.js' */

/** A ratio this large is easier to read than a percentage. */
const MANY_TIMES = 3
/** Lines about functions, at most. */
const MOST_LINES = 5

/** @type {Record<Verdict, (row: Comparison) => string>} */
const ROWS = {
  invalid: ({ reason }) => `not measured: ${reason}`,
  inconclusive: row =>
    `unclear${hasInterval(row) ? `, ${describeRange(row)}` : ` after ${formatCount(row.pairs, 'pair')}`}; ` +
    describeDoubt(row),
  missed: row => {
    const { change, floor } = row.expect ?? {}
    const missed = change === 'level' ? 'level:' : compact(floor && formatPercent(floor), 'faster:').join(' ')
    return `not ${missed} ${describeRange(row)}`
  },
  regression: row => describeChange(row),
  pass: row =>
    row.expect?.change === 'level'
      ? `level: ${describeRange(row)}`
      : row.expect
        ? describeGain(row)
        : describeChange(row) + (row.change === 'slower' ? describeExcuse(row) : '')
}

/**
 * Why a worse row passes. A count may grow by several margins.
 *
 * @param {Comparison} row
 */
function describeExcuse ({ isOutweighed, exact, metric }) {
  if (!isOutweighed) return exact ? '' : ', within the margin'
  return metric === 'allocatedBytesPerOp' ? ': more garbage, and faster' : ': more blocks executed, and not slower'
}

/**
 * @param {Comparison} row
 * @returns {string}
 */
export function describeRow (row) {
  const { lost, verdict } = row
  const losses = lost && verdict !== 'invalid' ? `; samples lost: base ${lost.base}, head ${lost.head}` : ''
  return ROWS[verdict](row) + losses
}

/** @param {Comparison} row  With a ratio below 1. */
function describeGain ({ ratio, low, high }) {
  const [gain, least, most] = [ratio, high, low].map(value => formatPercent(1 - Number(value)))
  return `faster by ${gain} (${least.replace(' %', '')} to ${most})`
}

/**
 * 4.2 % slower; 8.31 times the work per operation.
 *
 * @param {Pick<Comparison, 'metric' | 'ratio' | 'change'> & {exact?: boolean}} row
 */
export function describeChange ({ metric, ratio, change, exact }) {
  if (change === 'unclear') return 'unclear'
  if (change === 'same') return exact ? 'the same' : 'no difference shown'
  const { title, worse, improved } = metrics[metric]
  const word = change === 'slower' ? worse : improved
  // The base had no errors, or the median sample was lost.
  if (ratio === null) return word
  return ratio >= MANY_TIMES
    ? `${formatNumber(ratio)} times the ${title}`
    : `${formatPercent(Math.abs(ratio - 1))} ${word}`
}

/** @param {Comparison} row */
function describeRange ({ low, high, better }) {
  if (low === null || high === null) return 'the difference has no known bound yet'
  const [best, worst] = better === 'lower' ? [low - 1, high - 1] : [1 - high, 1 - low]
  return describeSpan(best, worst, ['better', 'worse'])
}

/**
 * The reason why a row is unclear, and the pairs that would settle it.
 *
 * @param {Comparison} row
 */
const describeDoubt = ({ reason, morePairs }) =>
  morePairs === null
    ? (reason ?? 'more pairs needed')
    : compact(reason, `about ${morePairs} more ${morePairs === 1 ? 'pair' : 'pairs'} needed`).join('; ')

/**
 * With few pairs no interval is as certain as a verdict, and a range would look like a finding.
 *
 * @param {Comparison} row
 */
export const hasInterval = ({ change }) => change !== 'unclear'

/**
 * Places to look at: the functions whose blocks changed most, of rows whose time changed, and bytes that are allocated.
 *
 * @param {Comparison[]} comparisons
 * @returns {string[]}
 */
export function describeFunctions (comparisons) {
  const counted = comparisons.filter(({ functions }) => functions)
  const timed = comparisons.filter(({ gates, exact, change }) => gates && !exact && /slower|faster/.test(change))
  const garbage = comparisons.filter(({ metric, base, head }) => metric === 'allocatedBytesPerOp' && base !== head)
  const hasCellOf = (/** @type {Comparison[]} */ rows, /** @type {Comparison} */ row) =>
    rows.some(other => cellId(other) === cellId(row))
  return [
    ...counted.flatMap(row => {
      const { functions = [] } = row
      if (!hasCellOf(timed, row) || (functions.length === 0 && hasCellOf(garbage, row))) return []
      if (functions.length === 0) {
        return [`Only the time of ${describeCell(row)} changed: no function executes more or fewer blocks`]
      }
      const place = counted.length > 1 ? ` of ${describeCell(row)}` : ''
      return functions.map(
        ({ name, file, line, base, head }) =>
          `${name}${file ? ` (${compact(file, line).join(':')})` : ''}: ` +
          `${formatNumber(base)} to ${formatNumber(head)} blocks per operation${place}`
      )
    }),
    ...garbage.map(row => {
      const [from, to] = [row.base, row.head].map(Number).map(formatNumber)
      return `${describeCell(row)}: ${from} to ${to} bytes allocated per operation`
    })
  ].slice(0, MOST_LINES)
}

/**
 * One sentence: first the changes that were not measured, then the rows, then the code that both sides shared.
 *
 * @param {ComparisonRecord} record
 */
export function describeWhole (record) {
  const { unmeasured = [], shared = [] } = record
  const against = record.behind && `against ${describeBase(record)}`
  return compact(...unmeasured, describeRowsOf(record), against, ...shared).join('; ')
}

/**
 * Parts of the change, and rows, that were not measured.
 *
 * @param {ComparisonRecord} record
 */
export function describeUntouched ({ touched, untouched = [], notFitting = [], unrun = [] }) {
  const subject = touched?.subject ?? 'row'
  return compact(
    untouched.length > 0 && `untouched: ${formatRows(untouched.length, subject)} (--measure all)`,
    notFitting.length > 0 &&
      `left out for lack of time: ${formatRows(notFitting.length, subject)} (--budget): ` +
        formatSome(notFitting.map(describeCell)),
    unrun.length > 0 && `changed, and run by no ${touched?.subject ?? 'task'}: ${formatSome(unrun)}`
  )
}

/** @type {(count: number, noun: string) => string}  Prints 1 task, 1 130 tasks. */
const formatRows = (count, noun) => `${formatParam(count)} ${noun}${count === 1 ? '' : 's'}`

/**
 * main where the head left it, 3 commits ago (4b09713).
 *
 * @param {ComparisonRecord} record
 */
export const describeBase = ({ base, behind }) =>
  behind ? `${base} where the head left it, ${formatCount(behind.commits, 'commit')} ago (${behind.commit})` : base

/**
 * @typedef {object} Facts
 * @property {Comparison[]} decisive
 * @property {Comparison[]} gating
 * @property {ComparisonRecord} record
 * @property {string} share
 */

/** @type {Record<Verdict, (facts: Facts) => string>} */
const WHOLES = {
  regression: ({ decisive, share }) => `${share}: ${describeRows(decisive)}`,
  missed: ({ decisive, share }) => `${share}: ${describeRows(decisive)}`,
  invalid: ({ decisive: [row], share }) =>
    row
      ? `${share} could not be measured: ${describeCell(row)}: ${row.reason}`
      : 'the control could not be measured, nothing can be concluded',
  inconclusive: ({ decisive, share, record: { comparisons } }) =>
    `${describeCounted(comparisons)}${share} unclear; ${describeDoubt(hardest(decisive))}`,
  pass: ({ gating, record }) => {
    const others = gating.filter(row => !row.expect && !isUnclearGuard(row))
    const better = cellsIn(others.filter(row => isBetter(row, record.rules)))
    const rest = describeLevel(cellsIn(others), record) + (better > 0 ? `, ${better} better` : '')
    const expected = describeRows(gating.filter(({ expect }) => expect))
    return compact(expected, others.length > 0 && rest).join('; ') || 'unclear'
  }
}

/**
 * @param {number} cells
 * @param {ComparisonRecord} record
 */
const describeLevel = (cells, { touched, notFitting = [] }) =>
  touched
    ? `${describeTouched(touched)}, none ${notFitting.length > 0 ? 'that was measured ' : ''}is slower`
    : `no regression in ${formatCount(cells, 'cell')}`

/** @param {NonNullable<ComparisonRecord['touched']>} touched */
const describeTouched = ({ rows, of, subject }) =>
  `${formatParam(rows)} of ${formatRows(of, subject)} ${rows === 1 ? 'runs' : 'run'} code that changed`

/**
 * Gains within the floor are level, as losses are.
 *
 * @param {Comparison} row
 * @param {{floor: number}} rules
 */
const isBetter = ({ change, better, low, high }, { floor }) =>
  change === 'faster' && (better === 'lower' ? 1 / Number(high) : Number(low)) > 1 + floor

/** @param {ComparisonRecord} record */
function describeRowsOf (record) {
  const { verdict, comparisons, control, unmatched, touched } = record
  const gating = comparisons.filter(({ gates }) => gates)
  if (control?.moved) {
    const difference = formatPercent(Math.abs(control.ratio - 1))
    const disturbed = `the base differs from itself by ${difference}: the machine was disturbed`
    const grown = gating.filter(row => isCount(row) && row.verdict === 'regression')
    if (grown.length === 0) return `${disturbed}, nothing can be concluded`
    return `${describeRows(grown)}; counts are exact, but times allow no conclusion: ${disturbed}`
  }
  if (gating.length === 0 && touched?.rows === 0) return `no ${touched.subject} runs code that changed`
  if (gating.length === 0) return unmatched[0]?.reason ?? 'nothing to compare'
  const decisive = exactFirst(gating.filter(row => row.verdict === verdict && !isUnclearGuard(row)))
  // No row is unclear where a change could not be measured.
  const said = verdict === 'inconclusive' && decisive.length === 0 ? 'pass' : verdict
  const share = `${cellsIn(decisive)} of ${formatCount(cellsIn(gating), 'cell')}`
  return WHOLES[said]({ decisive, gating, record, share })
}

/**
 * The metrics of one cell count as one, whether a count decides or not.
 *
 * @param {Comparison[]} rows
 */
const cellsIn = rows => new Set(rows.map(cellId)).size

/** @param {Comparison[]} rows */
const describeRows = rows => formatSome(rows.map(row => `${describeCell(row)}: ${describeRow(row)}`))

/**
 * The counted changes: an unclear time must not hide them.
 *
 * @param {Comparison[]} comparisons
 */
function describeCounted (comparisons) {
  const [first, ...others] = comparisons.filter(({ exact, change }) => exact && change === 'slower')
  if (!first) return ''
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return `${describeCell(first)}: ${describeChange(first)}, counted${more}; times: `
}

/**
 * both gates agree: the first estimate, 0.910 (0.890–0.930), was 3 % too good. A gain was picked for that estimate, so
 * the second one is the honest one.
 *
 * @param {ComparisonRecord} record
 * @returns {string} empty where no earlier gate had the same sides
 */
export function describeEarlier (record) {
  if (!record.earlier) return ''
  const { verdict, agrees, rows } = record.earlier
  const row = decisiveRow(record)
  const first = row && rows.find(other => other.metric === row.metric && describeCell(other) === describeCell(row))
  // No row may decide, as where the machine was disturbed.
  const estimate = first ? formatRatioInterval(first) : 'no figure'
  if (record.verdict !== verdict) return `the gates disagree: the first one said ${verdict}, ${estimate}`
  const together = agrees ? 'both gates agree' : 'the same verdict, but another size'
  const isGain = verdict === 'pass' && row?.expect?.change === 'faster' && row.ratio !== null && first
  if (!isGain) return `${together}: the first one measured ${estimate}`
  const change = Number(row.ratio) / Number(first.ratio) - 1
  const off = `${formatPercent(Math.abs(change))} too ${change > 0 ? 'good' : 'modest'}`
  return `${together}: the first estimate, ${estimate}, was ${off}`
}

/**
 * The row that a verdict rests on: of open rows the one that needs most pairs, else one with an expectation, else the
 * slowest.
 *
 * @param {ComparisonRecord} record
 * @returns {Comparison | undefined}
 */
export function decisiveRow ({ verdict, comparisons }) {
  const rows = comparisons.filter(row => row.gates && row.verdict === verdict && !isUnclearGuard(row))
  if (verdict === 'inconclusive' && rows.length > 0) return hardest(rows)
  const slowness = (/** @type {Comparison} */ { ratio, better }) =>
    better === 'lower' ? Number(ratio) : 1 / Number(ratio)
  return rows.find(({ expect }) => expect) ?? rows.sort((a, b) => slowness(b) - slowness(a))[0]
}

/**
 * The row that needs most pairs.
 *
 * @param {Comparison[]} rows
 */
const hardest = rows => rows.reduce((worst, row) => ((row.morePairs ?? 0) > (worst.morePairs ?? 0) ? row : worst))

/**
 * Counts are the same on every machine, disturbed or not. Errors are counted too, but under load.
 *
 * @param {Comparison} row
 */
export const isCount = ({ exact, guard }) => exact && guard !== true

/**
 * Rows with counted changes are certain, so they come first.
 *
 * @param {Comparison[]} rows
 */
export function exactFirst (rows) {
  const isFinding = (/** @type {Comparison} */ { exact, gates, change }) => exact && gates && change !== 'same'
  return [...rows.filter(isFinding), ...rows.filter(row => !isFinding(row))]
}

/**
 * Nothing changed, so the row may be folded.
 *
 * @param {Comparison} row
 */
export function isQuiet (row) {
  const { gates, verdict, change, expect } = row
  if (expect) return false
  if (isUnclearGuard(row)) return true
  return gates ? verdict === 'pass' && change === 'same' : change === 'same' || change === 'unclear'
}

/**
 * A guard fails the whole by a regression only: an unclear guard lets it pass.
 *
 * @param {Comparison} row
 */
const isUnclearGuard = ({ guard, verdict }) => guard === true && verdict === 'inconclusive'
