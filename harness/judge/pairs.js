/**
 * Pairs of samples of two sides, each with its ratio, and the ratio of two cells over all pairs: the basis of every
 * comparison of times. Samples of one heat are compared slice by slice, samples measured alone by round.
 */
import { median } from 'simple-statistics'
import { groupBy } from '../model/group-by.js'
import { metrics } from '../model/metrics.js'
import { ratioInterval, trimmedMean } from './statistics/interval.js'

/** @import { Cell } from '../model/cell.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { Pair, Ratio } from './records.js' */

/** Kinds of failures that cost only one sample. */
const LOSSES = ['time-limit', 'load']
/** Other failures that end a cell. */
const FAILURES_ALLOWED = 2
/** Share of slices trimmed at each end of a batched metric. */
const TRIMMED = 0.2

/**
 * @param {Iterable<Sample>} samples
 * @returns {(cell: Pick<Cell, 'id'> | undefined) => Sample[]}
 */
export function samplesByCell (samples) {
  const byCell = groupBy(samples, ({ cell }) => cell)
  return cell => byCell.get(cell?.id ?? '') ?? []
}

/** @param {Sample} sample */
export function isLost ({ failure }) {
  return failure !== undefined && LOSSES.includes(failure.kind)
}

/**
 * A first failure costs one sample: another program may have killed its process. A second failure ends the cell. Wrong
 * timers, or a first sample that used up its CPU time, end the cell at once: no other program can cause either.
 *
 * @param {Pick<Sample, 'failure'>[]} samples  Samples of one cell, in the order of measuring.
 * @returns {Sample['failure']} the failure that ends the cell
 */
export function fatalFailure (samples) {
  const failures = samples.flatMap(({ failure }) => failure ?? [])
  const isTooSlow = samples[0]?.failure?.kind === 'time-limit'
  return failures.find(({ kind }) => kind === 'wrong') ?? (isTooSlow ? failures[0] : failures[FAILURES_ALLOWED - 1])
}

/**
 * CPU time is compared within heats, which is more precise; throughput and latency between windows, in which a server
 * has the machine to itself. Either falls back on the other kind.
 *
 * @param {Sample[]} samples
 * @param {string} metric
 * @returns {'heat' | 'alone' | undefined} undefined where there are samples of neither
 */
export function kindOf (samples, metric) {
  const preferred =
    metrics[metric].role === 'time'
      ? /** @type {const} */ (['heat', 'alone'])
      : /** @type {const} */ (['alone', 'heat'])
  return (
    preferred.find(kind => samples.some(sample => sample.kind === kind && metric in sample.metrics)) ??
    preferred.find(kind => samples.some(sample => sample.kind === kind))
  )
}

/**
 * Samples of the kind by which the metric is compared.
 *
 * @param {Sample[]} samples
 * @param {string} metric
 */
export function samplesOf (samples, metric) {
  const compared = kindOf(samples, metric)
  return samples.filter(({ kind }) => kind === compared)
}

/**
 * @param {Sample[]} samples
 * @param {{to: string, samples: Sample[], control?: Sample[]}} other  `control`: of their table, see pairedRatios.
 * @param {string} metric
 * @returns {Ratio | null} null where no pair was measured
 */
export function ratioOf (samples, other, metric) {
  const ratios = pairedRatios(other.samples, samples, metric, other.control)
    .map(({ ratio }) => ratio)
    .filter(ratio => ratio > 0 && ratio < Infinity)
  if (ratios.length === 0) return null
  return {
    to: other.to,
    by: kindOf([...other.samples, ...samples], metric) === 'heat' ? 'heat' : 'round',
    ...ratioInterval(ratios)
  }
}

/**
 * Most lost samples took too long, so a lost sample counts as infinitely slow, on either side. A pair of two lost
 * samples is dropped.
 *
 * @param {Sample[]} base
 * @param {Sample[]} head
 * @param {string} metric
 * @param {Sample[]} [control]  Samples of the control in every heat. Where base and head ran in different heats
 *   of a round, each is compared with the control of its heat: such a pair scatters more, but leans to neither side.
 * @returns {Pair[]} ratios of head to base, one a round, unless a side is in several heats of a
 *   round
 */
