import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../harness/random.js'
import { detectableShift, pairsToDetect, standardErrorOf } from '../../../harness/statistics/detectable.js'
import { pseudoMedian } from '../../../harness/statistics/pseudo-median.js'
import { signedRank } from '../../../harness/statistics/signed-rank.js'

test('a shift of 2.49 standard errors is found four times in five at 5 %', () => {
  // z(0.95) + z(0.8), as in J. M. Bloom's table 1.
  assert.ok(Math.abs(detectableShift(1, 0.05) - 2.49) < 0.01)
})

test('half the shift takes four times the pairs', () => {
  const shift = detectableShift(0.01, 0.01)
  assert.equal(pairsToDetect(10, 0.01, 0.01, shift), 10)
  assert.ok(Math.abs(pairsToDetect(10, 0.01, 0.01, shift / 2) - 40) <= 1)
})

test('the signed-rank test finds the detectable shift about four times in five', () => {
  const random = createRandom(7)
  const normal = () => Array.from({ length: 12 }, () => random(2 ** 20) / 2 ** 20).reduce((sum, part) => sum + part, -6)
  const level = 0.01
  const noise = Array.from({ length: 500 }, () => Array.from({ length: 24 }, normal))
  const standardErrors = noise.map(values => standardErrorOf(pseudoMedian(values)))
  const shift = detectableShift(standardErrors.reduce((sum, error) => sum + error) / noise.length, level)
  const found = noise.filter(values => signedRank(values.map(value => value + shift)).greater <= level)
  assert.ok(found.length > 375 && found.length < 435, String(found.length))
})
