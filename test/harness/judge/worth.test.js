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

/**
 * @param {[number, number, number]} ratio
 * @param {{n?: number}} [more]
 */
const verdictOn = (ratio, more) =>
  worthOf([cellOf('node', null), cellOf('wheel', ratio, more)], { control: 'node' })?.verdict

test('a queue is worth it if it surely saves 3 %, not worth it if it surely saves less', () => {
  assert.equal(verdictOn([0.95, 0.94, 0.96]), 'worth')
  assert.equal(verdictOn([0.979, 0.972, 0.986]), 'not-worth')
  assert.equal(verdictOn([1, 0.99, 1.01]), 'not-worth')
  assert.equal(verdictOn([1.1, 1.05, 1.15]), 'not-worth')
  assert.equal(verdictOn([0.96, 0.94, 0.98]), 'unclear')
  assert.equal(verdictOn([1, 0.9, 1.1]), 'unclear')
})

test('two heats show nothing', () => {
  assert.equal(verdictOn([0.9, 0.9, 0.9], { n: 2 }), 'unclear')
  assert.equal(verdictOn([1, 1, 1], { n: 2 }), 'unclear')
})

test('level: no difference is shown', () => {
  const levelAt = (/** @type {[number, number, number]} */ ratio) =>
    worthOf([cellOf('wheel', ratio)], { control: 'node' })?.isLevel
  assert.equal(levelAt([1, 0.99, 1.01]), true)
  assert.equal(levelAt([0.98, 0.97, 0.99]), false)
  assert.equal(levelAt([1.02, 1.01, 1.03]), false)
})

test('the best of several queues counts, by intervals that hold together', () => {
  const cells = [
    cellOf('node', null),
    cellOf('slow', [1.2, 1.1, 1.3]),
    cellOf('good', [0.95, 0.94, 0.96]),
    cellOf('near', [0.99, 0.98, 1.0])
  ]
  const worth = /** @type {NonNullable<ReturnType<typeof worthOf>>} */ (worthOf(cells, { control: 'node' }))
  assert.deepEqual(
    [worth.verdict, worth.best.queue, worth.savings.map(({ queue }) => queue)],
    ['worth', 'good', ['good', 'near', 'slow']]
  )
  const alone = worthOf([cellOf('good', [0.95, 0.94, 0.96])], { control: 'node' })
  assert.ok(worth.best.low < Number(alone?.best.low) && worth.best.high > Number(alone?.best.high))
  // A tie of one queue with the limit leaves the question open, whatever the others do.
  assert.equal(
    worthOf([cellOf('slow', [1.2, 1.1, 1.3]), cellOf('open', [0.97, 0.95, 0.99])], { control: 'node' })?.best.queue,
    'open'
  )
})

test('CPU per second counts where no requests were counted; idle timers are missed only where a queue, or else the try-out, saw none', () => {
  const perSecond = { metric: 'cpuMillisPerSecond' }
  assert.equal(
    worthOf([cellOf('wheel', [1, 0.99, 1.01], perSecond)], { control: 'node' })?.metric,
    'cpuMillisPerSecond'
  )
  const usesTimers = (/** @type {number | undefined} */ timers, /** @type {boolean | undefined} */ seen) =>
    worthOf([cellOf('wheel', [1, 0.99, 1.01], { timers })], { control: 'node', usesTimers: seen })?.usesTimers
  assert.deepEqual(
    [usesTimers(0, true), usesTimers(20, false), usesTimers(undefined, undefined), usesTimers(undefined, false)],
    [false, true, true, false]
  )
  assert.equal(worthOf([cellOf('node', null)], { control: 'node' }), null)
})
