import { test } from 'node:test'
import assert from 'node:assert/strict'
import { busy, clockChanged, diagnose, drifted, driftOf, spreadOut, stolen } from '../../../harness/gate/diagnosis.js'
import { countOf, FIRST_ROW, sampleOf } from './gate-fixture.js'

test('a quiet machine needs no words', () => {
  assert.deepEqual([busy(0.3, 2), stolen({ total: 100, stolen: 0 }, { total: 900, stolen: 1 }), clockChanged(3000, 2950, null), drifted(0.01), spreadOut(0.03)].flat(), [])
})

test('other programs, other guests and a changed clock are named with a remedy', () => {
  assert.match(busy(2.4, 2)[0], /load average 2\.4 on 2 cores.*stop them/)
  assert.match(busy(0.8, 1)[0], /load average 0\.8 on 1 core when/)
  assert.deepEqual(busy(1.2, 2), [])
  assert.match(stolen({ total: 1000, stolen: 10 }, { total: 2000, stolen: 60 })[0], /5\.0 %.*dedicated runner/)
  assert.match(clockChanged(3000, 2400, 'powersave')[0], /3000 to 2400 MHz: set the governor from powersave/)
  for (const governor of ['performance', null]) assert.match(clockChanged(2400, 3000, governor)[0], /2400 to 3000 MHz: let the machine cool/)
})

test('what cannot be seen is not guessed', () => {
  assert.deepEqual([stolen(null, null), stolen({ total: 1, stolen: 0 }, null), clockChanged(null, 3000, null), drifted(null), spreadOut(null)].flat(), [])
})

test('drift is that of the base, from the first third of the rounds to the last', () => {
  const samples = Array.from({ length: 30 }, (_, round) => [
    sampleOf(FIRST_ROW, 'base', round, { nsPerOp: round < 15 ? 40 : 44 }),
    sampleOf(FIRST_ROW, 'head', round, { nsPerOp: 400 * round + 1 })
  ]).flat()
  const drift = driftOf(samples)
  assert.ok(Math.abs(Number(drift) - 0.1) < 1e-9)
  assert.match(drifted(drift)[0], /10\.0 % slower/)
  assert.equal(driftOf(samples.slice(0, 6)), null)
  // Each cell drifts on its own, and counts have no time.
  const another = Array.from({ length: 30 }, (_, round) => sampleOf({ ...FIRST_ROW, scenario: 'another' }, 'base', round, { nsPerOp: 9000 }))
  assert.ok(Math.abs(Number(driftOf([...samples, ...another])) - (Math.sqrt(1.1) - 1)) < 1e-9)
  const counted = countOf(FIRST_ROW, 'base', { workPerOp: 10 })
  assert.equal(driftOf([...Array(20).fill(counted), ...samples]), drift)
  assert.match(drifted(-0.1)[0], /10\.0 % faster/)
})

test('ratios that vary more than usual are reported', () => {
  assert.match(spreadOut(0.09)[0], /9\.0 % \(1 to 4 % is usual\)/)
  const record = /** @type {any} */ ({ comparisons: [{ gates: true, spread: 0.09 }, { gates: true, spread: 0.1 }, { gates: false, spread: 0.01 }, { gates: true, spread: null }] })
  assert.match(diagnose({ record, samples: [], observed: null, environment: { loadAverage: [0], cores: 2, governor: null } }).join(), /varies by 9\.5 %/)
})
