import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { GATE } from '../../../bin/presets.js'
import { captureEnvironment } from '../../../harness/processes/environment.js'
import { cellOf } from '../../../harness/gate/measure-heat.js'
import { gatedCells } from '../../../harness/gate/plan.js'
import { resumeGate, startGate } from '../../../harness/gate/run.js'
import { hashOf } from '../../../harness/run/continuation.js'
import { createResults } from '../../../harness/store/results.js'
import { temporaryFolder } from '../temporary-folder.js'
import { gatePlan, sampleOf, samplesOf } from './gate-fixture.js'

const SCENARIO = new URL('../../../scenarios/refresh-one-duration.js', import.meta.url).href
const ARMS = /** @type {const} */ (['base', 'head'])

/**
 * A gate that has ended without an answer.
 *
 * @param {import('node:test').TestContext} t
 */
function endedGate (t, plan = gatePlan()) {
  const directory = path.join(temporaryFolder(t), 'gate')
  Object.assign(plan.settings, { ...GATE, preset: 'gate', countSeed: 1, rounds: plan.settings.rounds, budgetSeconds: null, load: 'wrk', port: 0, trace: null, control: {} })
  Object.assign(plan.scenarios[0], { title: '', source: '', usesAllCores: false, isCounted: true, url: SCENARIO, sha256: hashOf({ url: SCENARIO }) })
  const store = createResults(directory, /** @type {any} */ ({
    command: ['timerq', 'gate'],
    started: '2026-01-01T00:00:00.000Z',
    ended: '2026-01-01T00:05:00.000Z',
    environment: captureEnvironment({ pinning: '', loadGenerator: 'none' }),
    plan
  }))
  store.append(samplesOf(plan, { spread: 0.4 }))
  return { directory, store, plan, samples: () => readFileSync(path.join(directory, 'samples.jsonl'), 'utf8') }
}

test('a gate that has ended is judged again and never measured further', async t => {
  const { directory, samples } = endedGate(t)
  const before = samples()
  const { verdict, comparisons, warnings } = await resumeGate(directory, { onProgress: () => assert.fail('it measures') })
  assert.deepEqual([verdict, comparisons[0].pairs], ['inconclusive', 30])
  assert.match(warnings.at(-1) ?? '', /^this gate ended at 2026-01-01T00:05:00\.000Z and was only judged again; .* start a new gate with a larger --budget than 300s and --rounds above 30$/)
  assert.equal(samples(), before)
})

test('a gate that another process ends before it is locked is not measured further', async t => {
  const { directory, store, samples } = stoppedGate(t, { measured: UNCLEAR })
  const before = samples()
  const named = {
    // Asked for between the first look at the gate and its lock.
    get runtimes () {
      store.update({ ended: '2026-01-01T00:05:00.000Z' })
      return undefined
    }
  }
  const { warnings } = await resumeGate(directory, { named, onProgress: () => assert.fail('it measures') })
  assert.match(warnings.at(-1) ?? '', /^this gate ended at 2026-01-01T00:05:00\.000Z and was only judged again; /)
  assert.equal(samples(), before)
})

test('a gate that could not be prepared leaves neither its directory nor the lock of it', async t => {
  const { plan, store } = endedGate(t)
  const directory = path.join(temporaryFolder(t), 'gate')
  const selfCheck = { ...plan, gate: { ...plan.gate, isSelfCheck: true } }
  await assert.rejects(startGate(selfCheck, { root: temporaryFolder(t), directory, command: ['timerq', 'gate'] }))
  assert.ok(!existsSync(directory))
  createResults(directory, store.run)
  assert.ok(existsSync(path.join(directory, '.running')), 'the next attempt is locked, too')
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
    const { directory, store, plan } = endedGate(t)
    change(plan)
    store.update({ ended: null, plan })
    await assert.rejects(resumeGate(directory, {}), { exitCode: 2, message: /its looks are not those of \d+ rounds.*start a new gate$/ })
  })
}

/**
 * A gate that was stopped, as a rule a round after its first look.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} options
 * @param {NonNullable<Parameters<typeof samplesOf>[1]>} options.measured
 * @param {number} [options.budgetSeconds]
 * @param {boolean} [options.isBroken]  The head of the first cell fails in every heat.
 * @param {'micro' | 'http'} [options.kind]
 * @param {number} [options.rounds]  Measured so far.
 */
