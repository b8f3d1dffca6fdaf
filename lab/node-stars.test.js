/** The statistical test of Node's compare.js, next to the rows of a gate. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { withStars, ratesIn, welch } from './node-stars.js'

test("Welch's test gives the stars of Node's histograms", () => {
  // histogram.welchTest() of Node 24.21: p is 0.3896, 0.02168 and 0.00003436.
  const old = [10, 11, 12, 13]
  assert.deepEqual(welch({ old, new: [11, 12, 13, 13] }).stars, '')
  assert.deepEqual(welch({ old, new: [13, 14, 14, 15] }).stars, '*')
  assert.deepEqual(welch({ old, new: [20, 21, 22, 23] }), { improvement: 10 / 11.5, stars: '***' })
})

test('rows of a gate meet those of compare.js, whose words have another order, and whose n differs', () => {
  const lines = ['"binary","filename","configuration","rate","time"']
  for (const [binary, rate] of /** @type {[string, number][]} */ ([
    ['old', 1e6],
    ['new', 2e6],
    ['old', 1.1e6],
    ['new', 2.1e6]
  ])) {
    lines.push(`"${binary}","timers/a.js","direction='end' type='x' n=100000",${rate},0.1`)
    lines.push(`"${binary}","timers/b.js","n=100000",${binary === 'old' ? rate : rate / 2},0.1`)
  }
  const row = { metric: 'nsPerOp', pairs: 9, ratio: 0.5, low: 0.4, high: 0.6 }
  const text = withStars(
    /** @type {any} */ ([
      { ...row, scenario: 'timers-a', queue: 'type=x direction=end', change: 'faster' },
      { ...row, scenario: 'timers-b-once', queue: 'main', change: 'same', verdict: 'inconclusive' },
      { ...row, scenario: 'timers-b-once', queue: 'main', metric: 'workPerOp' },
      { ...row, scenario: 'other', queue: 'main', change: 'same' }
    ]),
    new Map([
      ['timers-a', 'timers/a.js'],
      ['timers-b-once', 'timers/b.js']
    ]),
    ratesIn(lines.join('\n'))
  )
  assert.deepEqual(text.split('\n').slice(2), [
    '| timers-a | type=x direction=end | 0.500 (0.400–0.600) | 9 | faster | +95.2 % | \\*\\* | 2 |',
    '| timers-b-once | main | 0.500 (0.400–0.600) | 9 | unclear | -2.3 % |  | 2 |',
    '',
    '2 rows: timerq 1 changed, compare.js 1 starred, both 1'
  ])
})
