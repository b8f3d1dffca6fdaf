/** Queues and scenarios with what they declare. */
import { formatPercent } from '../../harness/model/numbers.js'
import { section, warnings, words } from '../blocks.js'

/**
 * @typedef {object} List  timerq-list/1
 * @property {(ListedQueue | MissingQueue)[]} queues
 * @property {Pick<import('../../scenarios/contract.js').ScenarioMeta, 'name' | 'title' | 'kind' | 'parameters' | 'presets' | 'source'>[]} scenarios
 *
 * @typedef {import('../../queues/contract.js').QueueMeta & {origin: string}} ListedQueue
 * @typedef {{name: string, origin: string, missing: string}} MissingQueue  Its package is not installed.
 */

/**
 * @param {List} list
 * @returns {import('../blocks.js').Document}
 */
export function listDocument ({ queues, scenarios }) {
  const missing = queues.flatMap(queue => 'missing' in queue ? [queue.missing] : [])
  return {
    title: '',
    blocks: [],
    sections: [
      section('Queues', [queueTable('', queues.flatMap(queue => 'missing' in queue ? [] : [queue])), ...warnings(missing)]),
      section('Scenarios', [{
        kind: 'table',
        caption: '',
        columns: ['name', 'kind', 'what', 'parameters (quick)'].map(title => words(title)),
        rows: scenarios.map(({ name, kind, title, presets }) => {
          const values = Object.entries(presets.quick).map(([parameter, values]) => `${parameter}=${values.join(',')}`)
          return { cells: [name, kind, title, values.join(' ')].map(text => ({ text })) }
        })
      }])
    ]
  }
}

/**
 * @param {string} caption
 * @param {ListedQueue[]} queues
 * @returns {import('../blocks.js').Table}
 */
export function queueTable (caption, queues) {
  const titles = ['insert', 'cancel', 'reschedule', 'next', 'advance', 'order', 'accuracy', 'origin']
  return {
    kind: 'table',
    caption,
    columns: [words('queue'), words('what', { wide: true }), ...titles.map(title => words(title))],
    rows: queues.map(({ name, origin, title, complexity: c, order, accuracy }) => ({
      cells: [name, title, c.insert, c.cancel, c.reschedule, c.nextExpiry, c.advance, order, formatAccuracy(accuracy), origin].map(text => ({ text }))
    }))
  }
}

/** @param {import('../../queues/contract.js').QueueMeta['accuracy']} accuracy */
const formatAccuracy = accuracy => accuracy === 'exact' ? 'exact' : `${formatPercent(accuracy.relative)} late`
