/** Two gates of the same sides: do they agree? */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { agreementOf, haveSameSides } from '../../../harness/gate/agreement.js'
import { Heats } from '../../../harness/gate/heats.js'
import { judgedAgain } from '../../../harness/gate/index.js'
import { judgeGate } from '../../../harness/gate/judge-gate.js'
import { timerqHere } from '../../bin/timerq.js'
import { endedGate, environment, gatePlan, samplesOf } from './gate-fixture.js'

/**
 * @param {Parameters<typeof samplesOf>[1]} measured
 * @param {Parameters<typeof gatePlan>[0]} [plan]
 * @returns {any}
 */
function recordOf (measured, plan) {
  const planned = gatePlan({ seed: 2, ...plan })
  const heats = new Heats()
  heats.add(samplesOf(planned, measured))
  return { ...judgeGate(planned, heats), receipt: { seed: 2, environment } }
}

test('two gates agree when they have one verdict, and the intervals of all rows overlap', async t => {
  const { directory } = endedGate(t, { samples: samplesOf(gatePlan(), { slowdown: 1.2 }) })
  const first = await judgedAgain(directory)
  const agreement = (/** @type {any} */ measured, /** @type {any} */ plan) =>
    agreementOf(directory, first, recordOf(measured, plan))
  const again = agreement({ slowdown: 1.2 })
  assert.deepEqual([again.verdict, again.agrees, again.differences], ['regression', true, []])
  assert.deepEqual(again.rows.map(({ queue }) => queue), ['heap', 'heap', 'wheel', 'wheel'])
  assert.ok(again.rows.every(({ ratio }) => Math.abs(Number(ratio) - 1.2) < 0.05))
  assert.equal(agreement({ slowdown: 1.2, swing: 1.5 }).agrees, false, 'an open verdict, whose intervals overlap')
  assert.equal(agreement({ slowdown: 1.5 }).agrees, false, 'the same verdict, far away')
  assert.equal(agreement({ slowdown: 1.2 }, { queues: ['heap'] }).agrees, false, 'a row was not measured again')
  const open = recordOf({ slowdown: 1.2 })
  open.comparisons = open.comparisons.map((/** @type {any} */ row) => ({ ...row, low: null, high: null }))
  assert.ok(agreementOf(directory, first, open).agrees, 'an interval without ends excludes nothing')
})

test('the second of two gates says what differs between the machines', () => {
  const second = recordOf({}, { runtime: { name: 'v24', path: 'node', flags: [] } })
  second.receipt.environment = { ...environment, cpu: 'another', cores: 3 }
  const { differences, agrees } = agreementOf('results/one', recordOf({}), second)
  assert.deepEqual(differences, [
    { fact: 'Node', before: 'v20', now: 'v24' },
    { fact: 'CPU', before: `${environment.cores} x ${environment.cpu}`, now: '3 x another' }
  ])
  assert.ok(agrees, 'rows of two versions of Node are the same rows')
})

test('sides are the same by their hashes of git', () => {
  const of = (/** @type {string} */ head) => /** @type {any} */ ({ receipt: { trees: { base: 'a', head } } })
  assert.deepEqual([haveSameSides(of('b'), of('b')), haveSameSides(of('b'), of('c'))], [true, false])
  const runtimes = /** @type {any} */ ({ receipt: {} })
  assert.ok(haveSameSides(runtimes, runtimes), 'a gate of runtimes has no trees')
})

test('only a gate that has ended is confirmed', async t => {
  const { directory } = endedGate(t, { run: { ended: null } })
  assert.ok(judgedAgain(directory).comparisons.length > 0, 'the samples of a gate that was killed are judged')
  const { code, stderr } = await timerqHere(['confirm', directory])
  assert.deepEqual([code, stderr], [2, `timerq: ${directory} has not ended: start a new gate\n`])
})
