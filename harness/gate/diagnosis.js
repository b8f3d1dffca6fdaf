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

/** @typedef {{cpuTimes: MachineTimes | null, clockMHz: number | null}} Observed  When measuring began. */

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
 * @param {Observed | null} gate.observed  null: an ended gate is judged again, and nothing was measured now.
 * @param {Pick<Environment, 'loadAverage' | 'cores' | 'governor'>} gate.environment
 * @returns {string[]}
 */
export function diagnose ({ record, samples, observed, environment }) {
  return [
    ...busy(environment.loadAverage[0], environment.cores),
    ...(observed ? stolen(observed.cpuTimes, machineTimes()) : []),
    ...(observed ? clockChanged(observed.clockMHz, clockMHz(), environment.governor) : []),
    ...drifted(driftOf(samples)),
    ...spreadOut(typicalSpread(record))
  ]
}

/**
 * @param {number} load
 * @param {number} cores
 */
export function busy (load, cores) {
  if (load <= LOAD_PER_CORE * cores) return []
  return [`load average ${load.toFixed(1)} on ${cores} ${cores === 1 ? 'core' : 'cores'} when the gate began: other programs were running; stop them, or run the gate when the machine is idle`]
}

/**
 * @param {MachineTimes | null} before
 * @param {MachineTimes | null} after
 */
export function stolen (before, after) {
  if (!before || !after || after.total === before.total) return []
  const share = (after.stolen - before.stolen) / (after.total - before.total)
  return share <= STOLEN ? [] : [`other guests of this host took ${formatShare(share)} of the processor time: use a dedicated runner, or a longer --budget`]
}

/**
 * @param {number | null} before
 * @param {number | null} after
 * @param {string | null} governor
 */
export function clockChanged (before, after, governor) {
  if (!before || !after || Math.abs(after / before - 1) <= CLOCK_CHANGE) return []
  const remedy = governor && governor !== 'performance' ? `set the governor from ${governor} to performance` : 'let the machine cool, and switch turbo off'
  return [`the clock frequency went from ${before.toFixed(0)} to ${after.toFixed(0)} MHz: ${remedy}`]
}

/** @param {number | null} drift */
export function drifted (drift) {
  if (drift === null || Math.abs(drift) <= DRIFT) return []
  return [`the base became ${formatShare(Math.abs(drift))} ${drift > 0 ? 'slower' : 'faster'} while the gate ran: another program started or stopped; heats even the difference out, but run the gate again if in doubt`]
}

/** @param {number | null} spread  Of the ratios. */
export function spreadOut (spread) {
  if (spread === null || spread <= WIDE_SPREAD) return []
  return [`from heat to heat, the ratio of head to base varies by ${formatShare(spread)} (1 to 4 % is usual): use a quieter machine, or a longer --budget and more --rounds`]
}

/**
 * Slowdown of the base from the first third of the rounds to the last.
 *
 * @param {Sample[]} samples
 * @returns {number | null} null: too few heats
 */
export function driftOf (samples) {
  const bases = samples.filter(({ side, channel, failure }) => side === 'base' && channel === 'heat' && !failure)
  const changes = [...groupBy(bases, ({ cell }) => cell).values()].flatMap(ofCell => {
    const times = ofCell.map(({ metrics }) => Math.log(metrics.nsPerOp ?? metrics.cpuMicrosPerRequest))
    const third = Math.floor(times.length / 3)
    return third < 3 ? [] : [median(times.slice(-third)) - median(times.slice(0, third))]
  })
  return changes.length === 0 ? null : Math.expm1(median(changes))
}

/** @param {Pick<ComparisonRecord, 'comparisons'>} record */
function typicalSpread ({ comparisons }) {
  const spreads = comparisons.flatMap(({ gates, spread }) => gates && spread !== null ? [spread] : [])
  return spreads.length === 0 ? null : median(spreads)
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
