/** Was the machine fit for measuring? Names what disturbed it while the gate ran, with a remedy. */
import { readFileSync } from 'node:fs'
import { median } from 'simple-statistics'
import { groupBy } from '../model/group-by.js'
import { formatShare } from '../model/numbers.js'
import { machineTimes } from '../processes/proc-stat.js'

/**
 * @import { ComparisonRecord } from '../judge/compare.js'
 * @import { Environment } from '../processes/environment.js'
 * @import { MachineTimes } from '../processes/proc-stat.js'
 * @import { Sample } from '../store/results.js'
 */

/** @typedef {{cpuTimes: MachineTimes | null, clockMHz: number | null}} Observed  null: this system does not tell. */

/** Beyond these limits a warning is given. */
const LOAD_PER_CORE = 0.7
const STOLEN = 0.02
const CLOCK_CHANGE = 0.05
const DRIFT = 0.05
const WIDE_SPREAD = 0.06

/** @returns {Observed} */
export function observeMachine () {
  return { cpuTimes: machineTimes(), clockMHz: clockMHz() }
}

/**
 * @param {object} gate
 * @param {Pick<ComparisonRecord, 'comparisons'>} gate.record
 * @param {Sample[]} gate.samples
 * @param {Observed | null} gate.before  null: an ended gate is judged again.
 * @param {Observed | null} gate.after
 * @param {Pick<Environment, 'loadAverage' | 'cores' | 'governor'>} gate.environment
 * @returns {string[]}
 */
export function diagnose ({
  record,
  samples,
  before,
  after,
  environment: {
    loadAverage: [load],
    cores,
    governor
  }
}) {
  const warnings = []
  if (load > LOAD_PER_CORE * cores) {
    warnings.push(
      `load average ${load.toFixed(1)} on ${cores} ${cores === 1 ? 'core' : 'cores'} when the gate began: ` +
        'other programs were running; stop them, or run the gate when the machine is idle'
    )
  }
  const stolen = stolenShare(before?.cpuTimes, after?.cpuTimes)
  if (stolen > STOLEN) {
    warnings.push(
      `other guests of this host took ${formatShare(stolen)} of the processor time: use a dedicated runner, ` +
        'or a longer --budget'
    )
  }
  if (before?.clockMHz && after?.clockMHz && Math.abs(after.clockMHz / before.clockMHz - 1) > CLOCK_CHANGE) {
    const remedy =
      governor && governor !== 'performance'
        ? `set the governor from ${governor} to performance`
        : 'let the machine cool, and switch turbo off'
    warnings.push(
      `the clock frequency went from ${before.clockMHz.toFixed(0)} to ${after.clockMHz.toFixed(0)} MHz: ${remedy}`
    )
  }
  const drift = driftOf(samples)
  if (Math.abs(drift) > DRIFT) {
    warnings.push(
      `the base became ${formatShare(Math.abs(drift))} ${drift > 0 ? 'slower' : 'faster'} while the gate ran: ` +
        'another program started or stopped; heats even the difference out, but run the gate again if in doubt'
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
 * @param {MachineTimes | null} [before]
 * @param {MachineTimes | null} [after]
 */
function stolenShare (before, after) {
  return before && after && after.total > before.total
    ? (after.stolen - before.stolen) / (after.total - before.total)
    : 0
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

/** The highest of all cores now; null where Linux does not show it. */
function clockMHz () {
  let text
  try {
    text = readFileSync('/proc/cpuinfo', 'utf8')
  } catch {
    return null
  }
  const clocks = [...text.matchAll(/^cpu MHz\s*: ([\d.]+)/gm)].map(([, mhz]) => Number(mhz))
  return clocks.length === 0 ? null : Math.max(...clocks)
}
