/** Gates from their start to their verdict: stopped, resumed, judged again, or refused. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rowsOf } from '../../../harness/plan/rows.js'
import { hashOf } from '../../../harness/processes/environment.js'
import { resumeGate, startGate } from '../../../harness/gate/gate.js'
import { readStopped } from '../../../harness/run/continuation.js'
import { repositoryRoot } from '../../../harness/gate/revisions.js'
import { Store } from '../../../harness/store/results.js'
import { temporaryFolder } from '../temporary-folder.js'
import { countOf, endedGate, FIRST_ROW, gatePlan, samplesOf } from './gate-fixture.js'
import { createRepository } from './repository.js'

/** @import { TestContext } from 'node:test' */
/** @import { Kind } from '../../../harness/plan/steps.js' */
/** @import { Progress } from '../../../harness/run/progress.js' */
/** @import { Run, Sample } from '../../../harness/store/results.js' */

const SCENARIO = new URL('../../../scenarios/refresh-one-duration.js', import.meta.url).href
const HEAP = new URL('../../../queues/binary-heap.js', import.meta.url).href
const NODE = { name: process.version, path: process.execPath, flags: [] }
/** @typedef {{counted: number, steps?: Kind[]}} Counting  `counted`: number of rows with counts. */

/** A gate without an answer. */
const OPEN = { samples: samplesOf(gatePlan(), { spread: 0.4 }) }

/**
 * Writes run.json as another process would.
 *
 * @param {string} directory
 * @param {Partial<Run>} changes
 */
