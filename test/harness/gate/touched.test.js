/** Rows that a change may have touched, by what their tasks execute. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import '../../bin/brief.js'
import { planGate } from '../../../bin/plans/gate.js'
import { checkOutSides } from '../../../harness/gate/sides.js'
import { build } from '../../../harness/gate/setup.js'
import { surveySides } from '../../../harness/gate/survey.js'
import { temporaryFolder } from '../temporary-folder.js'
import { createRepository } from './repository.js'

/** @import { TestContext } from 'node:test' */

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const LIBRARY = `import { readFileSync } from 'node:fs'
import words from './words.json' with { type: 'json' }
export const SEED = 7
export function plain (n) { return n + 1 }
export function format (n) { return pad(n) }
function pad (n) { return String(n).padStart(8, '0') }
export function rare (n) { return n % 5000 === 4999 ? seldom(n) : n * 2 }
function seldom (n) { return n * 3 }
export function withDefault (n = 2) { return n }
export class Point { size = 1; get far () { return 4 } near () { return 5 } }
export function idle (n) { return n }
export const lines = () => readFileSync(new URL('lines.txt', import.meta.url), 'utf8').length
export const count = () => words.length
`
const BENCHMARKS = `import { Worker } from 'node:worker_threads'
import { Bench } from 'tinybench'
import { count, format, lines, plain, Point, rare, withDefault } from '../src/lib.js'
const bench = new Bench({ name: 'toString' })
let i = 0
bench.add('plain', () => plain(i++))
bench.add('format', () => format(i++))
bench.add('rare', () => rare(i++))
bench.add('default', () => withDefault())
bench.add('far', () => new Point().far)
bench.add('late', async () => (await import('../src/late.js')).late())
await bench.run()
`
const ALL = ['plain', 'format', 'rare', 'default', 'far', 'late']

/**
 * A file with some of the tasks, and others: each task of a touched file may take a process.
 *
 * @param {string[]} names
 * @param {string[]} [others]
 */
const benchmarksOf = (names, others = []) => {
  const isKept = (/** @type {string} */ line) => names.some(name => line.startsWith(`bench.add('${name}'`))
  const lines = BENCHMARKS.split('\n').filter(line => !line.startsWith('bench.add') || isKept(line))
  return lines.toSpliced(-2, 0, ...others).join('\n')
}
const FILES = {
  'package.json': { type: 'module' },
  '.gitignore': 'node_modules\n',
  'src/lib.js': LIBRARY,
  'src/late.js': 'export function late () { return 1 }\n',
  'src/words.json': ['a'],
  'src/lines.txt': 'a\n',
  'bench/a.bench.js': BENCHMARKS
}

/**
 * @param {TestContext} t
 * @param {Record<string, string | object | ((text: string) => string)>} changes
 * @param {object} [options]
 * @param {Record<string, string | object>} [options.files]
 * @param {object} [options.request]
 * @param {object} [options.setup]
 * @returns {Promise<any>} what the survey finds, and the names of the rows that are touched
 */
async function survey (t, changes, { files = FILES, request = {}, setup = {} } = {}) {
  const { root, write, commit } = createRepository(t)
  for (const [file, content] of Object.entries(files)) write(file, content)
  symlinkSync(PACKAGES, path.join(root, 'node_modules'))
  commit()
  for (const [file, change] of Object.entries(changes)) {
    write(file, typeof change === 'function' ? change(String(/** @type {any} */ (files)[file])) : change)
  }
  const before = process.cwd()
  process.chdir(root)
  t.after(() => process.chdir(before))
  const planned = await planGate(/** @type {any} */ ({ command: { name: 'gate' }, base: 'HEAD', ...request }))
  const directory = path.join(temporaryFolder(t), 'gate')
  const begun = /** @type {any} */ ({ plan: planned, directory, setup })
  const sided = { ...begun, ...checkOutSides(begun) }
  const built = { ...sided, ...(await build(sided)) }
  if (setup.prepare) built.plan.of.gate.commands = [setup.prepare]
  const found = await surveySides(built.plan, built.differences)
  const left = (found.untouched ?? []).map(({ queue }) => queue)
  return { ...found, names: planned.queues.map(({ name }) => name).filter(name => !left.includes(name)) }
}

const replace = (/** @type {string} */ from, /** @type {string} */ to) => (/** @type {string} */ text) => {
  assert.ok(text.includes(from))
  return text.replace(from, to)
}
const inLibrary = (/** @type {string} */ from, /** @type {string} */ to) => ({ 'src/lib.js': replace(from, to) })

/** One change of each kind that touches a single row. */
const CHANGED = LIBRARY.replace("'0'", "' '")
  .replace('n * 3', 'n * 4')
  .replace('n = 2', 'n = 3')
  .replace('return 4', 'return 6')
const TOUCHED = ['format', 'rare', 'default', 'far']

for (const [title, changes, names, unrun = []] of /** @type {[string, any, string[], string[]?][]} */ ([
  [
    'a helper, a function that runs once in 5 000 calls, a default parameter, a getter and a late import',
    { 'src/lib.js': CHANGED, 'src/late.js': replace('1', '2') },
    [...TOUCHED, 'late']
  ],
  [
    'a comment, a page, a test, a method, a function and a module that no task runs',
    {
      'src/lib.js': LIBRARY.replace('return 5', 'return 6')
        .replace('(n) { return n }', '(n) { return -n }')
        .replace('return 4', 'return 4 /* more */'),
      'src/other.js': '',
      'README.md': 'x',
      'test/a.test.js': ''
    },
    [],
    ['src/other.js', 'near (src/lib.js:10)', 'idle (src/lib.js:11)']
  ],
  ['a constant at the top', inLibrary('SEED = 7', 'SEED = 8'), ALL],
  ['data that is imported', { 'src/words.json': ['a', 'b'] }, ALL]
])) {
  test(`${title}: ${names.length === ALL.length ? 'all rows' : names.join(' and ') || 'no row'} may be touched`, async t => {
    const found = await survey(t, changes)
    assert.deepEqual([found.names, found.unrun], [names, unrun])
    assert.deepEqual([found.failed, found.unmatched], [[], []])
  })
}

