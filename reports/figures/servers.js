/** Latencies and garbage collection pauses of servers, from the samples' details. */
import { median } from 'simple-statistics'
import { cellId } from '../../harness/model/cell.js'
import { groupBy } from '../../harness/model/group-by.js'
import { sum } from '../charts/option.js'
import { byMedian, inWords, subtitle } from './captions.js'

/** @import { CellSummary } from '../../harness/judge/summary.js' */
/** @import { Sample } from '../../harness/store/results.js' */
/** @import { Line } from '../sweeps.js' */
/** @import { MarksOf } from './captions.js' */

const PERCENTILES = [
  { name: 'p50', title: '50 %', symbol: 'circle' },
  { name: 'p90', title: '90 %', symbol: 'diamond' },
  { name: 'p99', title: '99 %', symbol: 'square' },
  { name: 'p999', title: '99.9 %', symbol: 'triangle' }
]
/** Index of the percentile that orders the queues. */
const ORDERING = 2
/**
 * Kinds of collection that the server under load reports.
 *
 * @type {Record<string, string>}
 */
const COLLECTIONS = {
  minor: 'minor',
  incremental: 'incremental',
  major: 'major',
  weakCallbacks: 'weak callbacks',
  other: 'other'
}

/**
 * Samples of servers that had the machine for themselves; without any, those of their heats.
 *
 * @param {Iterable<Sample>} samples
 * @param {CellSummary[]} cells  All cells of one scenario.
 * @returns {Map<string, Sample[]>} by cell
 */
export function servedSamples (samples, cells) {
  const ids = new Set(cells.map(cellId))
  const valid = [...samples].filter(({ cell, failure }) => ids.has(cell) && !failure)
  const alone = valid.filter(sample => sample.kind === 'alone')
  return groupBy(alone.length > 0 ? alone : valid.filter(sample => sample.kind === 'heat'), ({ cell }) => cell)
}

/**
 * Latencies that the load generator saw, percentile by percentile.
 *
 * @param {Line} line
 * @param {Map<string, Sample[]>} samples  Samples by cell.
 * @param {MarksOf} marksOf
 */
export function latencyDots (line, samples, marksOf) {
  const measured = readSamples(
    line,
    samples,
    ({ details }) => (details?.client?.latencyMs?.p99 > 0 ? details.client.latencyMs : null),
    seen =>
      PERCENTILES.map(({ name }) => {
        const values = seen.map(latency => latency[name]).filter(value => value > 0)
        return values.length === 0 ? null : median(values)
      }),
    values => values[ORDERING] ?? 0
  )
  if (measured.length === 0) return []
  return [
    {
      kind: /** @type {const} */ ('dots'),
      title: `${line.sweep.scenario}: latency`,
      subtitle: subtitle(line, 'share of the requests answered within'),
      description: `99 % of the requests were answered within: ${inWords(measured, 'ms')}.`,
      unit: 'ms',
      x: { title: 'ms', log: true },
      marks: PERCENTILES.map(({ title, symbol }) => ({ title, symbol })),
      rows: measured.map(({ cell, values }) => ({
        ...marksOf(cell),
        dots: values.map(value => (value === null ? null : { value, low: value, high: value }))
      })),
      reference: null
    }
  ]
}

/**
 * Garbage collection pauses, by kind of collection.
 *
 * @param {Line} line
 * @param {Map<string, Sample[]>} samples  Samples by cell.
 * @param {MarksOf} marksOf
 */
export function collectionBars (line, samples, marksOf) {
  const measured = readSamples(
    line,
    samples,
    ({ details }) => (details?.window?.collections ? details.window : null),
    seen =>
      Object.keys(COLLECTIONS).map(kind =>
        median(seen.map(({ collections, windowMs }) => (1000 * (collections[kind]?.pauseMs ?? 0)) / windowMs))
      ),
    sum
  )
  const kinds = Object.values(COLLECTIONS).flatMap((title, i) =>
    measured.some(({ values }) => values[i] > 0) ? [{ title, i }] : []
  )
  if (kinds.length === 0) return []
  return [
    {
      kind: /** @type {const} */ ('bars'),
      title: `${line.sweep.scenario}: garbage collection pauses`,
      subtitle: subtitle(line, 'by kind of collection'),
      description: `${inWords(measured, 'ms a second')}.`,
      unit: 'ms/s',
      x: { title: 'ms of pause per second of load', log: false },
      parts: kinds.map(({ title }) => title),
      rows: measured.map(({ cell, values }) => ({ ...marksOf(cell), values: kinds.map(({ i }) => values[i]) }))
    }
  ]
}

/**
 * @template T
 * @template {number | null} V
 * @param {Line} line
 * @param {Map<string, Sample[]>} samples  Samples by cell.
 * @param {(sample: Sample) => T | null | undefined} read
 * @param {(seen: T[]) => V[]} valuesOf
 * @param {(values: V[]) => number} costOf  Orders the queues.
 * @returns cells with any such sample, the lowest cost first; none along a sweep
 */
function readSamples ({ parameter, cells }, samples, read, valuesOf, costOf) {
  return (parameter === null ? cells : [])
    .flatMap(cell => {
      const seen = (samples.get(cellId(cell)) ?? []).flatMap(sample => read(sample) ?? [])
      if (seen.length === 0) return []
      const values = valuesOf(seen)
      const cost = costOf(values)
      return [{ cell, values, figures: { median: cost, low: cost, high: cost, n: seen.length } }]
    })
    .sort(byMedian)
}
