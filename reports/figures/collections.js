/** Garbage collection pauses, by kind of collection. */
import { median, readSamples, spanOf, subtitle } from './captions.js'

/** Every kind that the server under load reports. @type {Map<string, string>} */
const TITLES = new Map(Object.entries({ minor: 'minor', incremental: 'incremental', major: 'major', weakCallbacks: 'weak callbacks', other: 'other' }))

/**
 * @param {import('../sweeps.js').Line} line
 * @param {Map<string, import('../../harness/store/results.js').Sample[]>} taken  By cell.
 * @param {import('./captions.js').Queues} queues
 */
export function collectionBars ({ sweep, parameter, cells }, taken, queues) {
  const measured = readSamples(cells, taken, queues, ({ details }) => details?.window?.collections ? details.window : null)
  const kinds = [...TITLES.keys()].filter(kind => measured.some(({ seen }) => seen.some(({ collections }) => collections[kind])))
  if (parameter !== null || kinds.length === 0) return []
  const rows = measured.map(({ cell, seen }) => ({
    name: cell.queue,
    control: cell.queue === sweep.control,
    values: kinds.map(kind => median(seen.map(({ collections, windowMs }) => 1000 * (collections[kind]?.pauseMs ?? 0) / windowMs))),
    cell: queues.numberOf(cell)
  })).sort((a, b) => sum(a.values) - sum(b.values))
  return [{
    kind: /** @type {const} */ ('bars'),
    title: `${sweep.scenario}: garbage collection pauses`,
    subtitle: subtitle(sweep, cells[0].params, 'by kind of collection'),
    description: `From ${spanOf(rows, ({ values }) => sum(values), 'ms a second')}.`,
    unit: 'ms/s',
    x: { title: 'ms of pause per second of load', log: false },
    parts: kinds.map(kind => /** @type {string} */ (TITLES.get(kind))),
    rows
  }]
}

/** @param {number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)
