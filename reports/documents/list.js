/** Queues and scenarios with their declarations. */
import { compact } from '../../harness/model/compact.js'
import { formatPercent } from '../../harness/model/numbers.js'
import { createDocument, list, section, table, warnings, words } from '../blocks.js'

/**
 * @import { QueueMeta } from '../../queues/contract.js'
 * @import { ScenarioMeta } from '../../scenarios/contract.js'
 * @import { Document } from '../blocks.js'
 *
 * @typedef {object} List  timerq-list/1
 * @property {(ListedQueue | MissingQueue)[]} queues
 * @property {Pick<ScenarioMeta, 'name' | 'title' | 'kind' | 'parameters' | 'presets' | 'source'>[]} scenarios
 *
 * @typedef {QueueMeta & {origin: string}} ListedQueue
 *
 * @typedef {{name: string, origin: string, missing: string}} MissingQueue  Its package is not installed.
 */

/**
 * Groups of queues and of scenarios.
 *
 * @type {Record<string, string>}
 */
const KINDS = {
  'built-in': 'In Node',
  own: 'In timerq',
  peer: 'npm packages, behind adapters',
  user: 'Your own',
  micro: 'In one process, in virtual time',
  http: 'A real server under load',
  code: 'A workload without a queue'
}
/** Columns of a terminal with room for the whole declaration of a queue. */
const WIDE_QUEUES = 112
/**
 * A user's queue in a run may declare less than the contract asks for.
 *
 * @type {Partial<QueueMeta['complexity']>}
 */
const NOT_DECLARED = {}

/**
 * @param {List} list
 * @param {number} width  Columns of the terminal, 80 at least.
 * @returns {Document}
 */
export function listDocument ({ queues, scenarios }, width) {
  const missing = queues.flatMap(queue => ('missing' in queue ? [queue.missing] : []))
  const installed = queues.flatMap(queue => ('missing' in queue ? [] : [queue]))
  const isWide = width >= WIDE_QUEUES
  return createDocument(
    [],
    [
      section('Queues (--queue)', [
        queueTable(installed, { isWide }),
        list(explainQueues(installed, isWide)),
        warnings(missing)
      ]),
      section('Scenarios (--scenario), with the parameters of the quick preset', [scenarioTable(scenarios)])
    ]
  )
}

/**
 * @param {ListedQueue[]} queues
 * @param {{caption?: string, isWide?: boolean}} [options]
 */
export const queueTable = (queues, { caption = '', isWide = true } = {}) =>
  table({
    caption,
    columns: [
      'queue',
      words('what', { wide: true }),
      words('origin', { narrow: 'group' }),
      'insert',
      'cancel',
      'reschedule',
      'next',
      'advance',
      words('order', { wide: !isWide }),
      words('accuracy', { wide: !isWide })
    ],
    rows: queues.map(({ name, title, origin, complexity: c = NOT_DECLARED, order = '-', accuracy }) => [
      name,
      title ?? '-',
      KINDS[origin] ?? '-',
      ...[c.insert, c.cancel, c.reschedule, c.nextExpiry, c.advance].map(
        (complexity = '-') => complexity.replace(/^O\((.*)\)/, '$1').replace(' amortised', '*')
      ),
      order,
      formatAccuracy(accuracy)
    ])
  })

/** Explains the table of queues. */
export const NOTATION = 'In O notation, for n pending timers of which k expire; * amortised.'

/**
 * @param {ListedQueue[]} queues
 * @param {boolean} isWide
 */
function explainQueues (queues, isWide) {
  const coarse = isWide ? [] : queues.filter(({ accuracy }) => accuracy !== 'exact')
  return [
    NOTATION,
    ...coarse.map(({ name, accuracy }) => `${name} may fire ${formatAccuracy(accuracy)}; the others are exact.`)
  ]
}

/** @param {List['scenarios']} scenarios */
const scenarioTable = scenarios =>
  table({
    columns: ['', words('kind', { narrow: 'group' }), words('what', { narrow: 'note' })],
    rows: scenarios.map(({ name, kind, title, presets }) => {
      const values = Object.entries(presets.quick).map(([parameter, values]) => `${parameter}=${values.join(',')}`)
      return [name, KINDS[kind], compact(title, values.join(' ')).join('\n')]
    })
  })

/** @param {QueueMeta['accuracy'] | undefined} accuracy */
const formatAccuracy = accuracy =>
  accuracy === undefined ? '-' : accuracy === 'exact' ? 'exact' : `${formatPercent(accuracy.relative)} late`
