/** Pairs of samples, and their ratios. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { heatRatio, pairedRatios, samplesOf } from '../../../harness/judge/pairs.js'

/**
 * @param {'heat' | 'alone'} kind
 * @param {number} round
 * @param {Record<string, number>} metrics
 * @param {object} [more]
 */
const sample = (kind, round, metrics, more = {}) =>
  /** @type {any} */ ({ kind, round, metrics, ...(kind === 'heat' ? { heat: `heat ${round}` } : {}), ...more })

const lost = { failure: { kind: 'time-limit', message: 'no answer' } }

test('samples without heats are paired by round, and a round that either side lacks is left out', () => {
  const base = [0, 1, 3].map(round => sample('alone', round, { nsPerOp: 10 }))
  const head = [3, 2, 0].map(round => sample('alone', round, { nsPerOp: 10 + round }))
  assert.deepEqual(pairedRatios(base, head, 'nsPerOp'), [
    { round: 3, base: 10, head: 13, ratio: 1.3 },
    { round: 0, base: 10, head: 10, ratio: 1 }
  ])
})

test('samples of heats are paired by heat: the control of two groups is in both, other queues in one', () => {
  const control = ['a', 'b'].map((heat, i) => sample('heat', 0, { nsPerOp: 10 * (i + 1) }, { heat }))
  assert.deepEqual(pairedRatios(control, [sample('heat', 0, { nsPerOp: 30 }, { heat: 'b' })], 'nsPerOp'), [
    { round: 0, base: 20, head: 30, ratio: 1.5 }
  ])
})

test('queues of different heats of a round are compared through the control of both, and directly ' +
  'where they meet', () => {
  const of = (/** @type {number[][]} */ times) =>
    times.map(([round, heat, nsPerOp]) => sample('heat', round, { nsPerOp }, { heat: `${round} ${heat}` }))
  const control = of([
    [0, 1, 10],
    [0, 2, 20],
    [1, 1, 10],
    [1, 2, 10]
  ])
  const base = of([
    [0, 1, 20],
    [1, 1, 20]
  ])
  const head = of([
    [0, 2, 120],
    [1, 1, 62]
  ])
  assert.deepEqual(
    pairedRatios(base, head, 'nsPerOp', control).map(({ round, ratio }) => [round, ratio]),
    [
      [0, 3],
      [1, 3.1]
    ]
  )
  assert.deepEqual(
    pairedRatios(base, head, 'nsPerOp').map(({ round }) => round),
    [1],
    'without a control they say nothing'
  )
  const isLost = { ...head[0], metrics: {}, ...lost }
  assert.deepEqual(
    pairedRatios(base, [isLost], 'nsPerOp', control).map(({ ratio }) => ratio),
    [Infinity]
  )
  assert.deepEqual(pairedRatios([{ ...base[0], metrics: {}, ...lost }], [isLost], 'nsPerOp', control), [])
  assert.equal(pairedRatios(control, head, 'nsPerOp', control).length, 2, 'the control itself is in every heat')
})

test('the ratio of a heat is the median over the slices that both queues have measured', () => {
  const [own, control] = [
    [2, null, 9, 8],
    [1, 5, null, 2]
  ].map(nsPerOp => sample('heat', 0, { nsPerOp: 1 }, { slices: { nsPerOp } }))
  assert.equal(heatRatio(own, control, 'nsPerOp'), 3)
  assert.equal(pairedRatios([control], [own], 'nsPerOp')[0].ratio, 3)
  assert.equal(heatRatio(own, control, 'cpuMicrosPerRequest'), null)
})

test('of requests, which slices cut in two, it is their mean without the fifths that are farthest off', () => {
  const [own, control] = [
    [8, 2, 1 / 2, 2, 8],
    [1, 1, 1, 1, 1]
  ].map(cpuMicrosPerRequest => sample('heat', 0, { cpuMicrosPerRequest: 1 }, { slices: { cpuMicrosPerRequest } }))
  const ratio = /** @type {number} */ (heatRatio(own, control, 'cpuMicrosPerRequest'))
  assert.ok(Math.abs(ratio - Math.cbrt(2 * 2 * 8)) < 1e-12)
  assert.ok(Math.abs(ratio * /** @type {number} */ (heatRatio(control, own, 'cpuMicrosPerRequest')) - 1) < 1e-12)
})

test('CPU time comes from heats and throughput from windows; either falls back on the other', () => {
  const heat = sample('heat', 0, { cpuMicrosPerRequest: 1, requestsPerSecond: 2 })
  const window = sample('alone', 0, { cpuMicrosPerRequest: 3, requestsPerSecond: 4 })
  const of = (/** @type {any[]} */ samples, /** @type {string} */ metric) =>
    samplesOf(samples, metric).map(({ kind }) => kind)
  assert.deepEqual(of([heat, window], 'cpuMicrosPerRequest'), ['heat'])
  assert.deepEqual(of([heat, window], 'requestsPerSecond'), ['alone'])
  assert.deepEqual(of([window], 'cpuMicrosPerRequest'), ['alone'])
  assert.deepEqual(of([heat], 'requestsPerSecond'), ['heat'])
})

test('a lost sample is infinitely slow, and two lost samples are not a pair', () => {
  const fine = { nsPerOp: 10, requestsPerSecond: 10 }
  const ratioOf = (/** @type {any} */ base, /** @type {any} */ head, /** @type {string} */ metric) =>
    pairedRatios([base], [head], metric).map(({ ratio }) => ratio)
  const [good, bad] = [sample('alone', 0, fine), sample('alone', 0, {}, lost)]
  assert.deepEqual([ratioOf(good, bad, 'nsPerOp'), ratioOf(bad, good, 'nsPerOp')], [[Infinity], [0]])
  assert.deepEqual(
    [ratioOf(good, bad, 'requestsPerSecond'), ratioOf(bad, good, 'requestsPerSecond')],
    [[0], [Infinity]]
  )
  assert.deepEqual(ratioOf(bad, bad, 'nsPerOp'), [])
})

test('a value too small for the clock, or not measured, has no ratio', () => {
  assert.deepEqual(
    pairedRatios([sample('alone', 0, { nsPerOp: 0 })], [sample('alone', 0, { nsPerOp: 5 })], 'nsPerOp'),
    []
  )
  assert.deepEqual(
    pairedRatios([sample('alone', 0, { nsPerOp: 5 })], [sample('alone', 0, { workPerOp: 5 })], 'nsPerOp'),
    []
  )
})