test('a task that starts a thread is touched by any change of a module', async t => {
  const thread = "bench.add('thread', () => { new Worker('', { eval: true }).unref() })"
  const files = { ...FILES, 'bench/a.bench.js': benchmarksOf(['plain'], [thread]) }
  assert.deepEqual((await survey(t, { 'src/other.js': '1' }, { files })).names, ['plain', 'thread'])
})

test('a task that fails before it comes to the change is untouched, and one that fails in it is touched', async t => {
  const failing = "bench.add('failing', () => { throw new Error('no') })"
  const files = { ...FILES, 'bench/a.bench.js': benchmarksOf(['plain', 'default'], [failing]) }
  assert.deepEqual((await survey(t, inLibrary('return n }', 'return noSuchName }'), { files })).names, ['default'])
})

test('a module that a task reads as text is data', async t => {
  const reading = "bench.add('reading', () => readFileSync(new URL('../src/text.js', import.meta.url)))"
  const text = `import { readFileSync } from 'node:fs'\n${benchmarksOf(['plain'], [reading])}`
  const files = { ...FILES, 'bench/a.bench.js': text, 'src/text.js': '1' }
  assert.deepEqual((await survey(t, { 'src/text.js': '2' }, { files })).names, ['plain', 'reading'])
})

test('a function whose text becomes code again, by a constructor or by node:vm, has run', async t => {
  const copies = [
    "bench.add('constructor', () => new Function('n', idle.toString().replace(/^[^{]*{|}$/g, ''))(1))",
    "bench.add('vm', () => runInThisContext('(' + idle.toString() + ')(1)'))"
  ]
  const called = benchmarksOf(['plain'], copies).replace('format,', 'format, idle,')
  const text = `import { runInThisContext } from 'node:vm'\n${called}`
  const changed = inLibrary('idle (n) { return n }', 'idle (n) { return n, 12345 }')
  const { names } = await survey(t, changed, { files: { ...FILES, 'bench/a.bench.js': text } })
  assert.deepEqual(names, ['constructor', 'vm'])
})

test('what a build makes is compared where it is loaded', async t => {
  const files = {
    ...FILES,
    '.gitignore': 'node_modules\ndist\n',
    'bench/a.bench.js': benchmarksOf(['plain', 'format']).replace('../src/lib.js', '../dist/lib.js')
  }
  const prepare = 'mkdir -p dist && cp src/* dist/'
  const here = { 'dist/lib.js': LIBRARY, 'dist/words.json': ['a'] }
  const { names, unrun } = await survey(t, { ...inLibrary("'0'", "' '"), ...here }, { files, setup: { prepare } })
  assert.deepEqual([names, unrun], [['format'], []])
})

test('of many files that no change can have touched none is read', async t => {
  const faulty = Array.from('abcdef', name => [`bench/${name}.bench.js`, 'no program'])
  const files = { ...FILES, ...Object.fromEntries(faulty) }
  const comment = inLibrary('export const SEED', '// more\nexport const SEED')
  const { touched, untouched } = await survey(t, comment, { files })
  assert.deepEqual(touched, { rows: 0, of: faulty.length, subject: 'benchmark file' })
  assert.deepEqual(untouched.map(({ queue }) => queue), faulty.map(([file]) => path.basename(file)))
})

test('--measure all measures every row', async t => {
  const files = { ...FILES, 'bench/a.bench.js': benchmarksOf(['plain']) }
  const { names, touched } = await survey(t, { 'README.md': 'x' }, { files, request: { measure: 'all' } })
  assert.deepEqual([names, touched], [['plain'], undefined])
})

test('names of tasks that change with the change are not compared, and said', async t => {
  const named = `import { VERSION } from '../src/version.js'\n${benchmarksOf(['plain'])}`
  const files = {
    ...FILES,
    'src/version.js': "export const VERSION = '1'\n",
    'bench/a.bench.js': named.replace("'plain'", "'plain ' + VERSION")
  }
  const { unmeasured } = await survey(t, { 'src/version.js': "export const VERSION = '2'\n" }, { files })
  assert.deepEqual(unmeasured, [
    'names of tasks in bench/a.bench.js differ, so base and head were not compared (toString > plain 1, and ' +
      'toString > plain 2): they hold something that the change changes'
  ])
})

test("an installed copy of the repository's own package is no side's own", async t => {
  const files = {
    'package.json': { name: 'words', type: 'module' },
    'src/lib.js': 'export const words = () => 1\n',
    'bench/node_modules/words/package.json': { name: 'words', type: 'module', exports: './index.js' },
    'bench/node_modules/words/index.js': 'export const words = () => 1\n',
    'bench/a.bench.js': "import { Bench } from 'tinybench'\nimport { words } from 'words'\n" +
      "const bench = new Bench()\nbench.add('plain', () => words())\nawait bench.run()\n"
  }
  const { unmeasured, names } = await survey(t, { 'src/lib.js': 'export const words = () => 2\n' }, { files })
  assert.deepEqual(names, [])
  assert.match(unmeasured.join(), /both sides ran node_modules\/words, an installed copy of this repository's own package/)
})

test('base and head that are the same are refused before anything is measured', async t => {
  await assert.rejects(survey(t, {}), { exitCode: 4, message: /^base and head are the same: HEAD \(\w{7}\)/ })
})
