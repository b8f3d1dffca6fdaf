/** Latencies and garbage collection pauses of servers, from the samples' details. */
import { median } from 'simple-statistics'
import { cellId } from '../../harness/model/cell.js'
import { sum } from '../charts/option.js'
import { spanOf, subtitle } from './captions.js'

/** @import { CellSummary } from '../../harness/judge/summary.js' */
/** @import { Sample } from '../../harness/store/results.js' */
/** @import { Line } from '../sweeps.js' */
/** @import { Queues } from './captions.js' */

const PERCENTILES = [
  { name: 'p50', title: '50 %', symbol: 'circle' },
  { name: 'p90', title: '90 %', symbol: 'diamond' },
  { name: 'p99', title: '99 %', symbol: 'square' },
  { name: 'p999', title: '99.9 %', symbol: 'triangle' }
]
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
 * Latencies that the load generator saw, percentile by percentile.
 *
 * @param {Line} line
 * @param {Map<string, Sample[]>} samples  Samples by cell.
 * @param {Queues} queues
 */
export function latencyDots ({ sweep, parameter, cells }, samples, queues) {
  const measured = readSamples(cells, samples, ({ details }) =>
    details?.client?.latencyMs?.p99 > 0 ? details.client.latencyMs : null
  )
  if (parameter !== null || measured.length === 0) return []
  const rows = measured
    .map(({ cell, seen }) => ({
      name: cell.queue,
      control: cell.queue === sweep.control,
      hue: queues.styleOf(cell.queue).hue,
      dots: PERCENTILES.map(({ name }) => {
        const values = seen.map(latency => latency[name]).filter(value => value > 0)
        if (values.length === 0) return null
        const value = median(values)
        return { value, low: value, high: value }
      }),
      cell: queues.numberOf(cell)
    }))
    .sort((a, b) => (a.dots[2]?.value ?? 0) - (b.dots[2]?.value ?? 0))
  const slowest = spanOf(rows, ({ dots }) => dots[2]?.value ?? 0, 'ms')
  return [
    {
      kind: /** @type {const} */ ('dots'),
      title: `${sweep.scenario}: latency`,
      subtitle: subtitle(sweep, cells[0].params, 'share of the requests answered within'),
      description: `99 % of the requests were answered within ${slowest}.`,
      unit: 'ms',
      x: { title: 'ms', log: true },
      marks: PERCENTILES.map(({ title, symbol }) => ({ title, symbol })),
      rows,
      reference: null
    }
  ]
}

/**
 * Garbage collection pauses, by kind of collection.
 *
 * @param {Line} line
 * @param {Map<string, Sample[]>} samples  Samples by cell.
 * @param {Queues} queues
 */
export function collectionBars ({ sweep, parameter, cells }, samples, queues) {
  const measured = readSamples(cells, samples, ({ details }) => (details?.window?.collections ? details.window : null))
  const kinds = Object.keys(COLLECTIONS).filter(kind =>
    measured.some(({ seen }) => seen.some(({ collections }) => collections[kind]))
  )
  if (parameter !== null || kinds.length === 0) return []
  const rows = measured
    .map(({ cell, seen }) => ({
      name: cell.queue,
      control: cell.queue === sweep.control,
      values: kinds.map(kind =>
        median(seen.map(({ collections, windowMs }) => (1000 * (collections[kind]?.pauseMs ?? 0)) / windowMs))
      ),
      cell: queues.numberOf(cell)
    }))
    .sort((a, b) => sum(a.values) - sum(b.values))
  return [
    {
      kind: /** @type {const} */ ('bars'),
      title: `${sweep.scenario}: garbage collection pauses`,
      subtitle: subtitle(sweep, cells[0].params, 'by kind of collection'),
      description: `From ${spanOf(rows, ({ values }) => sum(values), 'ms a second')}.`,
      unit: 'ms/s',
      x: { title: 'ms of pause per second of load', log: false },
      parts: kinds.map(kind => COLLECTIONS[kind]),
      rows
    }
  ]
}

/**
 * @template T
 * @param {CellSummary[]} cells
 * @param {Map<string, Sample[]>} samples  Samples by cell.
 * @param {(sample: Sample) => T | null | undefined} read
 * @returns {{cell: CellSummary, seen: T[]}[]} for cells with any
 */
function readSamples (cells, samples, read) {
  return cells
    .map(cell => ({ cell, seen: (samples.get(cellId(cell)) ?? []).flatMap(sample => read(sample) ?? []) }))
    .filter(({ seen }) => seen.length > 0)
}
