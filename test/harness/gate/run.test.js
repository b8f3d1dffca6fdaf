import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { GATE } from '../../../bin/presets.js'
import { captureEnvironment } from '../../../harness/environment.js'
import { resumeGate, startGate } from '../../../harness/gate/run.js'
import { appendSamples, createResults, RUN_FORMAT, writeRun } from '../../../harness/results/results.js'
import { temporaryFolder } from '../temporary-folder.js'
import { gatePlan, samplesOf } from './gate-fixture.js'

/**
 * A gate that has ended without an answer.
 *
 * @param {import('node:test').TestContext} t
 */
function endedGate (t) {
  const directory = path.join(temporaryFolder(t), 'gate')
  const plan = gatePlan()
  Object.assign(plan.settings, { ...GATE, preset: 'gate', rounds: plan.settings.rounds, budgetSeconds: null, load: 'wrk', port: 0, control: {} })
  Object.assign(plan.scenarios[0], { title: '', source: '', coldStart: false, url: '' })
  const run = /** @type {import('../../../harness/results/results.js').Run} */ (/** @type {unknown} */ ({
    format: RUN_FORMAT,
    id: 'gate',
    command: ['timerq', 'gate'],
    started: '2026-01-01T00:00:00.000Z',
    ended: '2026-01-01T00:05:00.000Z',
    environment: captureEnvironment({ pinning: '', loadGenerator: 'none' }),
    plan
  }))
  createResults(directory, run)
  appendSamples(directory, samplesOf(plan, { spread: 0.4 }))
  return { directory, run, plan, samples: () => readFileSync(path.join(directory, 'samples.jsonl'), 'utf8') }
}

test('a gate that has ended is judged again and never measured further', async t => {
  const { directory, samples } = endedGate(t)
  const before = samples()
  const { verdict, comparisons, warnings } = await resumeGate(directory, { onProgress: () => assert.fail('it measures') })
  assert.deepEqual([verdict, comparisons[0].pairs], ['inconclusive', 30])
  assert.match(warnings.at(-1) ?? '', /^this gate ended at 2026-01-01T00:05:00\.000Z and was only judged again; .* start a new gate with a larger --budget than 300s and --rounds above 30$/)
  assert.equal(samples(), before)
})

test('a gate that could not be prepared leaves neither its directory nor the lock of it', async t => {
  const { plan, run } = endedGate(t)
  const directory = path.join(temporaryFolder(t), 'gate')
  const selfCheck = { ...plan, gate: { ...plan.gate, isSelfCheck: true } }
  await assert.rejects(startGate(selfCheck, { root: temporaryFolder(t), directory, command: ['timerq', 'gate'] }))
  assert.ok(!existsSync(directory))
  createResults(directory, run)
  assert.ok(existsSync(path.join(directory, '.running-1')), 'the next attempt is locked, too')
})

test('a verdict is not lost where its record cannot be written', async t => {
  const { directory } = endedGate(t)
  mkdirSync(path.join(directory, 'comparison.json'))
  const { verdict, warnings } = await resumeGate(directory, {})
  assert.equal(verdict, 'inconclusive')
  assert.match(warnings.at(-1) ?? '', /^comparison\.json was not written: EISDIR/)
})

for (const [what, change] of /** @type {[string, (plan: import('../../../harness/gate/plan.js').GatePlan) => void][]} */ ([
  ['more rounds', ({ settings }) => { settings.rounds = 61 }],
  ['a look that is paid twice', ({ gate }) => { gate.looks[0].share = 1 }]
])) {
  test(`a gate is not continued with ${what}`, async t => {
    const { directory, run, plan } = endedGate(t)
    change(plan)
    writeRun(directory, { ...run, ended: null, plan })
    await assert.rejects(resumeGate(directory, {}), { exitCode: 2, message: /its looks are not those of \d+ rounds.*start a new gate$/ })
  })
}
