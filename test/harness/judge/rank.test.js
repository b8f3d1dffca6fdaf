/** The order of queues, and the queue to take. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { rank } from '../../../harness/judge/rank.js'
import { summaryOf } from './summary-of-heats.js'

/** @import { Interval, Ratio } from './summary-of-heats.js' */

/** @param {Parameters<typeof summaryOf>} run */
const rankingOf = (...run) => summaryOf(...run).ranking

/**
 * The only table of a run: by queue its place, its relation to the control, and whether it is level with the fastest.
 *
 * @param {Record<string, Interval>} ratios
 * @param {Parameters<typeof summaryOf>[1]} [options]
 */
const tableOf = (ratios, options) =>
  rankingOf({ 'refresh 100': ratios }, options).tables[0].queues.map(({ queue, place, level, toControl }) =>
    [queue, place ?? 'unknown', ...(level ? ['level'] : []), ...(toControl ? [toControl] : [])].join(' ')
  )

test('queues are ordered by their ratio to the control, and share a place unless an interval separates them', () => {
  assert.deepEqual(tableOf({ wheel: [0.4, 0.5, 0.6], heap: [2, 2.1, 2.2] }), [
    'wheel 1 level faster',
    'lists 2',
    'heap 3 slower'
  ])
  assert.deepEqual(tableOf({ wheel: [0.5, 0.9, 1.3], heap: [0.8, 1.1, 1.4] }), [
    'wheel 1 level unclear',
    'lists 1',
    'heap 1 unclear'
  ])
})

test('level is shown within 5 %, in either direction', () => {
  assert.deepEqual(tableOf({ wheel: [0.96, 0.98, 0.99], heap: [1.04, 1.05, 1.06] }), [
    'wheel 1 level level',
    'lists 2 level',
    'heap 3 slower'
  ])
  assert.deepEqual(tableOf({ wheel: [0.96, 1, 1.04] }), ['lists 1 level', 'wheel 1 level level'].sort())
})

test('the ratio of two queues to each other counts more than their ratios to the control', () => {
  const ratios = /** @type {Record<string, Interval>} */ ({ wheel: [0.4, 0.5, 0.6], heap: [0.45, 0.55, 0.65] })
  assert.deepEqual(tableOf(ratios).slice(0, 2), ['wheel 1 level faster', 'heap 1 faster'])
  assert.deepEqual(tableOf(ratios, { others: { heap: { wheel: [1.08, 1.1, 1.12] } } }).slice(0, 2), [
    'wheel 1 level faster',
    'heap 2 faster'
  ])
  assert.deepEqual(tableOf(ratios, { others: { wheel: { heap: [0.97, 0.98, 1.01] } } }).slice(0, 2), [
    'wheel 1 level faster',
    'heap 1 level faster'
  ])
})

test('a queue of one heat is unknown and ties with none; two heats separate by their interval only', () => {
  const ratios = /** @type {Record<string, Interval>} */ ({ wheel: [0.49, 0.5, 0.51], heap: [99, 100, 101] })
  assert.deepEqual(tableOf(ratios, { n: 1, coverage: 0 }), [
    'wheel unknown unclear',
    'lists unknown',
    'heap unknown unclear'
  ])
  const given = /** @type {Record<string, Ratio>} */ ({ wheel: [0.49, 0.5, 0.51], heap: [0.1, 0.1, 0.1, 1] })
  assert.deepEqual(tableOf(/** @type {any} */ (given)), ['wheel 1 level faster', 'lists 2', 'heap unknown unclear'])
  const { take, rivals, standings } = rankingOf(/** @type {any} */ ({ 'refresh 100': given, 'bursts 100': given }))
  assert.deepEqual([take, rivals], [['wheel'], []])
  assert.deepEqual(standings.map(({ queue, high }) => [queue, high]).at(-1), ['heap', null])
  assert.deepEqual(tableOf({ wheel: [0.7, 0.95, 1.3], heap: [90, 100, 111] }, { n: 2 }), [
    'wheel 1 level unclear',
    'lists 1',
    'heap 3 slower'
  ])
})

