/** Benchmark files of other tools, in runs and gates. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { countAll } from './brief.js'
import { project } from './project.js'
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

/**
 * A folder with benchmarks of Node's kind.
 *
 * @param {import('node:test').TestContext} t
 * @param {...string} files
 */
function nodeFiles (t, ...files) {
  const folder = temporaryFolder(t)
  for (const file of ['common.js', 'package.json', ...files]) {
    cpSync(path.join(BENCHMARKS, 'node', file), path.join(folder, file), { recursive: true })
  }
  return folder
}

test('files that a pattern matches, also without --scenario: those that have nothing to measure are named', async t => {
  const cwd = nodeFiles(t, 'misc', 'timers/immediate.js')
  const { stderr, json } = await timerqHere(words`run ./**/*.js --task loop ${ONE_HEAT}`, { cwd })
  assert.match(stderr, /^\.\/common\.js is left out: it exports no `scenario`/m)
  assert.match(stderr, /^\.\/misc\/rate\.js is left out: it reports its own rate/m)
  const [{ queue, params }, ...others] = json.cells
  assert.deepEqual([queue, params.n > 0, others], ['type=loop', true, []])
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

test('a gate of two builds of Node compares each run of a process', async t => {
  const cwd = nodeFiles(t, 'timers/at-exit.js')
  symlinkSync(process.execPath, path.join(cwd, 'node-pr'))
  const gate = ['gate', '--runtime', `${process.execPath},./node-pr`, '--scenario', './timers/at-exit.js']
  const { stdout, json } = await timerqHere(words`${gate} --sweep n=1000000 --task step=2 --rounds 1 --json`, { cwd })
  const { comparisons, control } = json
  const [{ scenario, queue, ratio, pairs }, ...others] = comparisons
  assert.deepEqual([scenario, queue, pairs, others], ['timers-at-exit-once-a-process', 'step=2 kind=some', 1, []])
  assert.ok(ratio > 0 && control.pairs === 1, stdout)
})

const BENCH = `import { Bench } from 'tinybench'
import { work } from '../src/work.js'
const bench = new Bench()
bench.add('work', () => work(10)).add('old', () => 1)
await bench.run()
`

/** @param {import('node:test').TestContext} t */
function repository (t) {
  const made = project(t)
  made.write('bench/work.bench.js', BENCH)
  made.write(
    'src/work.js',
    'export function work (n) {\n  let sum = 0\n  for (let i = 0; i < n; i++) sum += i\n  return sum\n}\n'
  )
  made.commit('Add a benchmark file')
  return made
}

const COUNTED = words`gate --base main --scenario ./bench/*.bench.js --counts --json`

test('a gate by counts alone passes where they are equal', async t => {
  countAll(t)
  const { root, edit } = repository(t)
  edit(source => `// The same.\n${source}`, 'src/work.js')
  const { code, stderr, json } = await timerqHere(words`${COUNTED} --measure all --task work`, { cwd: root })
  assert.deepEqual([code, json.verdict, json.control], [0, 'pass', null], stderr)
  assert.deepEqual(pick(json.comparisons, 'metric', 'exact', 'change'), [
    ['workPerOp', true, 'same'],
    ['allocatedBytesPerOp', true, 'same']
  ])
})

test('a gate compares each task with the base, and lists those that one side has', async t => {
  const { root, edit } = repository(t)
  edit(source => source.replace('i < n', 'i < 3 * n'), 'src/work.js')
  edit(source => source.replace("'old'", "'new'"), 'bench/work.bench.js')
  const { code, stderr, json } = await timerqHere(words`${COUNTED} --measure all`, { cwd: root })
  assert.equal(code, 1, stderr)
  const { subject, comparisons, unmatched } = json
  assert.equal(subject, 'task')
  const work = comparisons.find((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.ok(work.ratio > 1.5 && work.queue === 'work' && work.scenario === 'work', JSON.stringify(work))
  assert.deepEqual([...new Set(pick(comparisons, 'queue'))].sort(), ['new', 'work'])
  assert.deepEqual(
    pick(unmatched, 'queue', 'reason'),
    [['old', 'only main has this task']]
  )
})

test('a base whose file cannot be loaded makes the gate invalid, and says where, also by a path that leads ' +
  'through a link', async t => {
  const { root, commit, edit } = repository(t)
  edit(source => `null.missing()\n${source}`, 'src/work.js')
  commit('Break it')
  edit(source => source.replace('null.missing()', ''), 'src/work.js')
  const link = path.join(temporaryFolder(t), 'link')
  symlinkSync(root, link)
  const file = path.join(link, 'bench/work.bench.js')
  const gate = words`gate --base main --scenario ${file} --task work --rounds 1 --json`
  const { code, json } = await timerqHere(gate, { cwd: root })
  const { verdict, comparisons } = json
  assert.deepEqual([code, verdict], [4, 'invalid'])
  assert.match(comparisons[0].reason, /^base: .*src\/work\.js:1:6: cannot be loaded: .*reading 'missing'\)$/)
})

test('a file of a pattern that cannot be loaded fails, the others do not, whatever --task chooses', async t => {
  const { root, write, commit } = project(t)
  write('bench/good.bench.mjs', "import { bench } from 'vitest'\nbench('good', () => [...'abc'].join())\n")
  write('bench/broken.bench.mjs', "import './gone.js'\n")
  commit('Add benchmark files')
  const chosen = ['--scenario', './bench/*.bench.mjs', '--task', '^good']
  const run = await timerqHere(['run', ...chosen, ...ONE_HEAT], { cwd: root })
  assert.deepEqual(run.json.cells.map((/** @type {any} */ { queue }) => queue), ['good'])
  assert.match(
    run.stderr,
    /^timerq: 1 of 2 cells failed; the first: broken\.bench\.mjs .* cannot be loaded: .*gone\.js/m
  )
  write('data.txt', 'It may be read.')
  const gate = await timerqHere(['gate', '--base', 'main', ...chosen, '--rounds', '1', '--json'], { cwd: root })
  const { verdict, comparisons } = gate.json
  assert.deepEqual([run.code, gate.code, verdict], [4, 4, 'invalid'])
  // One round decides nothing on time.
  assert.deepEqual(
    comparisons
      .filter((/** @type {any} */ { queue, exact }) => queue !== 'good' || exact)
      .map((/** @type {any} */ { queue, reason, verdict }) => [queue, /gone\.js/.test(reason), verdict]),
    [['broken.bench.mjs', true, 'invalid'], ['good', false, 'pass']]
  )
  const alone = await timerqHere(['run', '--scenario', path.join(root, 'bench/b*.bench.mjs')])
  assert.deepEqual([alone.code, /^timerq: .*gone\.js.*\n$/.test(alone.stderr)], [2, true], alone.stderr)
})

/** Stands for Vite: loads src/work.cjs where the configuration says. */
const VITE = `import { readFileSync } from 'node:fs'
export async function createServer ({ root, configFile }) {
  const { bench } = await import('vitest')
  const { work } = await import(configFile)
  return {
    moduleGraph: { fileToModulesMap: new Map([[work, new Set()]]) },
    async ssrLoadModule () {
      bench('work', new Function('exports = {}', readFileSync(work, 'utf8')))
      return {}
    },
    async close () {}
  }
}
`
const WITH_VITE = {
  'bench/a.bench.mjs': "import '@/work.js'\n",
  'src/work.cjs': 'let sum = 0; for (let i = 0; i < 1000; i++) sum += i\nexports.work = () => sum\n',
  'node_modules/vite/package.json': '{ "exports": "./index.mjs" }',
  'node_modules/vite/index.mjs': VITE,
  '.gitignore': 'node_modules/\nresults/\n'
}
const NOT_ITS_OWN = /^base: it runs .*, which is not its own copy of that file$/

for (const [kind, prepare, reason] of /** @type {[string, (root: string) => Record<string, string>, RegExp][]} */ ([
  [
    "Vite's configuration, which git ignores",
    root => {
      writeFileSync(
        path.join(root, 'vite.config.mjs'),
        "export const work = new URL('src/work.cjs', import.meta.url).pathname"
      )
      writeFileSync(path.join(root, '.git/info/exclude'), 'vite.config.mjs\n')
      return {}
    },
    /^base: .*cannot be loaded|needs the package/
  ],
  [
    'a path in the configuration of Vite',
    root => {
      writeFileSync(
        path.join(root, 'vite.config.mjs'),
        `export const work = ${JSON.stringify(path.join(root, 'src/work.cjs'))}`
      )
      return {}
    },
    NOT_ITS_OWN
  ],
  [
    'a module that NODE_OPTIONS loads before',
    root => {
      writeFileSync(
        path.join(root, 'bench/a.bench.mjs'),
        "import { bench } from 'vitest'\nbench('work', () => work())\n"
      )
      writeFileSync(path.join(root, 'preload.cjs'), "globalThis.work = require('./src/work.cjs').work\n")
      return { NODE_OPTIONS: `--require ${path.join(root, 'preload.cjs')}` }
    },
    NOT_ITS_OWN
  ]
])) {
  test(`no gate passes a change that both sides load from the working tree by ${kind}`, async t => {
    const { root, write, commit, edit } = project(t)
    for (const [file, text] of Object.entries(WITH_VITE)) write(file, text)
    const env = prepare(root)
    commit('Add a benchmark file')
    edit(source => source.replace('1000', '9000'), 'src/work.cjs')
    edit(source => `// The head's.\n${source}`, 'bench/a.bench.mjs')
    const gate = words`gate --base main --scenario ./bench/a.bench.mjs --rounds 1 --json`
    const { code, stdout, json } = await timerqHere(gate, { cwd: root, env })
    assert.equal(code, 4, stdout)
    assert.match(json.comparisons[0].reason, reason)
  })
}

test('without a configuration, the root of a file is the working directory, in a gate as in a run', async t => {
  const { root, write, commit, edit } = project(t)
  for (const [file, text] of Object.entries(WITH_VITE)) write(file, text)
  write('node_modules/vite/index.mjs', VITE.replace('await import(configFile)', "{ work: root + '/src/work.cjs' }"))
  commit('Add a benchmark file')
  edit(source => source.replace('1000', '9000'), 'src/work.cjs')
  const file = ['--scenario', './bench/a.bench.mjs']
  assert.equal((await timerqHere(['run', ...file, ...ONE_HEAT], { cwd: root })).code, 0)
  const { stdout, json } = await timerqHere(words`gate --base main ${file} --rounds 1 --json`, { cwd: root })
  assert.ok(json.comparisons[0]?.ratio > 2, stdout)
})
