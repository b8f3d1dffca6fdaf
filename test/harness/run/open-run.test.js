/** Refusals before a run measures anything, and facts about a user's program. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { gateStages } from '../../../harness/gate/stages.js'
import { openRun, tryOutProgram } from '../../../harness/run/run.js'
import { needs } from '../../needs.js'
import { freePorts } from '../../ports.js'
import { gatePlan } from '../gate/gate-fixture.js'
import { programOf } from '../measure/program/programs.js'
import { temporaryFolder } from '../temporary-folder.js'

/** @param {number} port */
function serverGate (port) {
  const plan = gatePlan({ queues: ['heap'], rounds: 12, scenario: { kind: 'http', values: { connections: [10] } } })
  return { ...plan, of: { ...plan.of, load: { generator: 'autocannon', port } } }
}

test('every port of a gate is checked before it measures: base, head and control have one each', async t => {
  const directory = path.join(temporaryFolder(t), 'results')
  const options = { directory, command: [] }
  const port = await freePorts(3)
  const other = createServer().listen(port + 2, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const open = (/** @type {ReturnType<typeof serverGate>} */ plan) =>
    openRun(plan, { ...options, stages: gateStages(plan) })
  await assert.rejects(open(serverGate(port)), {
    exitCode: 2,
    message: `--port ${port + 2} cannot be used (EADDRINUSE); choose another, or 0 for any free port`
  })
  await assert.rejects(open(serverGate(65_535)), {
    exitCode: 2,
    message: /^--port 65535 leaves too few for 3 servers that run at the same time/
  })
  assert.equal(existsSync(directory), false)
})

test('a program uses timers if one of its sides does, and its requests are counted', async t => {
  const plan = serverGate(0)
  const [base, head] = [programOf(t, 'good'), programOf(t, 'timeless')].map(({ cwd }) => ({ cwd }))
  const program = { command: [process.execPath, 'server.js'], cwd: '', path: '/', startSeconds: 30 }
  const load = { generator: needs('wrk') ? 'autocannon' : 'wrk', port: 0 }
  const settings = { ...plan.settings, httpWarmupMs: 50, httpHeat: { seconds: 1, sliceMs: 100 } }
  const runtimes = [{ name: 'v20', path: process.execPath, flags: [] }]
  const sides = { base, head, control: base }
  const trial = await tryOutProgram(/** @type {any} */ ({ ...plan, settings, of: { program, load }, runtimes, sides }))
  assert.deepEqual([trial.usesTimers, trial.requestsPerSecond > 0], [true, true])
})
