/** Latencies that the load generator saw, percentile by percentile. */
import { median, readSamples, spanOf, subtitle } from './captions.js'

const PERCENTILES = [
  { name: 'p50', title: '50 %', symbol: 'circle' },
  { name: 'p90', title: '90 %', symbol: 'diamond' },
  { name: 'p99', title: '99 %', symbol: 'square' },
  { name: 'p999', title: '99.9 %', symbol: 'triangle' }
]

/**
 * @param {import('../sweeps.js').Line} line
 * @param {Map<string, import('../../harness/store/results.js').Sample[]>} taken  By cell.
 * @param {import('./captions.js').Queues} queues
 */
export function latencyDots ({ sweep, parameter, cells }, taken, queues) {
  const measured = readSamples(cells, taken, queues, ({ details }) => details?.client?.latencyMs?.p99 > 0 ? details.client.latencyMs : null)
  if (parameter !== null || measured.length === 0) return []
  const rows = measured.map(({ cell, seen }) => ({
    name: cell.queue,
    control: cell.queue === sweep.control,
    hue: queues.styleOf(cell.queue).hue,
    dots: PERCENTILES.map(({ name }) => {
      const values = seen.map(latency => latency[name]).filter(value => value > 0)
      return values.length === 0 ? null : withoutInterval(median(values))
    }),
    cell: queues.numberOf(cell)
  })).sort((a, b) => (a.dots[2]?.value ?? 0) - (b.dots[2]?.value ?? 0))
  return [{
    kind: /** @type {const} */ ('dots'),
    title: `${sweep.scenario}: latency`,
    subtitle: subtitle(sweep, cells[0].params, 'share of the requests answered within'),
    description: `99 % of the requests were answered within ${spanOf(rows, ({ dots }) => dots[2]?.value ?? 0, 'ms')}.`,
    unit: 'ms',
    x: { title: 'ms', log: true },
    marks: PERCENTILES.map(({ title, symbol }) => ({ title, symbol })),
    rows,
    reference: null
  }]
}

/** @param {number} value */
const withoutInterval = value => ({ value, low: value, high: value })
