/** The verdict of a gate: rows of times judged with their looks, counts, and the control. Pure. */
import path from 'node:path'
import { expectationOf, isMeant } from '../judge/expectation.js'
import { warnOfGrowth } from '../judge/growing.js'
import { isLost, pairedRatios } from '../judge/pairs.js'
import { errorRows, invalidRow, measuredRows } from '../judge/rows.js'
import { intervalOf } from '../judge/statistics/interval.js'
import { hasGrown, judge, judgeExact, overallVerdict, recordOf } from '../judge/verdict.js'
import { groupBy } from '../model/group-by.js'
import { FEWEST_PAIRS } from '../model/heats.js'
import { countedMetrics, isGuard, measuredMetrics, metrics } from '../model/metrics.js'
import { describeCell, formatCount, formatNumber } from '../model/numbers.js'
import { kindIn, subjectIn } from '../model/kinds.js'
import { describeWarning, warningKinds } from '../model/warnings.js'
import { controlFailureOf } from './heats.js'
import { rowId, rowsOf, timedIn, timedRowsOf } from '../plan/rows.js'

/**
 * @import { ChangedFunction, Comparison, ComparisonRecord, Control, Verdict } from '../judge/records.js'
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
  const timedRows = timedRowsOf(plan)
  const left = new Set(notFitting.map(rowId))
  const matches = timedRows.filter(row => !left.has(rowId(row))).map(cell => {
    const measured = heats.of(cell, roundsOf(cell))
    return { cell, heats: measured, base: samplesOf(measured, 'base'), head: samplesOf(measured, 'head') }
  })
  const control = judgeControl(
    matches.flatMap(match => shiftsOf(match.heats)),
    gate.rules
  )
  const rows = matches.flatMap(match => {
    const failure =
      heats.failureOf(match.cell, roundsOf(match.cell)) ??
      (match.heats.length === 0 ? OUT_OF_TIME : control ? undefined : NO_CONTROL)
    const rounds = Math.max(0, ...match.base.map(({ round }) => round + 1))
    return measuredRows(match).map(row => ({
      ...row,
      rounds,
      failure: failure ?? row.failure,
      expect: expectationOf(row, gate)
    }))
  })
  const timed = judge(rows, gate.looks, gate.rules)
  const kindOf = kindIn(plan)
  const isTimed = timedIn(plan)
  const counted = rowsOf(plan).flatMap(cell => {
    const times = timed.filter(row => rowId(row) === rowId(cell))
    return countedRows(cell, heats.countsOf(cell), {
      times,
      gate,
      isTimed: isTimed(cell),
      ...kindOf(cell)
    })
  })
  const comparisons = [...timed, ...matches.flatMap(errorRows), ...counted, ...missedRows(gate)]
  const outcomes = matches.flatMap(({ cell, base, head }) => [
    ...describeDoubts(cell, [base, head], kindOf(cell)),
    ...describeMemory(cell, heats.countsOf(cell))
  ])
  const isCounted = timedRows.length === 0
  const decided = new Set(counted.filter(({ gates }) => gates).map(rowId))
  const uncounted = isCounted ? rowsOf(plan).filter(cell => !decided.has(rowId(cell))) : []
  const unmeasured = [
    ...(gate.unmeasured ?? []),
    // Other work in less time is no gain, and nothing shows that it is the same work but the checksum.
    ...(gate.expect ? outcomes : []),
    ...uncounted.map(cell => `${describeCell(cell)} has no exact counts`),
    ...describeUnmet(gate, comparisons),
    // Some rows show the noise of a machine as well as all.
    ...(notFitting.length > 0 && !gate.isSelfCheck ? [describeLeft(notFitting, gate)] : [])
  ]
  const { shared = [], unrun = [], touched, untouched = [] } = gate
  const hasNone = comparisons.length === 0 && touched?.rows === 0
  const isUncontrolled =
    !isCounted && (!control || control.moved || matches.some(match => controlFailureOf(match.heats)))
  return {
    ...recordOf(comparisons, gate.unmatched, gate.rules, command),
    subject: subjectIn(plan.scenarios),
    // Counts need no control: they are exact on a disturbed machine, too.
    verdict: !isUncontrolled
      ? unlessUnmeasured(
        hasNone || (uncounted.length > 0 && decided.size === 0) ? 'pass' : overallVerdict(comparisons),
        unmeasured
      )
      : overallVerdict(counted) === 'regression'
        ? 'regression'
        : 'invalid',
    base: gate.baseRef,
    ...(gate.behind && { behind: { commits: gate.behind, commit: String(gate.baseCommit).slice(0, 7) } }),
    head: gate.isSelfCheck ? `${gate.baseRef} itself` : (gate.headRef ?? 'the working tree'),
    control,
    ...(unmeasured.length > 0 && { unmeasured }),
    ...(shared.length > 0 && { shared }),
    ...(unrun.length > 0 && { unrun }),
    ...(touched && { touched, untouched }),
    ...(notFitting.length > 0 && { notFitting }),
    warnings: [...(gate.expect ? [] : outcomes), ...counted.flatMap(describeGarbage)]
  }
}

/**
 * Rows that were to become faster, and run nothing that has changed.
 *
 * @param {GateSettings} gate
 * @returns {Comparison[]}
 */
const missedRows = ({ untouched = [], expect = [] }) =>
  untouched.flatMap(cell => {
    const row = invalidRow(cell, 'nothing that it runs has changed', 'nsPerOp', true)
    const wanted = expectationOf(row, { expect })
    return wanted?.change === 'faster' ? { ...row, expect: wanted, verdict: 'missed' } : []
  })

