/** A comparison in words: each row, and the whole. */
import { cellId } from '../../harness/model/cell.js'
import { compact } from '../../harness/model/compact.js'
import { metrics } from '../../harness/model/metrics.js'
import {
  describeCell,
  formatCount,
  formatNumber,
  formatPercent,
  formatRatioInterval
} from '../../harness/model/numbers.js'

/** @import { ComparisonRecord } from '../../harness/judge/compare.js' */
/** @import { Expectation } from '../../harness/judge/expectation.js' */
/** @import { Comparison } from '../../harness/judge/verdict.js' */

/**
 * @param {Comparison} row
 * @returns {string}
 */
export function describeRow (row) {
  if (row.verdict === 'invalid') return `not measured: ${row.reason}`
  const losses = row.lost ? `; samples lost: base ${row.lost.base}, head ${row.lost.head}` : ''
  if (row.verdict === 'inconclusive') {
    const found = hasInterval(row) ? `, ${describeRange(row)}` : ` after ${formatCount(row.pairs, 'pair')}`
    return `unclear${found}; ${describeDoubt(row)}${losses}`
  }
  return (row.expect ? describeExpected(row, row.expect) : describeChange(row)) + losses
}

/**
 * faster by 4.8 % (4.1 to 5.5 %); not 2 % faster: 0.3 % better to 0.4 % worse.
 *
 * @param {Comparison} row  Passed or missed.
 * @param {Expectation} expect
 */
function describeExpected (row, { change, floor }) {
  const isMet = row.verdict === 'pass'
  const range = describeRange(row)
  if (change === 'level') return `${isMet ? 'level' : 'not level'}: ${range}`
  if (!isMet) return `not ${floor === undefined ? '' : `${formatPercent(floor)} `}faster: ${range}`
  return describeGain(row)
}

/** @param {Comparison} row  With a ratio below 1. */
function describeGain ({ ratio, low, high }) {
  const [gain, least, most] = [ratio, high, low].map(value => formatPercent(1 - Number(value)))
  return `faster by ${gain} (${least.replace(' %', '')} to ${most})`
}

/**
 * Few pairs have no interval as certain as a verdict: their range would look like a finding.
 *
 * @param {Comparison} row
 */
export const hasInterval = ({ change }) => change !== 'unclear'

/** @param {Comparison} row */
const isGarbage = ({ metric, base, head }) => metric === 'allocatedBytesPerOp' && base !== head

/** Lines about functions, at most. */
const MOST_LINES = 5

/**
 * Places to look at: the functions whose blocks changed most, of rows whose time changed, and bytes that are allocated.
 *
 * @param {Comparison[]} comparisons
 * @returns {string[]}
 */
export function describeFunctions (comparisons) {
  const hasSeveral = comparisons.filter(({ functions }) => functions).length > 1
  return comparisons
    .flatMap(counted => {
      const { functions, base: before, head: after } = counted
      if (isGarbage(counted)) {
        const [from, to] = [before, after].map(Number).map(formatNumber)
        return [`${describeCell(counted)}: ${from} to ${to} bytes allocated per operation`]
      }
      const time = comparisons.find(row => row.gates && !row.exact && cellId(row) === cellId(counted))
      if (!functions || !time || !['slower', 'faster'].includes(time.change)) return []
      if (functions.length === 0) {
        if (comparisons.some(row => isGarbage(row) && cellId(row) === cellId(counted))) return []
        return [`Only the time of ${describeCell(time)} changed: no function executes more or fewer blocks`]
      }
      return functions.map(
        ({ name, file, line, base, head }) =>
          `${name}${file ? ` (${compact(file, line).join(':')})` : ''}: ` +
          `${formatNumber(base)} to ${formatNumber(head)} blocks per operation` +
          (hasSeveral ? ` of ${describeCell(time)}` : '')
      )
    })
    .slice(0, MOST_LINES)
}

/** A ratio this large is easier to read than a percentage. */
const MANY_TIMES = 3

/**
 * 4.2 % slower; 8.31 times the work per operation.
 *
 * @param {Pick<Comparison, 'metric' | 'ratio' | 'change'> & {exact?: boolean, verdict?: string}} row
 */
