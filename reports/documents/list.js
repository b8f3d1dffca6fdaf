/** Queues and scenarios with what they declare. */
import { formatPercent } from '../../harness/model/numbers.js'
import { list, section, warnings, words } from '../blocks.js'
import { wrap } from '../wrap.js'

/**
 * @typedef {object} List  timerq-list/1
 * @property {(ListedQueue | MissingQueue)[]} queues
 * @property {Pick<import('../../scenarios/contract.js').ScenarioMeta, 'name' | 'title' | 'kind' | 'parameters' | 'presets' | 'source'>[]} scenarios
 *
 * @typedef {import('../../queues/contract.js').QueueMeta & {origin: string}} ListedQueue
 * @typedef {{name: string, origin: string, missing: string}} MissingQueue  Its package is not installed.
 */

/** How queues are told apart, and scenarios. @type {Record<string, string>} */
const KINDS = {
  'built-in': 'In Node',
  own: 'In timerq',
  peer: 'npm packages, behind adapters',
  micro: 'In one process, in virtual time',
  http: 'A real server under load'
}
/** From here on there is room for all that a queue declares. */
const WIDE_QUEUES = 112
/** From here on a scenario is one line. */
const WIDE_SCENARIOS = 190

/**
 * @param {List} list
 * @param {number} width  Columns of the terminal, 80 at least.
 * @returns {import('../blocks.js').Document}
 */
export function listDocument ({ queues, scenarios }, width) {
  const missing = queues.flatMap(queue => 'missing' in queue ? [queue.missing] : [])
  const present = queues.flatMap(queue => 'missing' in queue ? [] : [queue])
  return {
    title: '',
    blocks: [],
    sections: [
      section('Queues (--queue)', [declarationTable(present, width), list(legend(present, width)), ...warnings(missing)]),
      section('Scenarios (--scenario), with the parameters of the quick preset', [scenarioTable(scenarios, width)])
    ]
  }
}

/**
 * @param {ListedQueue[]} queues
 * @param {number} width
 * @returns {import('../blocks.js').Table}
 */
function declarationTable (queues, width) {
  const isWide = width >= WIDE_QUEUES
  return {
    kind: 'table',
    caption: '',
    columns: [
      words('queue'), words('origin', { narrow: 'group' }),
      ...['insert', 'cancel', 'reschedule', 'next', 'advance'].map(title => words(title)),
      words('order', { wide: !isWide }), words('accuracy', { wide: !isWide })
    ],
    rows: queues.map(({ name, origin, complexity: c, order, accuracy }) => ({
      cells: [
        name, KINDS[origin],
        ...[c.insert, c.cancel, c.reschedule, c.nextExpiry, c.advance].map(shortComplexity),
        order, formatAccuracy(accuracy)
      ].map(text => ({ text }))
    }))
  }
}

/**
 * O(log n) amortised: log n *
 *
 * @param {string} complexity
 */
const shortComplexity = complexity => complexity.replace(/^O\((.*)\)/, '$1').replace(' amortised', '*')

/**
 * @param {ListedQueue[]} queues
 * @param {number} width
 */
function legend (queues, width) {
  const coarse = queues.filter(({ accuracy }) => accuracy !== 'exact')
  const bounded = queues.filter(({ pause }) => pause === 'bounded')
  return [
    'In O notation, for n pending timers of which k expire; * amortised.',
    ...(width >= WIDE_QUEUES ? [] : coarse.map(({ name, accuracy }) => `${name} may fire ${formatAccuracy(accuracy)}; the others are exact.`)),
    ...(bounded.length > 0 ? [`No single call moves many timers: ${bounded.map(({ name }) => name).join(', ')}.`] : [])
  ]
}

/**
 * @param {List['scenarios']} scenarios
 * @param {number} width
 * @returns {import('../blocks.js').Table}
 */
function scenarioTable (scenarios, width) {
  const isWide = width >= WIDE_SCENARIOS
  return {
    kind: 'table',
    caption: '',
    columns: [words(''), words('kind', { narrow: 'group' }), ...isWide ? [words('what'), words('parameters (quick)')] : [words('what', { narrow: 'note' })]],
    rows: scenarios.map(({ name, kind, title, presets }) => {
      const values = Object.entries(presets.quick).map(([parameter, values]) => `${parameter}=${values.join(',')}`).join(' ')
      const lines = [title, values].flatMap(text => wrap(text, { width: width - INDENT, indent: '' }))
      return { cells: [name, KINDS[kind], ...isWide ? [title, values] : [lines.join('\n')]].map(text => ({ text })) }
    })
  }
}

/** Of a note in a section. */
const INDENT = 4

/** A run may hold a user's queue that declares less than it should. @type {Partial<ListedQueue['complexity']>} */
const NOT_DECLARED = {}

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
    rows: queues.map(({ name, origin, title, complexity: c = NOT_DECLARED, order, accuracy }) => ({
      cells: [name, title, c.insert, c.cancel, c.reschedule, c.nextExpiry, c.advance, order, formatAccuracy(accuracy), origin].map(text => ({ text: text ?? '-' }))
    }))
  }
}

/** @param {import('../../queues/contract.js').QueueMeta['accuracy'] | undefined} accuracy */
const formatAccuracy = accuracy => accuracy === undefined ? '-' : accuracy === 'exact' ? 'exact' : `${formatPercent(accuracy.relative)} late`