export function pairedRatios (base, head, metric, control = []) {
  const compared = kindOf([...base, ...head], metric)
  const [baseSamples, headSamples] = [base, head].map(samples => samples.filter(({ kind }) => kind === compared))
  const baseOf = new Map(baseSamples.map(sample => [keyOf(sample), sample]))
  const met = new Set(headSamples.filter(sample => baseOf.has(keyOf(sample))).map(({ round }) => round))
  const isSplit = headSamples.some(({ round }) => !met.has(round))
  const baseIn = isSplit ? firstBy(baseSamples, ({ round }) => round) : new Map()
  const controlIn = isSplit ? firstBy(control, ({ heat }) => heat) : new Map()
  return headSamples.flatMap(sample => {
    const hasMet = met.has(sample.round)
    const other = hasMet ? baseOf.get(keyOf(sample)) : baseIn.get(sample.round)
    return (other && (hasMet ? pairOf(other, sample, metric) : pairThrough(controlIn, other, sample, metric))) ?? []
  })
}

/** @param {Sample} sample */
const keyOf = ({ heat, round }) => heat ?? round

/**
 * First of each key.
 *
 * @template K
 * @param {Sample[]} samples
 * @param {(sample: Sample) => K} keyOf
 * @returns {Map<K, Sample>}
 */
const firstBy = (samples, keyOf) => new Map(samples.toReversed().map(sample => [keyOf(sample), sample]))

/**
 * Pair of two heats.
 *
 * @param {Map<string | undefined, Sample>} controlIn
 * @param {Sample} base
 * @param {Sample} head
 * @param {string} metric
 */
function pairThrough (controlIn, base, head, metric) {
  const [toBase, toHead] = [base, head].map(sample => {
    const control = sample.heat === undefined ? undefined : controlIn.get(sample.heat)
    return control && !isLost(control) ? pairOf(control, sample, metric) : null
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
  const [before, after] = [valueOf(base, metric), valueOf(head, metric)]
  // Zero is below the clock's resolution and has no ratio.
  const isUsable = (before > 0 || isLost(base)) && (after > 0 || isLost(head)) && !(isLost(base) && isLost(head))
  if (!isUsable) return null
  return { round: head.round, base: before, head: after, ratio: heatRatio(head, base, metric) ?? after / before }
}

/**
 * @param {Sample} sample
 * @param {string} metric
 * @returns {number} NaN: not measured
 */
function valueOf (sample, metric) {
  const { better, grain = 0 } = metrics[metric]
  if (isLost(sample)) return better === 'lower' ? Infinity : 0
  return Math.max(grain, sample.metrics[metric] ?? NaN)
}

/**
 * Ratio of two samples of one heat: the median over common slices. Servers answer hundreds of requests in one batch,
 * and the end of a slice may cut a batch: the next slice then has too much of what this slice lacks. So the ratio of a
 * batched metric is a trimmed mean, geometric for the sake of symmetry.
 *
 * @param {Sample} sample
 * @param {Sample} control
 * @param {string} metric
 * @returns {number | null} null where they have no slices in common
 */
export function heatRatio (sample, control, metric) {
  const slices = sample.slices?.[metric]
  const controlSlices = control.slices?.[metric]
  if (!slices || slices.length !== controlSlices?.length) return null
  const ratios = []
  // A plain loop: a report of a long run makes ten million calls.
  for (let slice = 0; slice < slices.length; slice++) {
    const value = slices[slice]
    const other = controlSlices[slice]
    if (value !== null && other !== null && other !== undefined && other > 0) ratios.push(value / other)
  }
  if (ratios.length === 0) return null
  return metrics[metric].isBatched ? Math.exp(trimmedMean(ratios.map(Math.log), TRIMMED).estimate) : median(ratios)
}
