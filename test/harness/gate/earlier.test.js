/** Gates that measure the sides of an earlier one again. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { besideEarlier } from '../../../harness/gate/earlier.js'
import { Heats } from '../../../harness/gate/heats.js'
import { judgeGate } from '../../../harness/gate/judge-gate.js'
import { environment, gatePlan, samplesOf } from './gate-fixture.js'

/**
 * @type {(measured: Parameters<typeof samplesOf>[1]) => import('../../../harness/judge/records.js').ComparisonRecord}
 */
function recordOf (measured) {
  const plan = gatePlan({ seed: 2 })
  const heats = new Heats()
  heats.add(samplesOf(plan, measured))
  return { ...judgeGate(plan, heats), warnings: [] }
}

/** @type {(measured: Parameters<typeof samplesOf>[1]) => Parameters<typeof besideEarlier>[1]} */
const before = measured => ({
  directory: 'results/gate',
  record: recordOf(measured),
  run: { environment, plan: gatePlan() }
})

test('two gates agree when they have one verdict, and the intervals of all rows overlap', () => {
  const first = before({ slowdown: 1.2 })
  const beside = (/** @type {Parameters<typeof samplesOf>[1]} */ measured) =>
    besideEarlier({ record: recordOf(measured), run: first.run }, first)
  const again = beside({ slowdown: 1.2 })
  assert.deepEqual([again.verdict, again.agrees, again.differences], ['regression', true, []])
  assert.deepEqual(again.rows.map(({ queue }) => queue), ['heap', 'heap', 'wheel', 'wheel'])
  assert.ok(again.rows.every(({ ratio }) => Math.abs(Number(ratio) - 1.2) < 0.05))
  assert.equal(beside({ slowdown: 1.2, swing: 1.5 }).agrees, false, 'an open verdict, whose intervals overlap')
  assert.equal(beside({ slowdown: 1.5 }).agrees, false, 'the same verdict, far away')
  const open = recordOf({ slowdown: 1.2 })
  open.comparisons = open.comparisons.map(row => ({ ...row, low: null, high: null }))
  assert.ok(besideEarlier({ record: open, run: first.run }, first).agrees, 'an interval without ends excludes nothing')
})

test('a gate that is measured again says what differs between the machines', () => {
  const plan = gatePlan({ runtime: { name: 'v24', path: 'node', flags: [] } })
  const run = { environment: { ...environment, cpu: 'another', cores: 3 }, plan }
  const { differences, agrees } = besideEarlier({ record: recordOf({}), run }, before({}))
  assert.deepEqual(differences, [
    { fact: 'Node', before: 'v20', now: 'v24' },
    { fact: 'CPU', before: `${environment.cores} x ${environment.cpu}`, now: '3 x another' }
  ])
  assert.ok(agrees, 'rows of two versions of Node are the same rows')
})
