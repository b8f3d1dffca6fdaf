/** The verdict of a gate: rows of times judged with their looks, counts, and the control. Pure. */
import path from 'node:path'
import { sum } from 'simple-statistics'
import { judge, overallVerdict, recordOf } from '../judge/decision.js'
import { warnOfGrowth } from '../judge/growing.js'
import { isLost, pairedRatios } from '../judge/pairs.js'
import { comparisonOfCounts, countsAsRegression } from '../judge/row.js'
import { errorRows, invalidRow, measuredRows } from '../judge/rows.js'
import { intervalOf } from '../judge/statistics/interval.js'
import { groupBy } from '../model/group-by.js'
import { FEWEST_PAIRS } from '../model/heats.js'
import { countedMetrics, isGuard, measuredMetrics, metrics } from '../model/metrics.js'
import { describeCell, formatCount, formatNumber } from '../model/numbers.js'
import { kindIn, subjectIn } from '../model/kinds.js'
import { describeWarning, warningKinds } from '../model/warnings.js'
import { rowId, rowsOf, timedIn } from '../plan/rows.js'
import { controlFailureOf } from './heats.js'
import { isMeant, lostAmong, wantedOf } from './wanted.js'

/**
 * @import { ChangedFunction, Comparison, ComparisonRecord, Control } from '../judge/records.js'
 * @import { CountedFunction } from '../subject/count/work-counter.js'
 * @import { CellPlace, Side } from '../model/cell.js'
 * @import { Kind } from '../model/kinds.js'
 * @import { Sample } from '../store/results.js'
 * @import { Heat, Heats } from './heats.js'
 * @import { GatePlan, GateSettings } from './gate-plan.js'
 */

/** The control moves by chance alone in one gate of a hundred; it must also have moved far enough to matter. */
const CONTROL_CONFIDENCE = 0.99
/**
 * Times that outweigh a count that has grown, by metric. Memory and pauses are costs of their own. Garbage outweighs a
 * level time: it is collected in few slices of a heat, which the median leaves out.
 *
 * @type {Record<string, ReturnType<typeof shownBy>[]>}
 */
const OUTWEIGHED_BY = {
  workPerOp: ['faster', 'level'],
  workPerRequest: ['faster', 'level'],
  allocatedBytesPerOp: ['faster']
}
/** Functions that a row names, at most. */
const MOST_FUNCTIONS = 5
const OUT_OF_TIME = 'the budget was spent before its first heat: give it a longer --budget'
const NO_CONTROL =
  'the control was never measured, so nothing shows whether the machine was quiet: give it a longer --budget'

/**
 * @param {GatePlan} plan
 * @param {Heats} heats
 * @param {object} [options]
 * @param {string[]} [options.command]
 * @param {(row: CellPlace) => number} [options.roundsOf]  Later heats of the row are left out.
 * @param {CellPlace[]} [options.notFitting]  Rows for which the budget had no time.
 * @returns {ComparisonRecord}
 */