function change (directory, changes) {
  const file = path.join(directory, 'run.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...changes }))
}

/**
 * A gate that was stopped, as a rule a round after its first look.
 *
 * @param {TestContext} t
 * @param {object} options
 * @param {NonNullable<Parameters<typeof samplesOf>[1]>} options.measured
 * @param {number} [options.budgetSeconds]
 * @param {boolean} [options.isBroken]  The head of the first row fails in every heat.
 */
function stoppedGate (t, { measured, budgetSeconds = 300, isBroken = false }) {
  const root = repositoryRoot(process.cwd())
  const plan = gatePlan({
    rounds: 60,
    root,
    runtime: NODE,
    scenario: { url: SCENARIO, sha256: hashOf({ url: SCENARIO }) }
  })
  plan.of.gate.budgetSeconds = budgetSeconds
  plan.of.gate.trees = { base: 'aa', head: 'bb' }
  const counted = rowsOf(plan).flatMap(row =>
    /** @type {const} */ (['base', 'head']).map(side => countOf(row, side, { workPerOp: 40 }))
  )
  const isFailing = (/** @type {Sample} */ { queue, params, side }) =>
    isBroken && side === 'head' && queue === FIRST_ROW.queue && params.size === FIRST_ROW.params.size
  const heats = samplesOf(plan, measured)
    .filter(({ round }) => round <= plan.of.gate.looks[0].rounds)
    .map(sample =>
      isFailing(sample) ? { ...sample, metrics: {}, failure: { kind: 'crash', message: 'it died' } } : sample
    )
  const { directory, samples } = endedGate(t, { plan, samples: [...counted, ...heats] })
  change(directory, { ended: null })
  for (const side of ['a', 'b', 'c']) mkdirSync(path.join(directory, 'sides', side), { recursive: true })
  return { directory, samples }
}

/**
 * Continues a gate by the plan that it has, or by another.
 *
 * @param {string} directory
 * @param {any} [options]
 */
function resume (directory, options = {}) {
  const stopped = readStopped(directory, 'gate')
  return resumeGate(stopped, { plan: stopped.run.plan, ...options })
}

const CLEAR = { slowdown: 2 }
const UNCLEAR = { swing: 1.5 }

test('a gate that has ended is judged again and never measured further', async t => {
  const { directory, samples } = endedGate(t, OPEN)
  const before = samples()
  const { verdict, comparisons, warnings } = await resume(directory, {
    onProgress: () => assert.fail('it measures')
  })
  assert.deepEqual([verdict, comparisons[0].pairs], ['inconclusive', 30])
  assert.match(
    warnings.at(-1) ?? '',
    /^this gate ended at 2026-01-01T00:05:00\.000Z and was only judged again; more heats need a new gate, with a --budget above 300s and --rounds above 30$/
  )
  assert.equal(samples(), before)
})

test('a gate that another process ends before it is locked is not measured further', async t => {
  const { directory, samples } = stoppedGate(t, { measured: UNCLEAR })
  const before = samples()
  const stopped = readStopped(directory, 'gate')
  change(directory, { ended: '2026-01-01T00:05:00.000Z' })
  const plan = /** @type {any} */ (stopped.run.plan)
  const { warnings } = await resumeGate(stopped, { plan, onProgress: () => assert.fail('it measures') })
  assert.match(warnings.at(-1) ?? '', /^this gate ended at 2026-01-01T00:05:00\.000Z and was only judged again; /)
  assert.equal(samples(), before)
})

for (const [title, { counted, steps }, share] of /** @type {[string, Counting, string?][]} */ ([
  ['names the timed rows that it had no time to count', { counted: 1 }, '3 of 4 rows'],
  ['that counted every row names none', { counted: 4 }],
  ['by counts alone says of which rows they are missing elsewhere', { counted: 1, steps: ['count'] }]
])) {
  test(`a gate ${title}`, async t => {
    const plan = gatePlan({ scenario: steps && { steps } })
    const counts = rowsOf(plan)
      .slice(0, counted)
      .flatMap(row => [countOf(row, 'base', { workPerOp: 40 }), countOf(row, 'head', { workPerOp: 40 })])
    const { directory } = endedGate(t, { plan, samples: [...counts, ...samplesOf(plan)] })
    const { warnings } = await resume(directory)
    const found = warnings.filter(text => text.startsWith('no time was left to count'))
    const expected = `no time was left to count ${share}, so only times decide them: give it a longer --budget`
    assert.deepEqual(found, share ? [expected] : [])
  })
}

test('a verdict is not lost where its record cannot be written', async t => {
  const { directory } = endedGate(t, OPEN)
  mkdirSync(path.join(directory, 'comparison.json'))
  const { verdict, warnings } = await resume(directory)
  assert.equal(verdict, 'inconclusive')
  assert.match(warnings.at(-1) ?? '', /^comparison\.json was not written: EISDIR/)
})

for (const [title, options, verdict] of /** @type {[string, Parameters<typeof stoppedGate>[1], string][]} */ ([
  ['whose rows are all decided', { measured: CLEAR }, 'regression'],
  ['whose rows are decided or fail', { measured: {}, isBroken: true }, 'invalid'],
  ['whose budget is spent', { measured: UNCLEAR, budgetSeconds: 0 }, 'inconclusive']
])) {
  test(`a gate ${title} measures no more, and ends`, async t => {
    const { directory, samples } = stoppedGate(t, options)
    const before = samples()
    const record = await resume(directory, { onProgress: () => assert.fail('it measures') })
    assert.equal(record.verdict, verdict)
    assert.equal(samples(), before)
    assert.notEqual(JSON.parse(readFileSync(path.join(directory, 'run.json'), 'utf8')).ended, null)
    assert.ok(!existsSync(path.join(directory, 'sides')))
  })
}

test('a gate with rows that are not decided measures on: with the round after its last, without the row ' +
  'that fails', async t => {
  const { directory } = stoppedGate(t, { measured: UNCLEAR, isBroken: true })
  /** @type {object[]} */
  const begun = []
  const onProgress = (/** @type {Progress} */ { next: { kind, round }, open }) => {
    begun.push({ kind, round, open })
    throw new Error('measured enough')
  }
  await assert.rejects(resume(directory, { onProgress }), /measured enough/)
  assert.deepEqual(begun, [{ kind: 'heat', round: 13, open: { left: 3, total: 4 } }])
})

for (const [title, damage, message] of /** @type {[string, (plan: any) => unknown, RegExp][]} */ ([
  ['with more rounds', ({ end }) => (end.rounds = 61), /cannot change \(61 rounds .*start a new gate$/],
  ['with a look that is paid twice', ({ of }) => (of.gate.looks[0].share = 1), /cannot change .*start a new gate$/],
  ['of cells without a side', ({ cells }) => delete cells[0].side, /cells\/0.*side/],
  ['that is a run', plan => (plan.question = 'run'), /holds a run, not a gate: continue it with timerq run --resume /]
])) {
  test(`a gate ${title} is not continued`, async t => {
    const { directory, plan: whole } = endedGate(t)
    const plan = structuredClone(whole)
    damage(plan)
    for (const side of ['a', 'b', 'c']) mkdirSync(path.join(directory, 'sides', side), { recursive: true })
    change(directory, { ended: null, plan })
    await assert.rejects(async () => resume(directory, { plan: whole }), { exitCode: 2, message })
  })
}

test('a gate that has lost the folders of its sides is not continued', async t => {
  const { directory } = stoppedGate(t, { measured: UNCLEAR })
  rmSync(path.join(directory, 'sides/b'), { recursive: true })
  await assert.rejects(resume(directory), {
    exitCode: 2,
    message: /has lost the folders of its sides: start a new gate$/
  })
})

test('a gate that is killed while its sides are prepared, or just after, says everything once when ' +
  'it goes on', async t => {
  const { root, git, write, commit } = createRepository(t)
  write('package.json', { type: 'module' })
  write('heap.js', "import './ignored.js'\n")
  commit()
  process.env.NODE_OPTIONS = '--no-warnings'
  t.after(() => delete process.env.NODE_OPTIONS)
  t.mock.method(process, 'cwd', () => root)
  const folder = temporaryFolder(t)
  const [directory, before, after] = ['whole', 'before', 'after'].map(name => path.join(folder, name))
  const { update } = Store.prototype
  t.mock.method(Store.prototype, 'update', function (/** @type {any} */ changes) {
    const isPrepared = changes.plan?.of.gate.trees !== undefined
    if (isPrepared) cpSync(directory, before, { recursive: true })
    update.call(/** @type {any} */ (this), changes)
    if (isPrepared) cpSync(directory, after, { recursive: true })
  })
  const scenario = { url: SCENARIO, sha256: hashOf({ url: SCENARIO }), values: { size: [10] } }
  const plan = gatePlan({ queues: ['heap'], rounds: 1, root, runtime: NODE, scenario })
  const gate = { ...plan.of.gate, baseCommit: git('rev-parse', 'HEAD') }
  const whole = await startGate({ ...plan, of: { gate } }, { directory, command: ['timerq', 'gate'] })
  assert.match(whole.warnings[0], /^NODE_OPTIONS is set/)
  assert.match(String(whole.comparisons[0].reason), /^base: it lacks ignored\.js/)
  for (const copy of [before, after]) {
    rmSync(path.join(copy, '.running'), { recursive: true })
    const { warnings, comparisons } = await resume(copy)
    const samples = ['samples.jsonl'].map(name => readFileSync(path.join(copy, name), 'utf8').trim().split('\n').length)
    assert.deepEqual([warnings.slice(0, 1), comparisons, samples], [whole.warnings.slice(0, 1), whole.comparisons, [2]])
    assert.equal(warnings.filter(text => text.startsWith('NODE_OPTIONS')).length, 1)
  }
})

test('each process of two binaries draws a copy of its binary; one that has none is named', async t => {
  const folder = temporaryFolder(t)
  const log = path.join(folder, 'log')
  const gate = (/** @type {string} */ name, /** @type {string} */ needs) => {
    const runtimes = ['one', 'other'].map(name => {
      const script = path.join(folder, name)
      writeFileSync(script, `#!/bin/sh\necho "$0" >> ${log}\n${needs}exec ${process.execPath} "$@"\n`, { mode: 0o755 })
      return { ...NODE, name, path: script }
    })
    const scenario = { url: SCENARIO, values: { size: [10] } }
    const plan = gatePlan({ queues: ['binary-heap'], rounds: 1, runtime: runtimes[0], scenario })
    const [base, head] = runtimes.map(({ name }) => ({ runtime: name }))
    const queues = plan.queues.map(({ file, ...queue }) => ({ ...queue, url: HEAP }))
    return startGate(
      {
        ...plan,
        queues,
        runtimes,
        of: { gate: { ...plan.of.gate, root: undefined, sides: { base, head, control: base } } }
      },
      { directory: path.join(folder, name), command: ['timerq', 'gate'] }
    )
  }
  const { warnings } = await gate('copied', '')
  const started = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .filter(file => file.includes('copied'))
  const sides = new Set(started.map(file => path.basename(file).replace(/\d$/, '')))
  assert.deepEqual([...sides].sort(), ['base', 'head'], started.join())
  assert.ok(!warnings.some(text => text.includes('copies')))
  assert.ok(!existsSync(path.dirname(started[0])), 'the copies are gone')
  const alone = await gate('alone', `case "$0" in ${folder}/o*) ;; *) echo 'lib.so: no such file' >&2; exit 1; esac\n`)
  assert.match(
    alone.warnings.join('\n'),
    /^copies of the binaries cannot be used: lib.so: no such file \(so all processes of a side share one file/m
  )
  assert.equal(alone.comparisons[0].pairs, 1)
})
