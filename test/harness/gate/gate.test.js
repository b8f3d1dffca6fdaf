/** Gates from their start to their verdict, and judged again. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rowsOf } from '../../../harness/plan/rows.js'
import { hashOf } from '../../../harness/processes/environment.js'
import { judgedAgain, startGate } from '../../../harness/gate/gate.js'
import { Store } from '../../../harness/store/results.js'
import { temporaryFolder } from '../temporary-folder.js'
import { countOf, endedGate, gatePlan, samplesOf } from './gate-fixture.js'
import { createRepository } from './repository.js'

/** @import { TestContext } from 'node:test' */
/** @import { Kind } from '../../../harness/plan/steps.js' */

const SCENARIO = new URL('../../../scenarios/refresh-one-duration.js', import.meta.url).href
const HEAP = new URL('../../../queues/binary-heap.js', import.meta.url).href
const NODE = { name: process.version, path: process.execPath, flags: [] }
/** @typedef {{counted: number, steps?: Kind[]}} Counting  `counted`: number of rows with counts. */

test('the samples of a gate are judged again, also of a gate that was killed', t => {
  for (const ended of ['2026-01-01T00:05:00.000Z', null]) {
    const open = { samples: samplesOf(gatePlan(), { spread: 0.4 }) }
    const { directory, samples } = endedGate(t, { ...open, run: { ended } })
    const before = samples()
    const { verdict, comparisons, warnings } = judgedAgain(directory)
    assert.deepEqual([verdict, comparisons[0].pairs], ['inconclusive', 30])
    assert.equal(warnings.at(-1), 'more heats need a new gate, with a --budget above 300s and --rounds above 30')
    assert.equal(samples(), before)
  }
})

for (const [title, { counted, steps }, share] of /** @type {[string, Counting, string?][]} */ ([
  ['names the timed rows that it had no time to count', { counted: 1 }, '3 of 4 rows'],
  ['that counted every row names none', { counted: 4 }],
  ['by counts alone says of which rows they are missing elsewhere', { counted: 1, steps: ['count'] }]
])) {
  test(`a gate ${title}`, t => {
    const plan = gatePlan({ scenario: steps && { steps } })
    const counts = rowsOf(plan)
      .slice(0, counted)
      .flatMap(row => [countOf(row, 'base', { workPerOp: 40 }), countOf(row, 'head', { workPerOp: 40 })])
    const { directory } = endedGate(t, { plan, samples: [...counts, ...samplesOf(plan)] })
    const { warnings } = judgedAgain(directory)
    const found = warnings.filter(text => text.startsWith('no time was left to count'))
    const expected = `no time was left to count ${share}, so only times decide them: give it a longer --budget`
    assert.deepEqual(found, share ? [expected] : [])
  })
}

/**
 * Starts a gate of one queue that cannot be loaded.
 *
 * @param {TestContext} t
 * @param {(directory: string) => void} [whenPrepared]
 */
function lackingGate (t, whenPrepared = () => {}) {
  const { root, git, write, commit } = createRepository(t)
  write('package.json', { type: 'module' })
  write('heap.js', "import './ignored.js'\n")
  commit()
  write('heap.js', "import './ignored.js'\nexport const changed = true\n")
  t.mock.method(process, 'cwd', () => root)
  const directory = path.join(temporaryFolder(t), 'gate')
  const { update } = Store.prototype
  t.mock.method(Store.prototype, 'update', function (/** @type {any} */ changes) {
    update.call(/** @type {any} */ (this), changes)
    if (changes.plan?.of.gate.trees !== undefined) whenPrepared(directory)
  })
  const scenario = { url: SCENARIO, sha256: hashOf({ url: SCENARIO }), values: { size: [10] } }
  const plan = gatePlan({ queues: ['heap'], rounds: 1, root, runtime: NODE, scenario })
  const gate = { ...plan.of.gate, baseCommit: git('rev-parse', 'HEAD') }
  return startGate({ ...plan, of: { gate } }, { directory, command: ['timerq', 'gate'] })
}

test('a side that lacks a file fails, and the options of Node that both sides have are said', async t => {
  process.env.NODE_OPTIONS = '--no-warnings'
  t.after(() => delete process.env.NODE_OPTIONS)
  const { warnings, comparisons } = await lackingGate(t)
  assert.match(warnings[0], /^NODE_OPTIONS is set/)
  assert.match(String(comparisons[0].reason), /^base: it lacks ignored\.js/)
})

test('a verdict is not lost where its record cannot be written', async t => {
  const { verdict, warnings } = await lackingGate(t, directory =>
    mkdirSync(path.join(directory, 'comparison.json'), { recursive: true })
  )
  assert.equal(verdict, 'invalid')
  assert.match(warnings.at(-1) ?? '', /^comparison\.json was not written: EISDIR/)
})

test('a gate whose directory is gone is started again, as it has no --resume', async t => {
  const gone = lackingGate(t, directory => rmSync(directory, { recursive: true }))
  await assert.rejects(gone, { exitCode: 4, message: /^cannot write to .*\. Start again$/ })
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
