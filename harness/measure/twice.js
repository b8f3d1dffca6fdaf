/** Counts of two processes: a figure is exact if both say the same. Pure. */
import { SampleError } from '../model/errors.js'
import { metrics as known } from '../model/metrics.js'
import { formatNumber } from '../model/numbers.js'
/** @import { Warning } from '../model/warnings.js' */
/** @import { CountedFunction } from '../subject/count/work-counter.js' */
/** @import { Measured } from './measure.js' */

/** @typedef {Measured | SampleError} Counted */

/** Heaps of two processes differ by the ends of a few pages. */
const ALIKE = 0.01

/**
 * @param {Counted[]} counts  Counts of the same workload.
 * @returns {boolean} also true where one failed: then there is nothing to compare
 */
export const isSame = counts =>
  counts.some(one => one instanceof SampleError) ||
  counts.every(one => differing(/** @type {Measured} */ (one), counts[0]).every(name => isLacking(name, counts)))

/**
 * Leaves out each figure that differs between two processes of any cell, for all cells: no side of a gate then has a
 * figure that the other lacks.
 *
 * @param {Counted[]} counts
 * @param {Counted[]} again  Counts of other processes.
 * @returns {Counted[]}
 */
export function exactlyIn (counts, again) {
  const found = counts.map((one, i) => (one instanceof SampleError ? [] : differing(one, again[i])))
  const inexact = new Set(found.flat())
  return counts.map((one, i) => {
    if (one instanceof SampleError) return one
    const metrics = Object.fromEntries(Object.entries(one.metrics).filter(([name]) => !inexact.has(name)))
    const told = found[i].filter(name => !isLacking(name, [one, again[i]]))
    return { ...one, metrics, warnings: [...one.warnings, ...told.map(name => warnOf(name, one, again[i]))] }
  })
}

/**
 * @param {Measured} one
 * @param {Counted} other
 * @returns {string[]} metrics of either that the other has not, or has with another value
 */
function differing ({ metrics }, other) {
  const others = metricsOf(other)
  return Object.keys({ ...metrics, ...others }).filter(name => {
    const [value, second] = [metrics[name], others[name]]
    const tolerance = known[name].unit === 'bytes' ? ALIKE * Math.abs(value) : 0
    return !(Math.abs(value - second) <= tolerance)
  })
}

/**
 * Whether a process could not count a figure that is optional.
 *
 * @param {string} name
 * @param {Counted[]} counts
 */
const isLacking = (name, counts) => known[name].isOptional === true && counts.some(one => !(name in metricsOf(one)))

/**
 * @param {Counted} counted
 * @returns {Record<string, number>}
 */
const metricsOf = counted => (counted instanceof SampleError ? {} : counted.metrics)

/** @type {(name: string, one: Measured, other: Counted) => Warning} */
function warnOf (name, one, other) {
  const [first, second] = [one, other].map(counted => {
    const value = metricsOf(counted)[name]
    return value === undefined ? 'none' : formatNumber(value)
  })
  const place = name === 'workPerOp' ? mostChanged(functionsOf(one), functionsOf(other)) : undefined
  return {
    kind: 'not-exact',
    text:
      `${known[name].title} was ${first} in one process and ${second} in the next` +
      `${place ? `, mostly in ${place}` : ''}: it depends on what no seed fixes, such as the time, crypto or a network`
  }
}

/**
 * @param {Counted} counted
 * @returns {CountedFunction[]}
 */
const functionsOf = counted => /** @type {any} */ (counted).details?.functions ?? []

/** @type {(first: CountedFunction[], second: CountedFunction[]) => string | undefined} */
function mostChanged (first, second) {
  const placeOf = (/** @type {CountedFunction} */ { name, file, line }) => `${name} (${file}${line ? `:${line}` : ''})`
  /** @type {Map<string, number>} */
  const changes = new Map()
  for (const [counted, sign] of /** @type {const} */ ([[first, 1], [second, -1]])) {
    for (const one of counted) changes.set(placeOf(one), (changes.get(placeOf(one)) ?? 0) + sign * one.blocks)
  }
  return [...changes].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))[0]?.[0]
}
