/** The order of queues, and the queue to take. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { rank } from '../../../harness/judge/rank.js'
import { summaryOf } from './summary-of-heats.js'

/** @import { Interval, Ratio } from './summary-of-heats.js' */

/** @param {Parameters<typeof summaryOf>} run */
const rankingOf = (...run) => summaryOf(...run).ranking

/**
 * Ratios to the control: `wheel 0.4 0.5 0.6; heap 2 2.1 2.2` are intervals with their middle. A fourth number counts
 * heats.
 *
 * @param {string} words
 * @returns {Record<string, any>}
 */
const ratiosIn = words =>
  Object.fromEntries(
    words.split('; ').map(one => {
      const [queue, ...interval] = one.split(' ')
      return [queue, interval.map(Number)]
    })
  )

/** Of each queue its place, whether it is level with the fastest, and its relation to the control. */
for (const [title, ratios, places, options] of /** @type {[string, string, string, object?][]} */ ([
  [
    'queues are ordered by their ratio to the control',
    'wheel 0.4 0.5 0.6; heap 2 2.1 2.2',
    'wheel 1 level faster; lists 2; heap 3 slower'
  ],
  [
    'queues share a place unless an interval separates them',
    'wheel 0.5 0.9 1.3; heap 0.8 1.1 1.4',
    'wheel 1 level unclear; lists 1; heap 1 unclear'
  ],
  [
    'level is shown within 5 %, in either direction',
    'wheel 0.96 0.98 0.99; heap 1.04 1.05 1.06',
    'wheel 1 level level; lists 2 level; heap 3 slower'
  ],
  ['a queue that is as fast ties', 'wheel 0.96 1 1.04', 'lists 1 level; wheel 1 level level'],
  [
    'queues that met are not compared by their ratios to the control, where they overlap',
    'wheel 0.4 0.5 0.6; heap 0.45 0.55 0.65',
    'wheel 1 level faster; heap 1 faster; lists 3'
  ],
  [
    'the ratio of two queues to each other counts more',
    'wheel 0.4 0.5 0.6; heap 0.45 0.55 0.65',
    'wheel 1 level faster; heap 2 faster; lists 3',
    { others: { heap: { wheel: [1.08, 1.1, 1.12] } } }
  ],
  [
    'it may stand with the faster queue',
    'wheel 0.4 0.5 0.6; heap 0.45 0.55 0.65',
    'wheel 1 level faster; heap 1 level faster; lists 3',
    { others: { wheel: { heap: [0.97, 0.98, 1.01] } } }
  ],
  [
    'a queue of one heat is unknown and ties with none',
    'wheel 0.49 0.5 0.51; heap 99 100 101',
    'wheel unknown unclear; lists unknown; heap unknown unclear',
    { n: 1, coverage: 0 }
  ],
  [
    'an unknown queue comes last, however fast it was',
    'wheel 0.49 0.5 0.51; heap 0.1 0.1 0.1 1',
    'wheel 1 level faster; lists 2; heap unknown unclear'
  ],
  [
    'two heats separate by their interval only',
    'wheel 0.7 0.95 1.3; heap 90 100 111',
    'wheel 1 level unclear; lists 1; heap 3 slower',
    { n: 2 }
  ],
  ...[{}, { wheel: [1, 1, 1, 1] }].map(heap => [
    'queues that met in one heat are compared by their ratios to the control, as those that never met',
    'wheel 0.4 0.5 0.6; heap 0.7 0.8 0.9',
    'wheel 1 level faster; heap 2 faster; lists 3',
    { others: { heap } }
  ])
])) {
  test(title, () => {
    const [{ queues }] = rankingOf({ 'refresh 100': ratiosIn(ratios) }, options).tables
    const found = queues.map(({ queue, place, level, toControl }) =>
      [queue, place ?? 'unknown', level && 'level', toControl].filter(Boolean).join(' ')
    )
    assert.equal(found.join('; '), places)
  })
}

test('an unknown queue is no rival; queues that met in one heat stand by their ratios to the control', () => {
  const given = ratiosIn('wheel 0.49 0.5 0.51; heap 0.1 0.1 0.1 1')
  const { take, rivals, standings: [, , last] } = rankingOf({ 'refresh 100': given, 'bursts 100': given })
  assert.deepEqual([take, rivals, last.queue, last.high], [['wheel'], [], 'heap', null])
  for (const heap of [{}, { wheel: /** @type {Ratio} */ ([1, 1, 1, 1]) }]) {
    const ratios = ratiosIn('wheel 0.4 0.5 0.6; heap 0.7 0.8 0.9')
    const { standings } = rankingOf({ 'refresh 100': ratios }, { others: { heap } })
    assert.deepEqual(
      standings.map(({ queue, low, high }) => [queue, low.toFixed(2), high?.toFixed(2)].join(' ')),
      ['wheel 1.00 1.00', 'heap 1.17 2.25', 'lists 1.67 2.50']
    )
  }
})

