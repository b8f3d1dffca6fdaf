/** Benchmark files of other tools, in runs. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import './brief.js'
import { pick, timerqHere, words } from './timerq.js'

const BENCHMARKS = fileURLToPath(new URL('../fixtures/benchmarks', import.meta.url))
const ONE_HEAT = words`--preset ci --rounds 1 --seed 1 --json`

test('tasks of a group share a heat with its baseline; files of one name that match stay apart', async t => {
  const cwd = temporaryFolder(t)
  const source = readFileSync(path.join(BENCHMARKS, 'bench-node.js'), 'utf8')
  for (const [folder, text] of [['a', source], ['b', source.replace(".add('concat'", ".add('other'")]]) {
    mkdirSync(path.join(cwd, folder))
    writeFileSync(path.join(cwd, folder, 'index.bench.mjs'), text)
  }
  const { json } = await timerqHere(
    words`run --scenario ./{a,b}/*.bench.mjs --task concat|managed ${ONE_HEAT} --out results/run`,
    { cwd }
  )
  const { cells, scenarios } = json
  assert.deepEqual(
    cells.map((/** @type {any} */ { scenario, queue, metrics }) => [scenario, queue, metrics.nsPerOp.ratio?.to]),
    [['a-index', 'concat', 'managed'], ['a-index', 'managed', undefined], ['b-index', 'managed', undefined]]
  )
  assert.deepEqual(
    pick(scenarios, 'control'),
    ['managed', 'managed']
  )
  const [concat, managed] = cells
  // The loop of a managed function is a part of it, so its blocks are not those of the operations.
  assert.deepEqual([concat.metrics.workPerOp.median > 0, managed.metrics.workPerOp], [true, undefined])
  const pages = []
  for (const format of ['terminal', 'markdown', 'html']) {
    pages.push((await timerqHere(['report', 'results/run', '--format', format], { cwd })).stdout)
  }
  const [terminal, markdown, html] = pages
  assert.match(terminal, /^task +ns\/op/m)
  assert.match(markdown, /^# Which task is the fastest\?\n[^]*^\| task +\| +ns\/op/m)
  assert.match(html, /<legend>Tasks<\/legend>[^]*<button>task<\/button>/)
  for (const text of [terminal, markdown, html.replace(/<(style|script)[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, '')]) {
    assert.doesNotMatch(text, /\bqueues?\b|\bpending timers?\b/i)
  }
})

test('files that a pattern matches, also without --scenario: those that have nothing to measure are named, one that ' +
  'cannot be loaded fails, whatever --task chooses', async t => {
  const cwd = temporaryFolder(t)
  for (const file of ['common.js', 'package.json', 'misc', 'timers/immediate.js']) {
    cpSync(path.join(BENCHMARKS, 'node', file), path.join(cwd, file), { recursive: true })
  }
  writeFileSync(path.join(cwd, 'broken.js'), "require('./gone.js')\n")
  const { code, stderr, json } = await timerqHere(words`run ./**/*.js --task loop ${ONE_HEAT}`, { cwd })
  assert.match(stderr, /^\.\/common\.js is left out: it exports no `scenario`/m)
  assert.match(stderr, /^\.\/misc\/rate\.js is left out: it reports its own rate/m)
  assert.match(stderr, /^timerq: 1 of 2 cells failed; the first: broken\.js .* cannot be loaded: .*gone\.js/m)
  const [{ queue, params }, ...others] = json.cells
  assert.deepEqual([code, queue, params.n > 0, others], [4, 'type=loop', true, []])
  const alone = await timerqHere('run --scenario ./b*.js', { cwd })
  assert.deepEqual([alone.code, /^timerq: .*gone\.js.*\n$/.test(alone.stderr)], [2, true], alone.stderr)
})

test('an error of a file that has tasks follows their figures, and is told again where the run is resumed', async t => {
  const cwd = temporaryFolder(t)
  writeFileSync(
    path.join(cwd, 'mine.mjs'),
    "import { Bench } from 'tinybench'\nawait new Bench().add('a', () => ({})).run()\nthrow new Error('no fixture')\n"
  )
  for (const more of [['--out', 'mine', ...ONE_HEAT], ['--resume', 'mine']]) {
    const { code, stdout, stderr } = await timerqHere(['run', '--scenario', './{mine,yours}.mjs', ...more], { cwd })
    assert.match(stderr, /^timerq: .*mine\.mjs:3:7: no fixture \(after a run, .*\)$/m)
    assert.deepEqual([code, stdout === ''], [4, false])
  }
})
