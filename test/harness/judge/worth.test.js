/** Savings that are worth a change of queue, and savings that are not. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { worthOf } from '../../../harness/judge/worth.js'

/**
 * @param {string} queue
 * @param {[number, number, number] | null} ratio
 * @param {{n?: number, metric?: string, timers?: number}} [more]
 */
function cellOf (queue, ratio, { n = 10, metric = 'cpuMicrosPerRequest', timers } = {}) {
  const figures = { unit: '', better: 'lower', median: 10, low: 10, high: 10, n, coverage: 0.95 }
  const [median, low, high] = ratio ?? []
  return /** @type {any} */ ({
    queue,
    metrics: {
      [metric]: {
        ...figures,
        ...(ratio && { ratio: { to: 'node', by: 'heat', median, low, high, n, coverage: 0.95 } })
      },
      ...(timers !== undefined && { timerOperationsPerSecond: { ...figures, median: timers } })
    }
  })
}

for (const [verdict, ratio, isLevel, n] of /** @type {[string, [number, number, number], boolean, number?][]} */ ([
  ['worth', [0.95, 0.94, 0.96], false],
  ['not-worth', [0.979, 0.972, 0.986], false],
  ['not-worth', [1, 0.99, 1.01], true],
  ['not-worth', [1.1, 1.05, 1.15], false],
  ['unclear', [0.96, 0.94, 0.98], false],
  ['unclear', [1, 0.9, 1.1], true],
  ['unclear', [0.9, 0.9, 0.9], false, 2],
  ['unclear', [1, 1, 1], true, 2]
])) {
  test(`a queue that takes ${ratio.join(' to ')} times the CPU, by ${n ?? 10} heats, is ${verdict}${isLevel ? ', and level' : ''}`, () => {
    const worth = worthOf([cellOf('node', null), cellOf('wheel', ratio, { n })], { control: 'node' })
    assert.deepEqual([worth?.verdict, worth?.isLevel], [verdict, isLevel])
  })
}

test('the best of several queues counts, by intervals that hold together', () => {
  const cells = [
    cellOf('node', null),
    cellOf('slow', [1.2, 1.1, 1.3]),
    cellOf('good', [0.95, 0.94, 0.96]),
    cellOf('near', [0.99, 0.98, 1.0])
  ]
  const worth = /** @type {NonNullable<ReturnType<typeof worthOf>>} */ (worthOf(cells, { control: 'node' }))
  assert.deepEqual([worth.verdict, worth.savings.map(({ queue }) => queue)], ['worth', ['good', 'near', 'slow']])
  // By itself, 1 - 0.96 and 1 - 0.94.
  assert.ok(worth.best.queue === 'good' && worth.best.low < 0.0399 && worth.best.high > 0.0601)
  // A tie of one queue with the limit leaves the question open, whatever the others do.
  assert.equal(
    worthOf([cellOf('slow', [1.2, 1.1, 1.3]), cellOf('open', [0.97, 0.95, 0.99])], { control: 'node' })?.best.queue,
    'open'
  )
})

test('CPU per second counts where no requests were counted; idle timers are missed only where a queue, or else the ' +
  'try-out, saw none', () => {
  const metric = 'cpuMillisPerSecond'
  assert.equal(worthOf([cellOf('wheel', [1, 0.99, 1.01], { metric })], { control: 'node' })?.metric, metric)
  const usesTimers = (/** @type {number | undefined} */ timers, /** @type {boolean | undefined} */ seen) =>
    worthOf([cellOf('wheel', [1, 0.99, 1.01], { timers })], { control: 'node', usesTimers: seen })?.usesTimers
  assert.deepEqual(
    [usesTimers(0, true), usesTimers(20, false), usesTimers(undefined, undefined), usesTimers(undefined, false)],
    [false, true, true, false]
  )
  assert.equal(worthOf([cellOf('node', null)], { control: 'node' }), null)
})