test('without a control, medians and their intervals rank', () => {
  const cellOf = (/** @type {string} */ queue, /** @type {Interval} */ [low, median, high]) => ({
    scenario: 's',
    params: {},
    queue,
    runtime: 'v20',
    metrics: { nsPerOp: { low, median, high, n: 8, coverage: 0.95 } },
    warnings: []
  })
  const {
    tables: [{ queues }]
  } = rank(
    /** @type {any} */ ({
      cells: [cellOf('heap', [19, 20, 21]), cellOf('wheel', [9, 10, 11]), cellOf('lazy', [9, 12, 15])],
      settings: { control: { micro: 'lists' } },
      scenarios: [{ name: 's', kind: 'micro' }]
    })
  )
  assert.deepEqual(
    queues.map(({ queue, place, behind, ratio }) => [queue, place, behind, ratio]),
    [
      ['wheel', 1, 1, null],
      ['lazy', 1, 1.2, null],
      ['heap', 3, 2, null]
    ]
  )
})

test('the queue to take is never far from the fastest; queues that tie with it are named, and queues that may ' +
  'be as close', () => {
  const chosen = (/** @type {string} */ refresh, /** @type {string} */ bursts) =>
    rankingOf({ 'refresh 100': ratiosIn(refresh), 'bursts 100': ratiosIn(bursts) })
  const wheel = 'wheel 0.48 0.5 0.52; heap'
  const { take, rivals, standings } = chosen(`${wheel} 0.2 0.21 0.22`, `${wheel} 2 2.1 2.2`)
  assert.deepEqual([take, rivals], [['wheel'], []])
  assert.deepEqual(
    standings.map(({ queue, behind }) => `${queue} ${behind.toFixed(2)}`),
    ['wheel 2.38', 'heap 4.20', 'lists 4.76']
  )
  const tied = chosen('wheel 0.15 0.2 0.25; lazy 0.15 0.204 0.25', 'wheel 0.15 0.204 0.25; lazy 0.15 0.2 0.25')
  assert.deepEqual(tied.take.sort(), ['lazy', 'wheel'])
  const wide = 'wheel 0.1 0.2 0.4; lazy 0.1 0.3 0.9'
  assert.deepEqual(chosen(wide, wide).rivals, ['lazy'], 'lists are slower in every table')
})

test('servers decide only where nothing ran in virtual time, and a queue that misses a table is not taken', () => {
  const server = { 'keep-alive': ratiosIn('wheel 0.8 0.81 0.82') }
  const micro = { 'refresh 100': ratiosIn('heap 0.5 0.51 0.52') }
  const gap = rankingOf({ ...micro, 'bursts 100': {}, 'bursts 1000': ratiosIn('wheel 0.1 0.11 0.12') })
  assert.deepEqual(
    [rankingOf(server), rankingOf({ ...micro, ...server }), gap].map(({ deciding, take }) => [deciding, take]),
    [[[0], ['wheel']], [[0], ['heap']], [[0, 2], ['lists']]]
  )
  assert.deepEqual(gap.standings.map(({ queue, tables }) => `${queue} ${tables}`), ['lists 2', 'heap 1', 'wheel 1'])
})

test('a standing has the tables in which a queue gains most and least, and those in which it loses', () => {
  const { standings } = rankingOf({
    'refresh 100': ratiosIn('wheel 0.4 0.5 0.6'),
    'refresh 1000': ratiosIn('wheel 0.9 1 1.1'),
    'bursts 100': ratiosIn('wheel 2.1 2.2 2.3')
  })
  const [lists, { most, least, loses, worst, low, high }] = standings
  assert.deepEqual([lists.queue, lists.most], ['lists', null])
  assert.deepEqual([most, least, loses, worst, low, high], [0, 2, [2], 2, 2.1, 2.3])
  const once = rankingOf({ 'refresh 100': ratiosIn('wheel 0.5 0.5 0.5') }, { n: 1, coverage: 0 })
  assert.equal(once.standings[0].high, null)
})