export function judgeGate (plan, heats, { command = [], roundsOf = () => Infinity, notFitting = [] } = {}) {
  const { gate } = plan.of
  const { expect, rules, shared = [], unrun = [], touched, untouched = [] } = gate
  const rows = rowsOf(plan)
  const isTimed = timedIn(plan)
  const isCounted = !rows.some(isTimed)
  const kindOf = kindIn(plan)
  const left = new Set(notFitting.map(rowId))
  const matches = rows.filter(row => isTimed(row) && !left.has(rowId(row))).map(cell => {
    const measured = heats.of(cell, roundsOf(cell))
    return { cell, heats: measured, base: samplesOf(measured, 'base'), head: samplesOf(measured, 'head') }
  })
  const control = judgeControl(
    matches.flatMap(match => shiftsOf(match.heats)),
    rules
  )
  const measured = matches.flatMap(match => {
    const failure =
      heats.failureOf(match.cell, roundsOf(match.cell)) ??
      (match.heats.length === 0 ? OUT_OF_TIME : control ? undefined : NO_CONTROL)
    return measuredRows(match).map(row => ({
      ...row,
      failure: failure ?? row.failure,
      wanted: wantedOf(row, expect)
    }))
  })
  const timed = judge(measured, gate.looks, rules)
  const counted = rows.flatMap(cell => {
    const failure = isTimed(cell) ? undefined : heats.failureOf(cell)
    if (failure) return invalidRow(cell, failure, countedMetrics[0], true)
    return countedRows(cell, heats.countsOf(cell), {
      time: timed.find(row => rowId(row) === rowId(cell) && !isGuard(row.metric)),
      isTimed: isTimed(cell),
      ...kindOf(cell),
      gate
    })
  })
  const comparisons = [...timed, ...matches.flatMap(errorRows), ...counted, ...missedRows(gate)]
  const outcomes = matches.flatMap(match => describeDoubts(match, heats.countsOf(match.cell), kindOf(match.cell)))
  const decided = new Set(counted.filter(({ gates }) => gates).map(rowId))
  const uncounted = isCounted ? rows.filter(cell => !decided.has(rowId(cell))) : []
  const unmeasured = [
    ...(gate.unmeasured ?? []),
    // Other work in less time is no gain, and nothing shows that it is the same work but the checksum.
    ...(expect ? outcomes : []),
    ...uncounted.map(cell => `${describeCell(cell)} has no exact counts`),
    ...describeUnmet(gate, comparisons),
    // Some rows show the noise of a machine as well as all.
    ...(notFitting.length > 0 && !gate.isSelfCheck ? [describeLeft(notFitting, gate)] : [])
  ]
  const hasNone = comparisons.length === 0 && touched?.rows === 0
  const isUncontrolled =
    !isCounted && (!control || control.moved || matches.some(match => controlFailureOf(match.heats)))
  const whole = hasNone || (uncounted.length > 0 && decided.size === 0) ? 'pass' : overallVerdict(comparisons)
  // Counts need no control: they are exact on a disturbed machine, too.
  const alone = overallVerdict(counted) === 'regression' ? 'regression' : 'invalid'
  // A change that no side ran alone can neither pass nor miss what was expected.
  const isOpen = unmeasured.length > 0 && ['pass', 'missed'].includes(whole)
  return {
    ...recordOf(comparisons, gate.unmatched, rules, command),
    subject: subjectIn(plan.scenarios),
    verdict: isUncontrolled ? alone : isOpen ? 'inconclusive' : whole,
    base: gate.baseRef,
    ...(gate.behind && { behind: { commits: gate.behind, commit: String(gate.baseCommit).slice(0, 7) } }),
    head: gate.isSelfCheck ? `${gate.baseRef} itself` : (gate.headRef ?? 'the working tree'),
    control,
    ...(unmeasured.length > 0 && { unmeasured }),
    ...(shared.length > 0 && { shared }),
    ...(unrun.length > 0 && { unrun }),
    ...(touched && { touched, untouched }),
    ...(notFitting.length > 0 && { notFitting }),
    warnings: [...(expect ? [] : outcomes), ...counted.flatMap(describeGarbage)]
  }
}

/**
 * Rows that were to become faster, and run nothing that has changed.
 *
 * @param {GateSettings} gate
 * @returns {Comparison[]}
 */
const missedRows = ({ untouched = [], expect }) =>
  untouched.flatMap(cell => {
    const wanted = wantedOf({ ...cell, metric: 'nsPerOp' }, expect)
    if (wanted?.change !== 'faster') return []
    const row = invalidRow(cell, 'nothing that it runs has changed', 'nsPerOp')
    return { ...row, expect: wanted, verdict: 'missed' }
  })

/**
 * Expectations whose rows were not measured: the base may not have them.
 *
 * @param {GateSettings} gate
 * @param {Comparison[]} comparisons
 */
const describeUnmet = ({ expect, untouched = [], unmatched }, comparisons) =>
  lostAmong([...comparisons, ...untouched], expect).map(({ change, rows }) => {
    const reason = unmatched.find(row => isMeant(row, String(rows)))?.reason ?? 'it was not measured'
    return `--expect ${change}:${rows} is not decided: ${reason}`
  })

