/** Was the machine fit for measuring? What it showed while the gate ran, in plain sentences with a remedy. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { median } from 'simple-statistics'
import { groupBy } from '../model/group-by.js'

/**
 * @typedef {import('../compare.js').ComparisonRecord} ComparisonRecord
 *
 * @typedef {object} Observed  When measuring began.
 * @property {number[] | null} cpuTimes  Since boot: all of it, and what other guests took.
 * @property {number | null} clockMHz
 */

/** Beyond these, a sentence is due. */
const LOAD_PER_CORE = 0.7
const STOLEN = 0.02
const CLOCK_CHANGE = 0.05
const DRIFT = 0.05
const WIDE_SPREAD = 0.06
const SPREAD_GROWTH = 2

/** @returns {Observed} */
export function observeMachine () {
  return { cpuTimes: cpuTimes(), clockMHz: clockMHz() }
}

/**
 * @param {object} gate
 * @param {ComparisonRecord} gate.record
 * @param {import('../results.js').Sample[]} gate.samples
 * @param {Observed | null} gate.observed  null: nothing was measured just now, an old gate is judged again.
 * @param {import('../environment.js').Environment} gate.environment
 * @param {string} gate.directory
 * @returns {string[]}
 */
export function diagnose ({ record, samples, observed, environment, directory }) {
  const spread = typicalSpread(record)
  return [
    ...busy(environment.loadAverage[0], environment.cores),
    ...(observed ? stolen(observed.cpuTimes, cpuTimes()) : []),
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
  return [`load average ${load.toFixed(1)} on ${cores} ${cores === 1 ? 'core' : 'cores'} when the gate began: other programs were running; end them, or gate when the machine is idle`]
}

/**
 * @param {number[] | null} before
 * @param {number[] | null} after
 */
export function stolen (before, after) {
  if (!before || !after || after[0] === before[0]) return []
  const share = (after[1] - before[1]) / (after[0] - before[0])
  return share <= STOLEN ? [] : [`other guests of this host took ${percent(share)} of the processor time: use a dedicated runner, or a longer --budget`]
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
  return [`the base became ${percent(Math.abs(drift))} ${drift > 0 ? 'slower' : 'faster'} while the gate ran: something else began or ended; pairs bear it, but gate again if in doubt`]
}

/**
 * @param {number | null} spread
 * @param {number[]} earlier  Of gates before this one on this machine.
 */
export function spreadOut (spread, earlier) {
  if (spread === null) return []
  const usual = earlier.length > 0 ? median(earlier) : null
  if (usual !== null && spread > SPREAD_GROWTH * usual) {
    return [`from pair to pair, head to base varies by ${percent(spread)}, in ${earlier.length} earlier ${earlier.length === 1 ? 'gate' : 'gates'} here by ${percent(usual)}: the machine is noisier than it was, or the head less even; see what else runs`]
  }
  if (spread <= WIDE_SPREAD) return []
  return [`from pair to pair, head to base varies by ${percent(spread)} (2 to 4 % is usual): use a quieter machine, or a longer --budget and more --rounds`]
}

/**
 * How much the base's times grew from the first third of the rounds to the last.
 *
 * @param {import('../results.js').Sample[]} samples
 */
export function driftOf (samples) {
  const bases = samples.filter(({ queue, channel, failure }) => queue.endsWith('@base') && channel === 'time' && !failure)
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
 * Gates kept beside this one.
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
 * @returns {ComparisonRecord | null} null where there is none, half of one, or another program's: it must not break a gate
 */
function readRecord (file) {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'))
    return record?.format === 'timerq-comparison/1' && Array.isArray(record.comparisons) ? record : null
  } catch {
    return null
  }
}

/** @param {import('../verdict.js').Comparison} comparison */
const cellKey = ({ scenario, params, queue, metric }) => JSON.stringify([scenario, params, queue, metric])

/** See proc(5): user, nice, system, idle, iowait, irq, softirq, steal. */
function cpuTimes () {
  const text = readIfThere('/proc/stat')
  if (text === null) return null
  const times = text.split('\n')[0].split(/\s+/).slice(1, 9).map(Number)
  return [times.reduce((sum, time) => sum + time, 0), times[7]]
}

function clockMHz () {
  const clocks = [...(readIfThere('/proc/cpuinfo') ?? '').matchAll(/^cpu MHz\s*: ([\d.]+)/gm)].map(([, mhz]) => Number(mhz))
  return clocks.length === 0 ? null : Math.max(...clocks)
}

/** @param {string} file */
function readIfThere (file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** @param {number} fraction */
const percent = fraction => `${(fraction * 100).toFixed(1)} %`
