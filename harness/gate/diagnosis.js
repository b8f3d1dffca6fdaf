/** Was the machine fit for measuring? Names what disturbed it while the gate ran, with a remedy. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { median } from 'simple-statistics'
import { readInput } from '../store/input.js'
import { checkWith } from '../store/json.js'
import { groupBy } from '../model/group-by.js'
import { formatShare } from '../model/numbers.js'
import { machineTimes } from '../processes/proc-stat.js'

/**
 * @typedef {import('../judge/compare.js').ComparisonRecord} ComparisonRecord
 *
 * @typedef {import('../processes/proc-stat.js').MachineTimes} MachineTimes
 *
 * @typedef {object} Observed  When measuring began.
 * @property {MachineTimes | null} cpuTimes
 * @property {number | null} clockMHz
 */

/** Beyond these limits a warning is given. */
const LOAD_PER_CORE = 0.7
const STOLEN = 0.02
const CLOCK_CHANGE = 0.05
const DRIFT = 0.05
const WIDE_SPREAD = 0.06
const SPREAD_GROWTH = 2

const checkRecord = checkWith('comparison')

/** @returns {Observed} */
export function observeMachine () {
  return { cpuTimes: machineTimes(), clockMHz: clockMHz() }
}

/**
 * @param {object} gate
 * @param {ComparisonRecord} gate.record
 * @param {import('../store/results.js').Sample[]} gate.samples
 * @param {Observed | null} gate.observed  null: an old gate is judged again, nothing was measured now.
 * @param {import('../processes/environment.js').Environment} gate.environment
 * @param {string} gate.directory
 * @returns {string[]}
 */
export function diagnose ({ record, samples, observed, environment, directory }) {
  const spread = typicalSpread(record)
  return [
    ...busy(environment.loadAverage[0], environment.cores),
    ...(observed ? stolen(observed.cpuTimes, machineTimes()) : []),
    ...(observed ? clockChanged(observed.clockMHz, clockMHz(), environment.governor) : []),
    ...drifted(driftOf(samples)),
    ...spreadOut(spread, earlierSpreads(directory, record))
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
  return [`the base became ${formatShare(Math.abs(drift))} ${drift > 0 ? 'slower' : 'faster'} while the gate ran: another program started or stopped; heats even this out, but run the gate again if in doubt`]
}

/**
 * @param {number | null} spread
 * @param {number[]} earlier  The spreads of earlier gates on this machine.
 */
export function spreadOut (spread, earlier) {
  if (spread === null) return []
  const usual = earlier.length > 0 ? median(earlier) : null
  if (usual !== null && spread > SPREAD_GROWTH * usual) {
    return [`from heat to heat, the ratio of head to base varies by ${formatShare(spread)}; in ${earlier.length} earlier ${earlier.length === 1 ? 'gate' : 'gates'} on this machine it varied by ${formatShare(usual)}: the machine is noisier than before, or the head is less steady; check what else is running`]
  }
  if (spread <= WIDE_SPREAD) return []
  return [`from heat to heat, the ratio of head to base varies by ${formatShare(spread)} (1 to 4 % is usual): use a quieter machine, or a longer --budget and more --rounds`]
}

/**
 * How much slower the base became from the first third of the rounds to the last.
 *
 * @param {import('../store/results.js').Sample[]} samples
 */
export function driftOf (samples) {
  const bases = samples.filter(({ queue, kind, failure }) => queue.endsWith('@base') && kind === 'heat' && !failure)
  const changes = [...groupBy(bases, ({ cell }) => cell).values()].flatMap(ofCell => {
    const times = ofCell.map(({ metrics }) => Math.log(metrics.nsPerOp ?? metrics.cpuMicrosPerRequest))
    const third = Math.floor(times.length / 3)
    return third < 3 ? [] : [median(times.slice(-third)) - median(times.slice(0, third))]
  })
  return changes.length === 0 ? null : Math.expm1(median(changes))
}

/** @param {ComparisonRecord} record */
function typicalSpread ({ comparisons }) {
  const spreads = comparisons.flatMap(({ gates, spread }) => gates && spread !== null ? [spread] : [])
  return spreads.length === 0 ? null : median(spreads)
}

/**
 * The spreads of the same cells in the gates that are kept beside this one.
 *
 * @param {string} directory
 * @param {ComparisonRecord} record
 */
function earlierSpreads (directory, { comparisons }) {
  const cells = new Set(comparisons.map(cellKey))
  const folder = path.dirname(path.resolve(directory))
  const others = readdirSync(folder).filter(name => name !== path.basename(directory))
  return others.flatMap(name => readRecord(path.join(folder, name, 'comparison.json')) ?? []).flatMap(earlier => {
    const spread = typicalSpread({ ...earlier, comparisons: earlier.comparisons.filter(comparison => cells.has(cellKey(comparison))) })
    return spread === null ? [] : [spread]
  })
}

/**
 * @param {string} file
 * @returns {ComparisonRecord | null} null where there is no whole record of ours: other files must not break a gate
 */
function readRecord (file) {
  try {
    return /** @type {ComparisonRecord} */ (checkRecord(JSON.parse(readInput(file, 'comparison').toString()), file))
  } catch {
    return null
  }
}

/** @param {import('../judge/verdict.js').Comparison} comparison */
const cellKey = ({ scenario, params, queue, metric }) => JSON.stringify([scenario, params, queue, metric])

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
