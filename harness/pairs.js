/**
 * Samples of two sides in pairs, each with its ratio: every comparison of times rests on them. Samples of one heat were
 * taken at the same time and are compared slice by slice; others are compared with the sample of the same round.
 */
import { median } from 'simple-statistics'
import { metrics } from './model/metrics.js'

/**
 * @typedef {import('./results.js').Sample} Sample
 *
 * @typedef {object} Pair
 * @property {number} round
 * @property {number} base
 * @property {number} head
 * @property {number} [ratio]  Of their slices, where they have them; else it is head / base.
 */

/** A sample of these kinds is lost alone: its cell goes on. */
const LOSSES = ['time-limit', 'load']

/** @param {Sample} sample */
export function isLost ({ failure }) {
  return failure !== undefined && LOSSES.includes(failure.kind)
}

/** Of one cell, of any kind: then it is given up. */
const FAILURES_ALLOWED = 2

/**
 * One sample lost is no more than that: something else may have killed its process. A cell that fails again is given up. So is
 * one whose first sample used up its CPU time, which no other program can do to it, or fired the wrong timers, at once.
 *
 * @param {Sample[]} samples  Of one cell, in the order in which they were taken.
 * @returns {Sample['failure']} the failure for which it is given up
 */
export function fatalFailure (samples) {
  const failures = samples.flatMap(({ failure }) => failure ?? [])
  const isTooSlow = samples[0]?.failure?.kind === 'time-limit'
  return failures.find(({ kind }) => kind === 'wrong') ?? (isTooSlow ? failures[0] : failures[FAILURES_ALLOWED - 1])
}

/**
 * CPU time is compared within heats, which is more certain. What clients notice, throughput for example, is compared
 * between windows in which a server had the machine for itself. The other channel serves where the first has nothing.
 *
 * @param {Sample[]} samples
 * @param {string} metric
 * @returns {Sample[]} of one channel
 */
export function samplesOf (samples, metric) {
  const [heats, windows] = ['heat', 'time'].map(wanted => samples.filter(({ channel }) => channel === wanted))
  const preferred = metrics[metric].role === 'time' ? [heats, windows] : [windows, heats]
  return preferred.find(taken => taken.some(sample => metric in sample.metrics)) ?? preferred.find(({ length }) => length > 0) ?? []
}

/**
 * A sample that was lost is not lost by chance: most are lost because they took too long. So it counts as infinitely
 * slow, on whichever side. Pairs that lost both say nothing.
 *
 * @param {Sample[]} base
 * @param {Sample[]} head
 * @param {string} metric
 * @returns {(Pair & {ratio: number})[]}  The ratio of head to base.
 */
export function pairedRatios (base, head, metric) {
  const both = new Set(samplesOf([...base, ...head], metric))
  const baseOf = new Map(base.filter(sample => both.has(sample)).map(sample => [keyOf(sample), sample]))
  return head.filter(sample => both.has(sample)).flatMap(ofHead => {
    const ofBase = baseOf.get(keyOf(ofHead))
    const pair = ofBase && pairOf(ofBase, ofHead, metric)
    return pair ? [pair] : []
  })
}

/**
 * @param {Sample} base
 * @param {Sample} head
 * @param {string} metric
 */
function pairOf (base, head, metric) {
  const { better, grain = 0 } = metrics[metric]
  const infinitelySlow = better === 'lower' ? Infinity : 0
  const valueOf = (/** @type {Sample} */ sample) => isLost(sample) ? infinitelySlow : Math.max(grain, sample.metrics[metric] ?? NaN)
  // What is too little for the clock has no ratio.
  const isUsable = (/** @type {Sample} */ sample) => isLost(sample) || valueOf(sample) > 0
  if (!isUsable(base) || !isUsable(head) || (isLost(base) && isLost(head))) return null
  const pair = { round: head.round, base: valueOf(base), head: valueOf(head) }
  return { ...pair, ratio: heatRatio(head, base, metric) ?? pair.head / pair.base }
}

/**
 * The ratio of two samples of one heat: the median over the slices in which both measured something.
 *
 * @param {Sample} sample
 * @param {Sample} control
 * @param {string} metric
 * @returns {number | null} null where they have no slice in common
 */
export function heatRatio (sample, control, metric) {
  const own = sample.slices?.[metric] ?? []
  const others = control.slices?.[metric] ?? []
  const ratios = own.flatMap((value, slice) => {
    const other = others[slice]
    return value !== null && other !== null && other !== undefined && other > 0 ? [value / other] : []
  })
  return ratios.length > 0 ? median(ratios) : null
}

/** @param {Sample} sample */
const keyOf = ({ heat, round }) => heat ?? round
