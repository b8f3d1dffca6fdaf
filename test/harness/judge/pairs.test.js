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

/** @param {number[][]} times  Rounds, groups and nanoseconds of heats. */
const heats = times =>
  times.map(([round, group, nsPerOp]) => sample('heat', round, { nsPerOp }, { heat: `${round} ${group}` }))
/** @param {Parameters<typeof pairedRatios>} sides */
const ratios = (...sides) => pairedRatios(...sides).map(({ round, ratio }) => [round, ratio])

test('samples without heats are paired by round, and a round that either side lacks is left out', () => {
  const base = [0, 1, 3].map(round => sample('alone', round, { nsPerOp: 10 }))
  const head = [3, 2, 0].map(round => sample('alone', round, { nsPerOp: 10 + round }))
  assert.deepEqual(pairedRatios(base, head, 'nsPerOp'), [
    { round: 3, base: 10, head: 13, ratio: 1.3 },
    { round: 0, base: 10, head: 10, ratio: 1 }
  ])
})

test('queues of different heats of a round are compared through the control of both, and directly where they ' +
  'meet', () => {
  const control = heats([[0, 1, 10], [0, 2, 20], [1, 1, 10], [1, 2, 10]])
  const base = heats([[0, 1, 20], [1, 1, 20]])
  const head = heats([[0, 2, 120], [1, 1, 62]])
  assert.deepEqual(ratios(base, head, 'nsPerOp', control), [[0, 3], [1, 3.1]])
  assert.deepEqual(ratios(base, head, 'nsPerOp'), [[1, 3.1]], 'without a control they say nothing')
  const [lostBase, lostHead] = [base, head].map(([first]) => ({ ...first, metrics: {}, ...lost }))
  assert.deepEqual(ratios(base, [lostHead], 'nsPerOp', control), [[0, Infinity]])
  assert.deepEqual(ratios([lostBase], [lostHead], 'nsPerOp', control), [])
  // The control itself is in every heat.
  assert.deepEqual(ratios(control, head, 'nsPerOp', control), [[0, 6], [1, 6.2]])
})

test('the ratio of a heat is the median over the slices that both queues have measured', () => {
  const [own, control] = [[2, null, 9, 8], [1, 5, null, 2]].map(nsPerOp =>
    sample('heat', 0, { nsPerOp: 1 }, { slices: { nsPerOp } })
  )
  assert.equal(heatRatio(own, control, 'nsPerOp'), 3)
  assert.deepEqual(ratios([control], [own], 'nsPerOp'), [[0, 3]])
  assert.equal(heatRatio(own, control, 'cpuMicrosPerRequest'), null)
})

test('of requests, which slices cut in two, it is their mean without the fifths that are farthest off', () => {
  const [own, control] = [[8, 2, 1 / 2, 2, 8], [1, 1, 1, 1, 1]].map(cpuMicrosPerRequest =>
    sample('heat', 0, { cpuMicrosPerRequest: 1 }, { slices: { cpuMicrosPerRequest } })
  )
  const [ratio, inverse] = [[own, control], [control, own]].map(([a, b]) =>
    Number(heatRatio(a, b, 'cpuMicrosPerRequest'))
  )
  assert.ok(Math.abs(ratio - Math.cbrt(2 * 2 * 8)) < 1e-12 && Math.abs(ratio * inverse - 1) < 1e-12)
})

test('CPU time comes from heats and throughput from windows; either falls back on the other', () => {
  const metrics = { cpuMicrosPerRequest: 1, requestsPerSecond: 2 }
  const [heat, window] = [sample('heat', 0, metrics), sample('alone', 0, metrics)]
  const kinds = [[heat, window], [window], [heat]].map(samples =>
    Object.keys(metrics).map(metric => samplesOf(samples, metric).map(({ kind }) => kind).join())
  )
  assert.deepEqual(kinds, [['heat', 'alone'], ['alone', 'alone'], ['heat', 'heat']])
})

test('a lost sample is infinitely slow, and two lost samples are not a pair; a value too small for the clock, or not ' +
  'measured, has no ratio', () => {
  const [good, bad] = [sample('alone', 0, { nsPerOp: 10, requestsPerSecond: 10 }), sample('alone', 0, {}, lost)]
  const ratioOf = (/** @type {any} */ base, /** @type {any} */ head, metric = 'nsPerOp') =>
    ratios([base], [head], metric).map(([, ratio]) => ratio)
  assert.deepEqual([ratioOf(good, bad), ratioOf(bad, good), ratioOf(bad, bad)], [[Infinity], [0], []])
  const [slow, fast] = [[good, bad], [bad, good]].map(([base, head]) => ratioOf(base, head, 'requestsPerSecond'))
  assert.deepEqual([slow, fast], [[0], [Infinity]])
  const [none, other] = [{ nsPerOp: 0 }, { workPerOp: 5 }].map(metrics => sample('alone', 0, metrics))
  assert.deepEqual([ratioOf(none, good), ratioOf(good, none), ratioOf(good, other)], [[], [], []])
})
