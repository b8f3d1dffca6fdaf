import { test } from 'node:test'
import assert from 'node:assert/strict'
import { busy, clockChanged, drifted, driftOf, spreadOut, stolen } from '../../../harness/gate/diagnosis.js'
import { FIRST_CELL, sampleOf } from './gate-fixture.js'

test('a quiet machine needs no words', () => {
  assert.deepEqual([busy(0.3, 2), stolen([100, 0], [900, 1]), clockChanged(3000, 2950, null), drifted(0.01), spreadOut(0.03, [0.02])].flat(), [])
})

test('other programs, other guests and a changed clock are named with a remedy', () => {
  assert.match(busy(2.4, 2)[0], /load average 2\.4 on 2 cores.*end them/)
  assert.match(stolen([1000, 10], [2000, 60])[0], /5\.0 %.*dedicated runner/)
  assert.match(clockChanged(3000, 2400, 'powersave')[0], /3000 to 2400 MHz: set the governor from powersave/)
})

test('what cannot be seen is not guessed', () => {
  assert.deepEqual([stolen(null, null), clockChanged(null, 3000, null), drifted(null), spreadOut(null, [])].flat(), [])
})

test('drift is that of the base, from the first third of the rounds to the last', () => {
  const samples = Array.from({ length: 30 }, (_, round) => [
    sampleOf(FIRST_CELL, 'base', round, { nsPerOp: round < 15 ? 40 : 44 }),
    sampleOf(FIRST_CELL, 'head', round, { nsPerOp: 400 * round + 1 })
  ]).flat()
  const drift = driftOf(samples)
  assert.ok(Math.abs(Number(drift) - 0.1) < 1e-9)
  assert.match(drifted(drift)[0], /10\.0 % slower/)
  assert.equal(driftOf(samples.slice(0, 6)), null)
})

test('pairs that spread are judged by what is usual here, or usual at all', () => {
  assert.match(spreadOut(0.05, [0.02, 0.02, 0.03])[0], /5\.0 %, in 3 earlier gates here by 2\.0 %/)
  assert.match(spreadOut(0.09, [])[0], /9\.0 % \(2 to 4 % is usual\)/)
})