/** @type {(left: CellPlace[], gate: GateSettings) => string} */
const describeLeft = (left, { budgetSeconds }) =>
  `the budget of ${budgetSeconds} s leaves out ${formatCount(left.length, 'touched row')} (${describeCell(left[0])}` +
  `${left.length > 1 ? ' and others' : ''}): give it a longer --budget`

/**
 * @param {number[]} shifts  Log ratios of the control to the base, of all rows together.
 * @param {{floor: number}} rules
 * @returns {Control | null} null: the control was never measured
 */
export function judgeControl (shifts, { floor }) {
  if (shifts.length === 0) return null
  const { estimate, low, high } = intervalOf(shifts, CONTROL_CONFIDENCE)
  // With fewer pairs, 0.75 % of gates of identical code were called contaminated in calibration, rather than 0 %.
  const isElsewhere = shifts.length >= FEWEST_PAIRS && (low > 0 || high < 0)
  return {
    ratio: Math.exp(estimate),
    low: Math.exp(low),
    high: Math.exp(high),
    pairs: shifts.length,
    moved: isElsewhere && Math.abs(estimate) > floor / 2
  }
}

/**
 * Counts explain the times of a row. Some decide it.
 *
 * @param {CellPlace} cell
 * @param {Heat} counts
 * @param {object} row
 * @param {Comparison} [row.time]
 * @param {boolean} row.isTimed  Otherwise it is only counted.
 * @param {boolean} [row.isCode]  A workload without a queue.
 * @param {GateSettings} row.gate
 */
function countedRows (cell, { base, head }, { time, isTimed, isCode, gate: { rules, expect = [] } }) {
  const shown = shownBy(time)
  // Nothing else shows that a head became too slow to be counted, or dies.
  const mustCount = !isTimed && base !== undefined && !base.failure
  return countedMetrics.flatMap(metric => {
    const [before, after] = [base, head].map(sample => sample?.metrics[metric])
    if (before !== undefined && after !== undefined) {
      const isNamed = expect.some(({ rows }) => rows === metrics[metric].short)
      const isGrown = countsAsRegression(metric, before, after, rules.margin)
      const isOutweighed = isGrown && !isNamed && OUTWEIGHED_BY[metric]?.includes(shown)
      const gates = decides({ metric, isTimed, isNamed, isGrown, isOutweighed, isBuiltIn: isCode && shown === 'open' })
      return {
        ...comparisonOfCounts({ ...cell, metric, gates }, before, after, isGrown && !isOutweighed),
        ...(isOutweighed && { isOutweighed }),
        ...(metric === 'workPerOp' && functionsIn(base, head))
      }
    }
    if (before === after || metrics[metric].isOptional) return []
    if (mustCount && head && isLost(head)) {
      return comparisonOfCounts({ ...cell, metric, gates: true }, Number(before), Infinity, true)
    }
    const [side, sample] = before === undefined ? ['base', base] : ['head', head]
    const isInexact = sample !== undefined && !sample.failure
    return invalidRow(cell, `${side}: ${sample?.failure?.message ?? 'not counted'}`, metric, mustCount && !isInexact)
  })
}

/**
 * Whether a count decides its row: the rules of docs/reference/trust.md, in their order.
 *
 * @param {object} count
 * @param {string} count.metric
 * @param {boolean} count.isTimed
 * @param {boolean} count.isNamed  `--expect` names the count.
 * @param {boolean} count.isGrown
 * @param {boolean} [count.isOutweighed]  The time of the row is shown to be faster, or level.
 * @param {boolean} [count.isBuiltIn]  Its time is open, and may be spent in built-ins, whose blocks are not counted.
 */
function decides ({ metric, isTimed, isNamed, isGrown, isOutweighed, isBuiltIn }) {
  // A count decides where no time is measured, or where the user names it.
  if (!isTimed || isNamed) return true
  // A count that has grown decides, unless the time outweighs it.
  if (!isGrown || isOutweighed) return false
  // Blocks decide an open time only of a queue, whose own code does the work.
  return !(metric === 'workPerOp' && isBuiltIn)
}