export function describeChange ({ metric, ratio, change, exact, verdict }) {
  if (change === 'unclear') return 'unclear'
  if (change === 'same') return exact ? 'the same' : 'no difference'
  const { title, worse, improved } = metrics[metric]
  const word = change === 'slower' ? worse : improved
  // The base had no errors, or the median sample was lost.
  if (ratio === null) return word
  const text =
    ratio >= MANY_TIMES ? `${formatNumber(ratio)} times the ${title}` : `${formatPercent(Math.abs(ratio - 1))} ${word}`
  return verdict === 'pass' && change === 'slower' ? `${text}, within the margin` : text
}

/**
 * One sentence: first the tasks that were not measured, then the rows, then the code that both sides shared.
 *
 * @param {ComparisonRecord} record
 */
export function describeWhole (record) {
  return [...(record.unmeasured ?? []), describeRowsOf(record), ...(record.shared ?? [])].join('; ')
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

/** @param {ComparisonRecord} record */
function describeRowsOf ({ verdict, comparisons, control, unmatched }) {
  const gating = comparisons.filter(({ gates }) => gates)
  if (control?.moved) {
    const difference = formatPercent(Math.abs(control.ratio - 1))
    const disturbed = `the base differs from itself by ${difference}: the machine was disturbed`
    const grown = gating.filter(row => isCount(row) && row.verdict === 'regression')
    if (grown.length === 0) return `${disturbed}, nothing can be concluded`
    return `${describeRows(grown)}; counts are exact, but times allow no conclusion: ${disturbed}`
  }
  if (gating.length === 0) return unmatched[0]?.reason ?? 'nothing to compare'
  const rows = formatCount(gating.length, 'row')
  const decisive = exactFirst(gating.filter(row => row.verdict === verdict && !isUnclearGuard(row)))
  const share = `${decisive.length} of ${rows}`
  switch (verdict) {
    case 'regression':
    case 'missed':
      return `${share}: ${describeRows(decisive)}`
    case 'invalid':
      return `${share} could not be measured: ${describeCell(decisive[0])}: ${decisive[0].reason}`
    case 'inconclusive':
      // No row is unclear where a change could not be measured.
      if (decisive.length > 0) return `${counted(comparisons)}${share} unclear; ${describeDoubt(hardest(decisive))}`
  }
  const expected = gating.filter(({ expect }) => expect)
  const others = gating.filter(({ expect }) => !expect)
  const faster = others.filter(({ change }) => change === 'faster').length
  const rest = `no regression in ${formatCount(others.length, 'row')}${faster > 0 ? `, ${faster} better` : ''}`
  return compact(describeRows(expected), others.length > 0 && rest).join('; ')
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

/** @param {Comparison[]} rows */
const describeRows = rows => rows.map(row => `${describeCell(row)}: ${describeRow(row)}`).join('; ')

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
 * The counted changes: an unclear time must not hide them.
 *
 * @param {Comparison[]} comparisons
 */
function counted (comparisons) {
  const worse = comparisons.filter(({ exact, change }) => exact && change === 'slower')
  const [first] = worse
  if (!first) return ''
  const more = worse.length > 1 ? ` (and ${worse.length - 1} more)` : ''
  return `${describeCell(first)}: ${describeChange({ ...first, verdict: undefined })}, counted${more}; times: `
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

/** @param {Comparison} row */
function describeRange ({ low, high, better }) {
  if (low === null || high === null) return 'the difference has no known bound yet'
  const isLower = better === 'lower'
  const describeEnd = (/** @type {number} */ end) =>
    `${formatPercent(Math.abs(end - 1))} ${(end < 1) === isLower ? 'better' : 'worse'}`
  const [best, worst] = isLower ? [low, high] : [high, low]
  const rest = isLower && high >= MANY_TIMES ? `${formatNumber(high)} times as high` : describeEnd(worst)
  return `${describeEnd(best)} to ${rest}`
}

/**
 * A guard fails the whole by a regression only: an unclear guard lets it pass.
 *
 * @param {Comparison} row
 */
const isUnclearGuard = ({ guard, verdict }) => guard === true && verdict === 'inconclusive'

/**
 * The reason why a row is unclear, and the pairs that would settle it.
 *
 * @param {Comparison} row
 */
function describeDoubt ({ reason, morePairs }) {
  if (morePairs === null) return reason ?? 'more pairs needed'
  return compact(reason, `about ${morePairs} more ${morePairs === 1 ? 'pair' : 'pairs'} needed`).join('; ')
}

/**
 * The row that needs most pairs.
 *
 * @param {Comparison[]} rows
 */
const hardest = rows => rows.reduce((worst, row) => ((row.morePairs ?? 0) > (worst.morePairs ?? 0) ? row : worst))
