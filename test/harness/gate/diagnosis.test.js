import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { busy, clockChanged, diagnose, drifted, driftOf, spreadOut, stolen } from '../../../harness/gate/diagnosis.js'
import { temporaryFolder } from '../temporary-folder.js'
import { FIRST_CELL, sampleOf } from './gate-fixture.js'

test('a quiet machine needs no words', () => {
  assert.deepEqual([busy(0.3, 2), stolen({ total: 100, stolen: 0 }, { total: 900, stolen: 1 }), clockChanged(3000, 2950, null), drifted(0.01), spreadOut(0.03, [0.02])].flat(), [])
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
  assert.deepEqual([stolen(null, null), stolen({ total: 1, stolen: 0 }, null), clockChanged(null, 3000, null), drifted(null), spreadOut(null, [])].flat(), [])
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
  // Of each cell on its own; what is counted has no time.
  const another = Array.from({ length: 30 }, (_, round) => sampleOf({ ...FIRST_CELL, scenario: 'another' }, 'base', round, { nsPerOp: 9000 }))
  assert.ok(Math.abs(Number(driftOf([...samples, ...another])) - (Math.sqrt(1.1) - 1)) < 1e-9)
  const counted = /** @type {const} */ ({ ...sampleOf(FIRST_CELL, 'base', 0, { workPerOp: 10 }), kind: 'count' })
  assert.equal(driftOf([...Array(20).fill(counted), ...samples]), drift)
  assert.match(drifted(-0.1)[0], /10\.0 % faster/)
})

test('a wide spread is judged by earlier gates here, or else by what is usual', () => {
  assert.match(spreadOut(0.05, [0.02, 0.02, 0.03])[0], /^from heat to heat, the ratio of head to base varies by 5\.0 %; in 3 earlier gates on this machine it varied by 2\.0 %/)
  assert.match(spreadOut(0.09, [])[0], /9\.0 % \(1 to 4 % is usual\)/)
})

test('earlier gates show what is usual, and other files are passed over', t => {
  const recordOf = (/** @type {number} */ spread) => /** @type {import('../../../harness/judge/compare.js').ComparisonRecord} */ (/** @type {unknown} */ ({
    format: 'timerq-comparison/1', comparisons: [{ ...FIRST_CELL, metric: 'nsPerOp', gates: true, spread }]
  }))
  const folder = temporaryFolder(t)
  const ofAnother = recordOf(0.001)
  ofAnother.comparisons[0].queue = 'another'
  const kept = {
    earlier: JSON.stringify(recordOf(0.02)),
    // Itself, judged before.
    now: JSON.stringify(recordOf(0.001)),
    another: JSON.stringify(ofAnother),
    empty: '{}',
    nothing: 'null',
    half: '{"format": "timerq-comp',
    hollow: '{"format": "timerq-comparison/1"}',
    foreign: '{"comparisons": [null]}',
    damaged: '{"format": "timerq-comparison/1", "comparisons": [null]}',
    other: '{"format": "timerq-comparison/1", "comparisons": [{"spread": "wide"}]}'
  }
  for (const [name, text] of Object.entries(kept)) {
    mkdirSync(path.join(folder, name))
    writeFileSync(path.join(folder, name, 'comparison.json'), text)
  }
  const environment = /** @type {import('../../../harness/processes/environment.js').Environment} */ ({ loadAverage: [0], cores: 2 })
  const said = diagnose({ record: recordOf(0.05), samples: [], observed: null, environment, directory: path.join(folder, 'now') })
  assert.equal(said.length, 1)
  assert.match(said[0], /in 1 earlier gate on this machine it varied by 2\.0 %/)
})