/**
 * What the time of a row shows for certain.
 *
 * @param {Comparison} [time]
 */
const shownBy = time => (time?.change === 'faster' ? 'faster' : time?.verdict === 'pass' ? 'level' : 'open')

/**
 * The functions whose blocks changed most. Those of one name and file count together: their lines differ between the
 * sides.
 *
 * @param {Sample} [base]
 * @param {Sample} [head]
 * @returns {{functions?: ChangedFunction[]}} empty where functions were not counted
 */
function functionsIn (base, head) {
  const counted = [base, head].map(sample => /** @type {any} */ (sample?.details)?.functions)
  if (!counted.every(Boolean)) return {}
  const sides = counted.map((/** @type {CountedFunction[]} */ functions) =>
    groupBy(functions, ({ name, file = '' }) => JSON.stringify([name, path.posix.basename(file)]))
  )
  const functions = [...new Set(sides.flatMap(side => [...side.keys()]))]
    .map(id => {
      const [own, other] = sides.map(side => side.get(id) ?? [])
      const alike = other.length > 0 ? other : own
      const { name, file, line } = alike[alike.length - 1]
      const [base, head] = [own, other].map(found => sum(found.map(({ blocks }) => blocks)))
      return { name, ...(file && { file }), ...(line && alike.length === 1 && { line }), base, head }
    })
    .filter(({ base, head }) => base !== head)
    .sort((a, b) => Math.abs(b.head - b.base) - Math.abs(a.head - a.base))
  return { functions: functions.slice(0, MOST_FUNCTIONS) }
}

/**
 * Warnings about either side, as no model knows what a workload without a queue should do; and those about what the
 * head alone does: a head that keeps results has not become faster for inputs that are new.
 *
 * @param {{cell: CellPlace, base: Sample[], head: Sample[]}} match
 * @param {Heat} counts
 * @param {Kind} kind
 */
function describeDoubts ({ cell, base, head }, counts, { isCode }) {
  const warnings = [base, head].flatMap(samples => [
    ...samples.flatMap(({ warnings }) => warnings),
    ...(isCode ? warnOfGrowth(samples) : [])
  ])
  const doubts = groupBy(warnings.filter(({ kind }) => warningKinds[kind].doubts === 'either'), ({ kind }) => kind)
  const [known, found] = [counts.base, counts.head].map(sample =>
    (sample?.warnings ?? []).filter(({ kind }) => warningKinds[kind].doubts === 'head')
  )
  const own = found.filter(({ kind }) => !known.some(other => other.kind === kind))
  return [
    ...Array.from(doubts.values(), ([first]) => describeWarning(first)),
    ...own.map(warning => `the head ${describeWarning(warning)}`)
  ].map(text => `${describeCell(cell)}: ${text}`)
}

/**
 * Garbage is paid for later, when it is collected.
 *
 * @param {Comparison} row
 */
const describeGarbage = ({ isOutweighed, metric, base, head, ...row }) =>
  isOutweighed && metric === 'allocatedBytesPerOp'
    ? `${describeCell(row)}: the head is faster, but allocates ${formatNumber(Number(head))} bytes per operation ` +
      `(base: ${formatNumber(Number(base))}; --expect not-slower:${metrics[metric].short} fails it)`
    : []

/**
 * @param {Heat[]} heats
 * @param {Side} side
 */
const samplesOf = (heats, side) => heats.flatMap(heat => heat[side] ?? [])

/** @param {Heat[]} heats */
function shiftsOf (heats) {
  const controlled = heats.filter(({ base, control }) => base && control && !isLost(base) && !isLost(control))
  const metric = measuredMetrics.find(metric => controlled.some(({ control }) => control && metric in control.metrics))
  const pairs = metric ? pairedRatios(samplesOf(controlled, 'base'), samplesOf(controlled, 'control'), metric) : []
  return pairs.map(({ ratio }) => Math.log(ratio))
}