test('queues that met in one heat are compared by their ratios to the control, as those that never met', () => {
  const ratios = /** @type {Record<string, Interval>} */ ({ wheel: [0.4, 0.5, 0.6], heap: [0.7, 0.8, 0.9] })
  for (const heap of [{}, { wheel: /** @type {Ratio} */ ([1, 1, 1, 1]) }]) {
    const { standings } = rankingOf({ 'refresh 100': ratios }, { others: { heap } })
    assert.deepEqual(tableOf(ratios, { others: { heap } }).slice(0, 2), ['wheel 1 level faster', 'heap 2 faster'])
    assert.deepEqual(
      standings.map(({ queue, low, high }) => [queue, low.toFixed(2), high?.toFixed(2)]),
      [['wheel', '1.00', '1.00'], ['heap', '1.17', '2.25'], ['lists', '1.67', '2.50']]
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
  const chosen = (/** @type {Record<string, Record<string, Interval>>} */ places) => {
    const { take, rivals, standings } = rankingOf(places)
    return {
      take,
      rivals,
      behind: Object.fromEntries(standings.map(({ queue, behind }) => [queue, Number(behind.toFixed(2))]))
    }
  }
  const wheel = /** @type {Interval} */ ([0.48, 0.5, 0.52])
  assert.deepEqual(
    chosen({ 'refresh 100': { wheel, heap: [0.2, 0.21, 0.22] }, 'bursts 100': { wheel, heap: [2, 2.1, 2.2] } }),
    { take: ['wheel'], rivals: [], behind: { wheel: 2.38, heap: 4.2, lists: 4.76 } }
  )
  const [near, wide] = /** @type {Interval[]} */ ([
    [0.15, 0.204, 0.25],
    [0.1, 0.3, 0.9]
  ])
  assert.deepEqual(
    chosen({
      'refresh 100': { wheel: [0.15, 0.2, 0.25], lazy: near },
      'bursts 100': { wheel: near, lazy: [0.15, 0.2, 0.25] }
    }).take.sort(),
    ['lazy', 'wheel']
  )
  assert.deepEqual(
    chosen({
      'refresh 100': { wheel: [0.1, 0.2, 0.4], lazy: wide },
      'bursts 100': { wheel: [0.1, 0.2, 0.4], lazy: wide }
    }).rivals,
    ['lazy'],
    'lists are slower in every table'
  )
})

test('servers decide only where nothing ran in virtual time, and a queue that misses a table is not taken', () => {
  const server = { 'keep-alive': { wheel: /** @type {Interval} */ ([0.8, 0.81, 0.82]) } }
  assert.deepEqual([rankingOf(server).deciding, rankingOf(server).take], [[0], ['wheel']])
  const micro = { 'refresh 100': { heap: /** @type {Interval} */ ([0.5, 0.51, 0.52]) } }
  const mixed = rankingOf({ ...micro, ...server })
  assert.deepEqual([mixed.deciding, mixed.take], [[0], ['heap']])
  const gap = rankingOf({ ...micro, 'bursts 100': {}, 'bursts 1000': { wheel: [0.1, 0.11, 0.12] } })
  assert.deepEqual([gap.deciding, gap.take], [[0, 2], ['lists']])
  assert.deepEqual(
    gap.standings.map(({ queue, tables }) => [queue, tables]),
    [
      ['lists', 2],
      ['heap', 1],
      ['wheel', 1]
    ]
  )
})

test('a standing has the tables in which a queue gains most and least, and those in which it loses', () => {
  const { standings } = rankingOf({
    'refresh 100': { wheel: [0.4, 0.5, 0.6] },
    'refresh 1000': { wheel: [0.9, 1, 1.1] },
    'bursts 100': { wheel: [2.1, 2.2, 2.3] }
  })
  const { most, least, loses, worst, low, high } = standings.find(({ queue }) => queue === 'wheel') ?? {}
  assert.deepEqual(
    { most, least, loses, worst, low, high },
    { most: 0, least: 2, loses: [2], worst: 2, low: 2.1, high: 2.3 }
  )
  assert.deepEqual(
    standings.map(({ queue, most }) => [queue, most]),
    [
      ['lists', null],
      ['wheel', 0]
    ]
  )
  assert.equal(rankingOf({ 'refresh 100': { wheel: [0.5, 0.5, 0.5] } }, { n: 1, coverage: 0 }).standings[0].high, null)
})