function stoppedGate (t, { measured, budgetSeconds = 300, isBroken = false, kind = 'micro', rounds }) {
  const plan = gatePlan({ rounds: 60, runtime: { name: process.version, path: process.execPath, flags: [] } })
  const { directory, store, samples } = endedGate(t, plan)
  Object.assign(plan.scenarios[0], { kind })
  plan.gate.budgetSeconds = budgetSeconds
  store.update({ ended: null })
  const cells = gatedCells(plan)
  const failing = isBroken ? cellOf(cells[0], 'head').id : undefined
  const counted = cells.flatMap(cell => ARMS.map(arm => ({ ...sampleOf(cell, arm, 0, { workPerOp: 40 }), kind: /** @type {const} */ ('count'), heat: undefined })))
  const heats = samplesOf(plan, measured).filter(({ round }) => round < (rounds ?? plan.gate.looks[0].rounds + 1))
    .map(sample => sample.cell === failing ? { ...sample, metrics: {}, failure: { kind: 'crash', message: 'it died' } } : sample)
  rmSync(path.join(directory, 'samples.jsonl'))
  store.append([...counted, ...heats])
  for (const [place, arm] of [['a', 'base'], ['b', 'head'], ['c', 'again']]) {
    mkdirSync(path.join(directory, 'sides', place), { recursive: true })
    writeFileSync(path.join(directory, 'sides', place, '.timerq-side'), arm)
  }
  return { directory, store, samples }
}

const CLEAR = { slowdown: 2 }
const UNCLEAR = { spread: 0.4 }

for (const [what, verdict, options] of /** @type {[string, string, Parameters<typeof stoppedGate>[1]][]} */ ([
  ['whose cells are all decided', 'regression', { measured: CLEAR }],
  ['whose cells are decided or fail', 'invalid', { measured: {}, isBroken: true }],
  ['whose budget is spent', 'inconclusive', { measured: UNCLEAR, budgetSeconds: 0 }]
])) {
  test(`a gate ${what} measures no more, and ends`, async t => {
    const { directory, samples } = stoppedGate(t, options)
    const before = samples()
    const record = await resumeGate(directory, { onProgress: () => assert.fail('it measures') })
    assert.equal(record.verdict, verdict)
    assert.equal(samples(), before)
    assert.notEqual(JSON.parse(readFileSync(path.join(directory, 'run.json'), 'utf8')).ended, null)
    assert.ok(!existsSync(path.join(directory, 'sides')))
  })
}

test('a gate with cells that are not decided measures on, with the round after its last', async t => {
  const { directory } = stoppedGate(t, { measured: UNCLEAR })
  /** @type {number[][]} */
  const begun = []
  const onProgress = (/** @type {import('../../../harness/gate/run.js').GateProgress} */ { pair, open, total }) => {
    begun.push([pair.round, open, total])
    throw new Error('measured enough')
  }
  await assert.rejects(resumeGate(directory, { onProgress }), /measured enough/)
  assert.deepEqual(begun[0], [13, 4, 4])
  const sides = ['a', 'b', 'c'].map(place => readFileSync(path.join(directory, 'sides', place, '.timerq-side'), 'utf8'))
  assert.deepEqual(sides, ['again', 'base', 'head'], 'after one turn')
})

test('a gate begins to measure servers when those before them have ended', async t => {
  const { directory, samples } = stoppedGate(t, { measured: UNCLEAR, kind: 'http' })
  /** @type {number[]} */
  const kept = []
  const onProgress = () => {
    kept.push(samples().length)
    if (kept.length === 2) throw new Error('measured enough')
  }
  // The sides are empty: their servers fail at once.
  await assert.rejects(resumeGate(directory, { onProgress }), /measured enough/)
  assert.ok(kept[1] > kept[0], 'two at the same time')
})

test('a cell whose head fails is not measured again, also before the first look', async t => {
  const { directory } = stoppedGate(t, { measured: {}, isBroken: true, rounds: 2 })
  const onProgress = (/** @type {import('../../../harness/gate/run.js').GateProgress} */ { open, total }) => { throw new Error(`${open} of ${total}`) }
  await assert.rejects(resumeGate(directory, { onProgress }), /^Error: 3 of 4$/)
})

test('a gate that has lost the folders of its sides is not continued', async t => {
  const { directory } = stoppedGate(t, { measured: UNCLEAR })
  rmSync(path.join(directory, 'sides/b'), { recursive: true })
  await assert.rejects(resumeGate(directory, {}), { exitCode: 2, message: /has lost the folders of its sides: start a new gate$/ })
})

test('what holds a run, or gates a queue without cells, is not continued as a gate', async t => {
  const { directory, store, plan } = endedGate(t)
  store.update({ plan: /** @type {any} */ ({ ...plan, gate: { ...plan.gate, queues: [...plan.gate.queues, { ...plan.gate.queues[0], name: 'list' }] } }) })
  await assert.rejects(resumeGate(directory, {}), { exitCode: 2, message: /has no cell of list, which it gates: start a new gate$/ })
  const { gate, ...rest } = plan
  store.update({ plan: rest })
  await assert.rejects(resumeGate(directory, {}), { exitCode: 2, message: /holds a run, not a gate: continue it with timerq run --resume / })
})
