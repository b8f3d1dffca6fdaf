import { test } from 'node:test'
import assert from 'node:assert/strict'
import { normal } from './noise.js'
import { detectableShift, pairsToDetect, standardErrorOf } from '../../../../harness/judge/statistics/detectable.js'
import { boundsOf, pseudoMedian } from '../../../../harness/judge/statistics/pseudo-median.js'
import { signedRank } from '../../../../harness/judge/statistics/signed-rank.js'

const WIDE = { floor: 0, margin: Infinity }

test('a shift of 2.49 standard errors is found four times in five at 5 %', () => {
  // z(0.95) + z(0.8), as in J. M. Bloom's table 1; the signed-rank test is 1.023 times less efficient.
  const shift = detectableShift([{ pairs: 60, low: 0.05, high: 0 }], { spread: 1, floor: 0, margin: -Infinity })
  assert.ok(Math.abs(shift * Math.sqrt(60) / 1.023 - 2.49) < 0.2, String(shift * Math.sqrt(60)))
})

test('half the shift needs four times the pairs', () => {
  const shift = 0.0317
  assert.equal(pairsToDetect(10, 0.01, 0.01, shift), 10)
  assert.ok(Math.abs(pairsToDetect(10, 0.01, 0.01, shift / 2) - 40) <= 1)
})

test('the signed-rank test finds the detectable shift about four times in five', () => {
  const next = normal(7)
  const level = 0.01
  const shift = detectableShift([{ pairs: 24, low: level, high: 0 }], { spread: 1, floor: 0, margin: -Infinity })
  const found = Array.from({ length: 500 }, () => Array.from({ length: 24 }, () => next() + shift)).filter(values => signedRank(values) <= level)
  assert.ok(found.length > 375 && found.length < 435, String(found.length))
})

test('four times the pairs find half the shift, also where so many are not simulated', () => {
  const shiftOf = (/** @type {number} */ pairs) => detectableShift([{ pairs, low: 0.01, high: 0 }], { spread: 1, floor: 0, margin: -Infinity })
  assert.ok(Math.abs(shiftOf(240) / shiftOf(60) - 0.5) < 1e-9)
  assert.ok(Math.abs(shiftOf(60) / shiftOf(15) - 0.5) < 0.05)
})

test('too few pairs detect nothing', () => {
  assert.equal(detectableShift([{ pairs: 4, low: 0.05, high: 0.025 }], { spread: 1, ...WIDE }), Infinity)
})

test('what passes at an early look cannot fail at a later one', () => {
  const looks = [{ pairs: 12, low: 0.005, high: 0.0025 }, { pairs: 60, low: 0.02, high: 0.01 }]
  const quiet = { spread: 0.003, floor: 0.02 }
  const stopping = detectableShift(looks, { ...quiet, margin: 0.05 })
  const throughout = detectableShift(looks, { ...quiet, margin: -Infinity })
  assert.ok(throughout < stopping, `${throughout}, ${stopping}`)
  // Only those pass early that look no slower than the floor.
  assert.ok(stopping < 0.0215, String(stopping))
})

test('just the detectable shift is found in four of five of the simulated series, look by look', () => {
  const few = [{ pairs: 0, low: 0.001, high: 0.0005 }, { pairs: 4, low: 0.01, high: 0.005 }, { pairs: 12, low: 0.01, high: 0.1 }, { pairs: 20, low: 0.03, high: 0.02 }]
  // Most of what this row misses has passed at its first look.
  const eager = [{ pairs: 8, low: 0.004, high: 0.3 }, { pairs: 40, low: 0.3, high: 0.02 }]
  for (const [looks, row] of /** @type {const} */ ([
    [few, { spread: 1, floor: 0, margin: -Infinity }],
    [few, { spread: 0.05, floor: 0.02, margin: 0.05 }],
    [eager, { spread: 0.003, floor: 0.02, margin: 0.05 }],
    [eager, { spread: 0.05, floor: 0.02, margin: 0.04 }]
  ])) {
    const next = normal(20_150_419)
    const series = Array.from({ length: 400 }, () => Array.from({ length: looks[looks.length - 1].pairs }, next))
    const shift = detectableShift(looks, row)
    const found = (/** @type {number} */ shift) => series.filter(noise => endsAsRegression(noise.map(value => row.spread * value + shift), looks, row)).length
    assert.ok(found(shift + 1e-9) >= 320 && found(shift - 1e-9) < 320, `${found(shift - 1e-9)}, ${found(shift + 1e-9)} at ${shift}`)
  }
})

/**
 * @param {number[]} values
 * @param {import('../../../../harness/judge/statistics/detectable.js').PlannedLook[]} looks
 * @param {{floor: number, margin: number}} limits
 */
function endsAsRegression (values, looks, { floor, margin }) {
  for (const { pairs, low, high } of looks) {
    if (pairs === 0) continue
    const bounds = boundsOf(values.slice(0, pairs), { low, high })
    if (bounds.low > floor && bounds.chance.low <= low) return true
    if (bounds.high < margin && bounds.chance.high <= high && bounds.estimate <= floor) return false
  }
  return false
}

test('the standard error read off an interval is that of the estimate', () => {
  const next = normal(8)
  const errors = Array.from({ length: 300 }, () => standardErrorOf(pseudoMedian(Array.from({ length: 20 }, next), 0.68)))
  const mean = errors.reduce((sum, error) => sum + error) / errors.length
  assert.ok(Math.abs(mean * Math.sqrt(20) / 1.023 - 1) < 0.05, String(mean))
})
