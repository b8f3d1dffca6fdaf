/**
 * Names what kept a gate from a verdict, with a remedy. A gate that has decided did so with the disturbances in its
 * intervals: a warning that always comes is not read.
 */
import { median } from 'simple-statistics'
import { groupBy } from '../model/group-by.js'
import { describeCell, formatShare } from '../model/numbers.js'
import { describeWarning, warningKinds } from '../model/warnings.js'
import { rowOf } from '../plan/rows.js'

/**
 * @import { ComparisonRecord } from '../judge/records.js'
 * @import { Environment } from '../processes/environment.js'
 * @import { MachineTimes } from '../processes/proc-stat.js'
 * @import { Sample } from '../store/results.js'
 */

const UNDECIDED = ['inconclusive', 'invalid']
/** Beyond these limits a warning is given. */
const OTHERS = 0.1
const STOLEN = 0.02
const DRIFT = 0.05
const WIDE_SPREAD = 0.06

/**
 * @typedef {object} Gate
 * @property {Pick<ComparisonRecord, 'comparisons' | 'verdict'>} record
 * @property {Sample[]} samples
 * @property {MachineTimes | null} before  null: this system does not tell, or an ended gate is judged again.
 * @property {MachineTimes | null} after
 * @property {Pick<Environment, 'governor'>} environment
 */

/**
 * @param {Gate} gate
 * @returns {string[]}
 */
export function diagnose (gate) {
  const isUndecided = UNDECIDED.includes(gate.record.verdict)
  return [...remarksOn(gate.samples, isUndecided), ...(isUndecided ? disturbancesIn(gate) : [])]
}

/**
 * The first warning of each kind about each row.
 *
 * @param {Sample[]} samples
 * @param {boolean} isUndecided
 */
function remarksOn (samples, isUndecided) {
  const remarks = samples.flatMap(sample =>
    sample.warnings
      .filter(({ kind }) => warningKinds[kind].isTold && (isUndecided || kind !== 'slow-to-load'))
      .map(warning => ({ row: describeCell(rowOf(sample)), warning }))
  )
  return [...groupBy(remarks, ({ row, warning }) => `${row} ${warning.kind}`).values()].map(
    ([{ row, warning }]) => `${row}: ${describeWarning(warning)}`
  )
}

/** @param {Gate} gate */
function disturbancesIn ({ record, samples, before, after, environment: { governor } }) {
  const warnings = []
  const others = shareOf('others', before, after)
  // Processes that a measured server has started are nobody's children at their end, and look like others.
  if (others > OTHERS && samples.some(({ metrics }) => 'nsPerOp' in metrics)) {
    warnings.push(
      `other programs took ${formatShare(others)} of the processor time while the gate ran: stop them, or run the ` +
        'gate when the machine is idle'
    )
  }
  const stolen = shareOf('stolen', before, after)
  if (stolen > STOLEN) {
    warnings.push(
      `other guests of this host took ${formatShare(stolen)} of the processor time: use a dedicated runner, ` +
        'or a longer --budget'
    )
  }
  const drift = driftOf(samples)
  if (Math.abs(drift) > DRIFT) {
    const advice = governor && governor !== 'performance' ? ` (set the governor from ${governor} to performance)` : ''
    warnings.push(
      `the base became ${formatShare(Math.abs(drift))} ${drift > 0 ? 'slower' : 'faster'} while the gate ran: ` +
        `another program started or stopped, or the clock changed${advice}; heats even the difference out, but run ` +
        'the gate again if in doubt'
    )
  }
  const spreads = record.comparisons.flatMap(({ gates, spread }) => (gates && spread !== null ? [spread] : []))
  if (spreads.length > 0 && median(spreads) > WIDE_SPREAD) {
    warnings.push(
      `from heat to heat, the ratio of head to base varies by ${formatShare(median(spreads))} (1 to 4 % is usual): ` +
        'use a quieter machine, or a longer --budget and more --rounds'
    )
  }
  return warnings
}

/**
 * @param {'stolen' | 'others'} part
 * @param {MachineTimes | null} before
 * @param {MachineTimes | null} after
 */
function shareOf (part, before, after) {
  if (!before || !after || after.total <= before.total) return 0
  return (after[part] - before[part]) / (after.total - before.total)
}

/**
 * Slowdown of the base from the first third of the rounds to the last.
 *
 * @param {Sample[]} samples
 * @returns {number} 0: too few heats
 */
function driftOf (samples) {
  const bases = samples.filter(({ side, kind, failure }) => side === 'base' && kind === 'heat' && !failure)
  const changes = [...groupBy(bases, ({ cell }) => cell).values()].flatMap(ofCell => {
    const times = ofCell.map(({ metrics: { nsPerOp, cpuMicrosPerRequest, cpuMillisPerSecond } }) =>
      Math.log(nsPerOp ?? cpuMicrosPerRequest ?? cpuMillisPerSecond)
    )
    const third = Math.floor(times.length / 3)
    return third < 3 ? [] : [median(times.slice(-third)) - median(times.slice(0, third))]
  })
  return changes.length === 0 ? 0 : Math.expm1(median(changes))
}