/**
 * Expectations whose rows were not measured: the base may not have them.
 *
 * @param {GateSettings} gate
 * @param {Comparison[]} comparisons
 */
function describeUnmet ({ expect = [], untouched = [], unmatched }, comparisons) {
  const isCount = (/** @type {string} */ rows) => countedMetrics.some(metric => metrics[metric].short === rows)
  const known = [...comparisons, ...untouched]
  const unmet = expect.filter(
    ({ rows }) => rows !== undefined && !isCount(rows) && !known.some(row => isMeant(row, rows))
  )
  return unmet.map(({ change, rows }) => {
    const reason = unmatched.find(row => isMeant(row, String(rows)))?.reason ?? 'it was not measured'
    return `--expect ${change}:${rows} is not decided: ${reason}`
  })
}

/** @type {(left: CellPlace[], gate: GateSettings) => string} */
const describeLeft = (left, { budgetSeconds }) =>
  `the budget of ${budgetSeconds} s leaves out ${formatCount(left.length, 'touched row')} (${describeCell(left[0])}` +
  `${left.length > 1 ? ' and others' : ''}): give it a longer --budget`

/**
 * A change that no side ran alone can neither pass nor miss what was expected.
 *
 * @param {Verdict} verdict
 * @param {string[]} unmeasured
 */
const unlessUnmeasured = (verdict, unmeasured) =>
  ['pass', 'missed'].includes(verdict) && unmeasured.length > 0 ? 'inconclusive' : verdict

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
 * @param {Comparison[]} row.times
 * @param {boolean} row.isTimed  Otherwise it is only counted.
 * @param {boolean} [row.isCode]  A workload without a queue.
 * @param {GateSettings} row.gate
 */
function countedRows (cell, { base, head }, { times, isTimed, isCode, gate: { rules, expect = [] } }) {
  const shown = shownBy(times.find(row => !isGuard(row.metric)))
  // Nothing else shows that a head became too slow to be counted, or dies.
  const mustCount = !isTimed && base !== undefined && !base.failure
  return countedMetrics.flatMap(metric => {
    const [before, after] = [base?.metrics[metric], head?.metrics[metric]]
    if (before !== undefined && after !== undefined) {
      const isNamed = expect.some(({ rows }) => rows === metrics[metric].short)
      const isGrown = hasGrown(metric, before, after, rules.margin)
      const isOutweighed = isGrown && !isNamed && OUTWEIGHED_BY[metric]?.includes(shown)
      const gates = decides({ metric, isTimed, isNamed, isGrown, isOutweighed, isBuiltIn: isCode && shown === 'open' })
      return {
        ...judgeExact({ ...cell, metric, gates }, before, after, isGrown && !isOutweighed),
        ...(isOutweighed && { isOutweighed }),
        ...(metric === 'workPerOp' && functionsIn(base, head))
      }
    }
    if ((before === undefined && after === undefined) || metrics[metric].isOptional) return []
    if (mustCount && head && isLost(head)) return judgeExact({ ...cell, metric, gates: true }, Number(before), Infinity)
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
 * The functions whose blocks changed most.
 *
 * @param {Sample} [base]
 * @param {Sample} [head]
 * @returns {{functions?: ChangedFunction[]}} empty where functions were not counted
 */
function functionsIn (base, head) {
  const [before, after] = [base, head].map(sample => /** @type {any} */ (sample?.details)?.functions)
  if (!before || !after) return {}
  const [own, other] = [before, after].map(byName)
  const changed = [...new Set([...own.keys(), ...other.keys()])]
    .map(id => {
      const { name, file, line } = /** @type {CountedFunction} */ (other.get(id) ?? own.get(id))
      const [base, head] = [own, other].map(counted => counted.get(id)?.blocks ?? 0)
      return { name, ...(file && { file }), ...(line && { line }), base, head }
    })
    .filter(({ base, head }) => base !== head)
    .sort((a, b) => Math.abs(b.head - b.base) - Math.abs(a.head - a.base))
  return { functions: changed.slice(0, MOST_FUNCTIONS) }
}

/**
 * Functions of one name and file together: their lines differ between the sides.
 *
 * @param {CountedFunction[]} counted
 */
function byName (counted) {
  /** @type {Map<string, CountedFunction>} */
  const found = new Map()
  for (const one of counted) {
    const id = JSON.stringify([one.name, path.posix.basename(one.file ?? '')])
    const alike = found.get(id)
    found.set(id, alike ? { ...one, line: undefined, blocks: alike.blocks + one.blocks } : one)
  }
  return found
}

/**
 * No model knows what a workload without a queue should do.
 *
 * @param {CellPlace} cell
 * @param {Sample[][]} sides
 * @param {Kind} kind
 */
function describeDoubts (cell, sides, { isCode }) {
  const warnings = sides.flatMap(samples => [
    ...samples.flatMap(({ warnings }) => warnings),
    ...(isCode ? warnOfGrowth(samples) : [])
  ])
  const doubts = warnings.filter(({ kind }) => warningKinds[kind].doubts === 'either')
  return [...groupBy(doubts, ({ kind }) => kind).values()].map(
    ([first]) => `${describeCell(cell)}: ${describeWarning(first)}`
  )
}

/**
 * A head that keeps results has not become faster for inputs that are new.
 *
 * @param {CellPlace} cell
 * @param {Heat} counts
 */
function describeMemory (cell, { base, head }) {
  const [known = [], found = []] = [base, head].map(sample =>
    sample?.warnings.filter(({ kind }) => warningKinds[kind].doubts === 'head')
  )
  return found
    .filter(({ kind }) => !known.some(other => other.kind === kind))
    .map(warning => `${describeCell(cell)}: the head ${describeWarning(warning)}`)
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
