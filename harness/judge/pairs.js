/**
 * Samples of two sides in pairs, each with its ratio: every comparison of times rests on them. Samples of one heat were
 * taken at the same time and are compared slice by slice; others are compared with the sample of the same round.
 */
import { mean, median } from 'simple-statistics'
import { metrics } from '../model/metrics.js'
import { withoutEnds } from './statistics/t-interval.js'

/**
 * @typedef {import('../store/results.js').Sample} Sample
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
 * @param {Pick<Sample, 'failure'>[]} samples  Of one cell, in the order in which they were taken.
 * @returns {Sample['failure']} the failure for which it is given up
 */
export function fatalFailure (samples) {
  const failures = samples.flatMap(({ failure }) => failure ?? [])
  const isTooSlow = samples[0]?.failure?.kind === 'time-limit'
  return failures.find(({ kind }) => kind === 'wrong') ?? (isTooSlow ? failures[0] : failures[FAILURES_ALLOWED - 1])
}

/**
 * CPU time is compared within heats, which is more certain. What clients notice, throughput for example, is compared
 * between windows in which a server had the machine for itself. The other kind serves where the first has nothing.
 *
 * @param {Sample[]} samples
 * @param {string} metric
 * @returns {'heat' | 'alone' | undefined} undefined where there is neither
 */
export function kindOf (samples, metric) {
  const preferred = metrics[metric].role === 'time' ? /** @type {const} */ (['heat', 'alone']) : /** @type {const} */ (['alone', 'heat'])
  return preferred.find(wanted => samples.some(sample => sample.kind === wanted && metric in sample.metrics)) ??
    preferred.find(wanted => samples.some(({ kind }) => kind === wanted))
}

/**
 * @param {Sample[]} samples
 * @param {string} metric
 * @returns {Sample[]} those of the kind by which they are compared
 */
export function samplesOf (samples, metric) {
  const wanted = kindOf(samples, metric)
  return samples.filter(({ kind }) => kind === wanted)
}

/**
 * A sample that was lost is not lost by chance: most are lost because they took too long. So it counts as infinitely
 * slow, on whichever side. Pairs that lost both say nothing.
 *
 * @param {Sample[]} base
 * @param {Sample[]} head
 * @param {string} metric
 * @param {Sample[]} [control]  In every heat. In rounds in which base and head were in different heats of a table, each is
 *   compared with the control of its own: such a pair scatters more, but leans to neither side.
 * @returns {(Pair & {ratio: number})[]}  The ratio of head to base. One a round, unless either is in several heats of it.
 */
export function pairedRatios (base, head, metric, control = []) {
  const wanted = kindOf([...base, ...head], metric)
  const [ofBase, ofHead] = [base, head].map(samples => samples.filter(({ kind }) => kind === wanted))
  const baseOf = new Map(ofBase.map(sample => [keyOf(sample), sample]))
  const met = new Set(ofHead.filter(sample => baseOf.has(keyOf(sample))).map(({ round }) => round))
  const isSplit = ofHead.some(({ round }) => !met.has(round))
  const baseIn = isSplit ? firstBy(ofBase, ({ round }) => round) : new Map()
  const controlIn = isSplit ? firstBy(control, ({ heat }) => heat) : new Map()
  return ofHead.flatMap(sample => {
    const hasMet = met.has(sample.round)
    const other = hasMet ? baseOf.get(keyOf(sample)) : baseIn.get(sample.round)
    return (other && (hasMet ? pairOf(other, sample, metric) : pairThrough(controlIn, other, sample, metric))) ?? []
  })
}

/**
 * @template K
 * @param {Sample[]} samples
 * @param {(sample: Sample) => K} keyOf
 * @returns {Map<K, Sample>} the first of each key
 */
function firstBy (samples, keyOf) {
  const found = new Map()
  for (const sample of samples) {
    const key = keyOf(sample)
    if (!found.has(key)) found.set(key, sample)
  }
  return found
}

/**
 * @param {Map<string | undefined, Sample>} controlIn  By heat.
 * @param {Sample} base
 * @param {Sample} head  Of another heat.
 * @param {string} metric
 */
function pairThrough (controlIn, base, head, metric) {
  const [toBase, toHead] = [base, head].map(sample => {
    const own = sample.heat === undefined ? undefined : controlIn.get(sample.heat)
    return own && !isLost(own) ? pairOf(own, sample, metric) : null
  })
  if (!toBase || !toHead || (isLost(base) && isLost(head))) return null
  return { round: head.round, base: toBase.head, head: toHead.head, ratio: toHead.ratio / toBase.ratio }
}

/**
 * @param {Sample} base
 * @param {Sample} head
 * @param {string} metric
 */
function pairOf (base, head, metric) {
  const [one, other] = [valueOf(base, metric), valueOf(head, metric)]
  // What is too little for the clock has no ratio.
  const isUsable = (one > 0 || isLost(base)) && (other > 0 || isLost(head)) && !(isLost(base) && isLost(head))
  if (!isUsable) return null
  return { round: head.round, base: one, head: other, ratio: heatRatio(head, base, metric) ?? other / one }
}

/**
 * @param {Sample} sample
 * @param {string} metric
 * @returns {number} NaN where it was not measured
 */
function valueOf (sample, metric) {
  const { better, grain = 0 } = metrics[metric]
  // Infinitely slow.
  if (isLost(sample)) return better === 'lower' ? Infinity : 0
  return Math.max(grain, sample.metrics[metric] ?? NaN)
}

/** Of the slices at either end: so many of a heat may be far off. */
const TRIMMED = 0.2

/**
 * The ratio of two samples of one heat, over the slices in which both measured something: the median. Servers answer what has come since
 * they last looked in one go, hundreds of requests. Where the end of a slice cuts that in two, what one slice lacks the next has too much,
 * so theirs is a mean, of all but the lowest and the highest fifth.
 *
 * @param {Sample} sample
 * @param {Sample} control
 * @param {string} metric
 * @returns {number | null} null where they have no slices in common
 */
export function heatRatio (sample, control, metric) {
  const own = sample.slices?.[metric]
  const others = control.slices?.[metric]
  if (!own || own.length !== others?.length) return null
  const ratios = []
  // A plain loop: a report of a long run comes here ten million times.
  for (let slice = 0; slice < own.length; slice++) {
    const value = own[slice]
    const other = others[slice]
    if (value !== null && other !== null && other !== undefined && other > 0) ratios.push(value / other)
  }
  if (ratios.length === 0) return null
  return metrics[metric].isBatched ? trimmedMean(ratios) : median(ratios)
}

/**
 * Geometric, so that it does not matter which of the two is the control.
 *
 * @param {number[]} ratios
 */
function trimmedMean (ratios) {
  return Math.exp(mean(withoutEnds(ratios.map(Math.log), Math.floor(TRIMMED * ratios.length))))
}

/** @param {Sample} sample */
const keyOf = ({ heat, round }) => heat ?? round
