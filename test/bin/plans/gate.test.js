/** The plan of a gate: which rows of queues are timed, and where there can be none. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { parse } from '../../../bin/request/request.js'
import { planGate } from '../../../bin/plans/gate.js'
import { GATE } from '../../../bin/presets.js'
import { timedRowsOf } from '../../../harness/plan/rows.js'
import { project } from '../project.js'
import { pick } from '../timerq.js'

test('a default gate only counts crowd and nearer; a scenario that is named is timed', async t => {
  const { root } = project(t)
  const home = process.cwd()
  process.chdir(root)
  t.after(() => process.chdir(home))
  const timedIn = async (/** @type {string[]} */ ...args) => {
    const { request } = parse(['gate', '--base', 'main', '--queue', './src/heap.js', ...args])
    const plan = await planGate(/** @type {any} */ (request))
    return new Set(pick(timedRowsOf(plan), 'scenario'))
  }
  const counted = ['crowd', 'nearer']
  assert.deepEqual([...(await timedIn())], GATE.scenarios.filter(name => !counted.includes(name)))
  assert.deepEqual([...(await timedIn('--scenario', 'nearer'))], ['nearer'])
  assert.deepEqual([...(await timedIn('--counts'))], [])
  await assert.rejects(() => timedIn('--expect', 'faster:allocation'), /names no scenario and no queue of this gate/)
  assert.ok(await timedIn('--expect', 'not-slower:allocation'))
})

test("a gate under Yarn's Plug'n'Play is refused with what to do", async t => {
  Object.defineProperty(process.versions, 'pnp', { value: '3', configurable: true })
  t.after(() => Reflect.deleteProperty(process.versions, 'pnp'))
  const asked = { command: { name: 'gate' }, base: 'HEAD' }
  await assert.rejects(planGate(/** @type {any} */ (asked)), { exitCode: 2, message: /Plug'n'Play .* nodeLinker: node-modules/ })
})
