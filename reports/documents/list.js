import { getBorderCharacters, table } from 'table'

/**
 * @typedef {object} List  timerq-list/1
 * @property {(ListedQueue | MissingQueue)[]} queues
 * @property {Pick<import('../../scenarios/contract.js').ScenarioMeta, 'name' | 'title' | 'kind' | 'parameters' | 'presets' | 'source'>[]} scenarios
 */

/**
 * @typedef {import('../../queues/contract.js').QueueMeta & {origin: string}} ListedQueue
 * @typedef {{name: string, origin: string, missing: string}} MissingQueue  Its package is not installed.
 *
 * @param {List} list
 */
export function renderList ({ queues, scenarios }) {
  return [
    'Queues',
    columns([
      ['name', 'origin', 'insert', 'cancel', 'reschedule', 'next', 'advance', 'order', 'accuracy'],
      ...queues.flatMap(queue => 'missing' in queue ? [] : [describeQueue(queue)])
    ]),
    ...queues.flatMap(queue => 'missing' in queue ? [`  ${queue.missing}`] : []),
    '',
    'Scenarios',
    columns([
      ['name', 'kind', 'what', 'parameters (quick)'],
      ...scenarios.map(({ name, kind, title, presets }) => [name, kind, title,
        Object.entries(presets.quick).map(([parameter, values]) => `${parameter}=${values.join(',')}`).join(' ')])
    ])
  ].join('\n')
}

/** @param {ListedQueue} queue */
function describeQueue ({ name, origin, complexity, order, accuracy }) {
  return [name, origin, complexity.insert, complexity.cancel, complexity.reschedule, complexity.nextExpiry, complexity.advance,
    order, formatAccuracy(accuracy)]
}

/** @param {import('../../queues/contract.js').QueueMeta['accuracy']} accuracy */
export function formatAccuracy (accuracy) {
  return accuracy === 'exact' ? 'exact' : `${accuracy.relative * 100} % late`
}

/** @param {string[][]} rows */
function columns (rows) {
  return table(rows, {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 2, paddingRight: 0 },
    drawHorizontalLine: () => false
  }).replaceAll(/ +$/gm, '')
}
