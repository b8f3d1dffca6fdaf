/** Gates that measure the sides of an earlier one again. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { assertSamePlan, assertSameTrees, besideEarlier, readEarlier } from '../../../harness/gate/earlier.js'
import { Heats } from '../../../harness/gate/heats.js'
import { judgeGate } from '../../../harness/gate/judge-gate.js'
import { endedGate, environment, gatePlan, samplesOf } from './gate-fixture.js'
import { createRepository } from './repository.js'

/** @import { TestContext } from 'node:test' */
/** @import { GateSettings } from '../../../harness/gate/gate-plan.js' */

/** @type {(t: TestContext, settings: Partial<GateSettings>) => string} */
function endedWith (t, settings) {
  const plan = gatePlan()
  return endedGate(t, { plan: { ...plan, of: { gate: { ...plan.of.gate, ...settings } } } }).directory
}

/**
 * @type {(measured: Parameters<typeof samplesOf>[1]) => import('../../../harness/judge/records.js').ComparisonRecord}
 */
function recordOf (measured) {
  const plan = gatePlan({ seed: 2 })
  const heats = new Heats()
  heats.add(samplesOf(plan, measured))
  return { ...judgeGate(plan, heats), warnings: [] }
}

test('two gates agree when they have one verdict, and the intervals of all rows overlap', t => {
  const { directory } = endedGate(t, { samples: samplesOf(gatePlan(), { slowdown: 1.2 }) })
  const run = { environment, plan: gatePlan() }
  const beside = (/** @type {Parameters<typeof samplesOf>[1]} */ measured) =>
    besideEarlier(recordOf(measured), { directory }, run)
  const again = beside({ slowdown: 1.2 })
  assert.deepEqual([again.verdict, again.agrees, again.differences], ['regression', true, []])
  assert.deepEqual(again.rows.map(({ queue }) => queue), ['heap', 'heap', 'wheel', 'wheel'])
  assert.ok(again.rows.every(({ ratio }) => Math.abs(Number(ratio) - 1.2) < 0.05))
  assert.equal(beside({ slowdown: 1.2, swing: 1.5 }).agrees, false, 'an open verdict, whose intervals overlap')
  assert.equal(beside({ slowdown: 1.5 }).agrees, false, 'the same verdict, far away')
  const open = recordOf({ slowdown: 1.2 })
  open.comparisons = open.comparisons.map(row => ({ ...row, low: null, high: null }))
  assert.ok(besideEarlier(open, { directory }, run).agrees, 'an interval without ends excludes nothing')
})

test('a gate that is measured again says what differs between the machines', t => {
  const { directory } = endedGate(t)
  const plan = gatePlan({ runtime: { name: 'v24', path: 'node', flags: [] } })
  const run = { environment: { ...environment, cpu: 'another', cores: 3 }, plan }
  const { differences, agrees } = besideEarlier(recordOf({}), { directory }, run)
  assert.deepEqual(differences, [
    { fact: 'Node', before: 'v20', now: 'v24' },
    { fact: 'CPU', before: `${environment.cores} x ${environment.cpu}`, now: '3 x another' }
  ])
  assert.ok(agrees, 'rows of two versions of Node are the same rows')
})

test('only a gate that has ended can be measured again', t => {
  assert.throws(() => readEarlier(endedGate(t, { run: { ended: null } }).directory), {
    exitCode: 2,
    message: /gate has not ended \(timerq gate --resume .*gate\)$/
  })
})

test('another workload, or a part of it, measures something else; another Node does not', t => {
  const { directory } = endedGate(t)
  const check = (/** @type {Parameters<typeof gatePlan>[0]} */ options) => () =>
    assertSamePlan(gatePlan(options), { directory })
  for (const runtime of [undefined, { name: 'v24', path: 'node', flags: [] }]) check({ runtime })()
  assert.throws(check({ queues: ['heap'] }), /measured wheel on refresh, which is not measured/)
  const changed = { scenario: { sha256: '1'.repeat(64) } }
  assert.throws(check(changed), /was measured with another refresh: start a new gate$/)
})

test('the head must be the one that was measured', t => {
  const { root, git, write, commit } = createRepository(t)
  write('a.js', '1')
  commit()
  const here = git('rev-parse', 'HEAD')
  const [tree, other] = ['a', 'b'].map(letter => letter.repeat(40))
  const check = (/** @type {Partial<GateSettings>} */ settings) =>
    assertSameTrees({ root, trees: { head: tree } }, { directory: endedWith(t, settings) })
  check({ trees: { base: tree, head: tree } })
  for (const [headCommit, advice] of [
    [undefined, '(go back to it, which is in no commit, or start a new gate)'],
    [here, `(git checkout ${here}, or start a new gate)`],
    [other, `(git fetch origin ${other} && git checkout ${other}, or start a new gate)`]
  ]) {
    const settings = { trees: { base: tree, head: other }, ...(headCommit && { headCommit }) }
    assert.throws(() => check(settings), error => error instanceof Error && error.message.endsWith(advice))
  }
})
