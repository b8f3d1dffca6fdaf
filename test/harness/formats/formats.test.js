/** Every format, from a file of a user to a turn of each of its tasks, in processes as in a run. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describedOrNot, descriptionsOf } from '../../../harness/measure/modules/user-modules.js'
import { countMicro } from '../../../harness/measure/micro/alone.js'
import { temporaryFolder } from '../temporary-folder.js'
import { measure } from './measure-task.js'
import { benchmarkFile, projectFolder } from './project-folder.js'

const LIMIT_MS = 60_000
const fileOf = (/** @type {string} */ name) => new URL(`../../fixtures/benchmarks/${name}`, import.meta.url).href

/** Scenario, control and tasks of each group. */
const FORMATS = /** @type {Record<string, [name: string, control: string, tasks: string[]][]>} */ ({
  'tinybench.bench.js': [
    ['tinybench-strings', 'join', ['join', 'split later', 'upper case']],
    ['tinybench', 'sum', ['sum', 'its own time']]
  ],
  'vitest.bench.js': [
    ['vitest', 'top', ['top']],
    ['vitest-sort-small', 'native', ['native', 'reversed']],
    ['vitest-sort-of-1', 'fill', ['fill']],
    ['vitest-sort-of-2', 'fill', ['fill']]
  ],
  'vitest-5.bench.js': [
    ['vitest-5-sizes-one', 'one', ['one']],
    ['vitest-5-alone', 'other', ['other']],
    ['vitest-5-sizes-1', 'a', ['a', 'options']],
    ['vitest-5-sizes-10', 'b', ['b', 'options']],
    ['vitest-5-fixtures', 'check', ['check']]
  ],
  'mitata.mjs': [
    ['mitata', 'alone', ['alone']],
    ['mitata-2', 'old', ['fast', 'old']],
    ['mitata-arrays', 'fill 1', ['fill 1', 'fill 8', 'fill 64', 'shift']]
  ],
  'benchmark.cjs': [
    ['benchmark-search', 'includes', ['includes', 'as text', 'with setup', 'deferred']],
    ['benchmark-later', 'after the first', ['after the first']]
  ],
  'bench-node.js': [['bench-node', 'managed', ['concat', 'later', 'managed']]]
})

for (const [file, groups] of Object.entries(FORMATS)) {
  test(`${file}: its tasks are found, and each is measured in a separate process`, async () => {
    const described = await descriptionsOf(fileOf(file))
    assert.deepEqual(
      described.map(({ name, control, tasks }) => [name, control, tasks]),
      groups
    )
    for (const { tasks = [], benchmark } of described) {
      for (const task of tasks) await measure(fileOf(file), { group: benchmark?.group ?? '', task })
    }
  })
}

/**
 * @param {string} scenarioUrl
 * @param {{group: string, task: string}} benchmark
 */
async function countBlocks (scenarioUrl, benchmark) {
  const { metrics } = await countMicro(
    { queueUrl: '', isCode: true, scenarioUrl, benchmark, params: {}, seed: 1 },
    { name: 'own', path: process.execPath, flags: [] },
    LIMIT_MS
  )
  return metrics.workPerOp
}

test('a task in a test of vitest 5 is counted again and again in the state that the test has made', async () => {
  const blocks = await countBlocks(fileOf('vitest-5.bench.js'), { group: 'sizes > one', task: 'one' })
  assert.ok(blocks !== undefined && blocks > 0, `${blocks} blocks`)
})

test("Node's own: configurations are tasks, n is a parameter and small, flags are set", async () => {
  const url = fileOf('node/timers/immediate.js')
  const [{ name, title, tasks, presets, benchmark, ...rest }, ...others] = await descriptionsOf(url)
  assert.deepEqual(
    [name, title, tasks, benchmark, others],
    [
      'timers-immediate',
      'timers/immediate.js',
      ['type=loop', 'type=late'],
      { format: 'node', group: '', flags: ['--expose-internals'] },
      []
    ]
  )
  assert.deepEqual([Object.keys(rest.parameters), rest.control], [['n'], 'type=loop'])
  const [n] = presets.quick.n
  assert.ok(n >= 100 && n < 1e9, `n is ${n}`)
  for (const task of tasks ?? []) {
    const { operations } = await measure(url, { group: '', task }, { params: { n: 50 }, flags: benchmark?.flags })
    assert.equal(operations % 50, 0)
  }
})

/** Files that cannot run again in one process: their parameters, and the operations of a run with n 20. */
const ONCE = /** @type {[file: string, name: string, parameters: string[], task: string, operations: number][]} */ ([
  ['timers/at-exit.js', 'timers-at-exit-once-a-process', ['n'], 'step=2 kind=some', 20],
  ['workers/thread.js', 'workers-thread-once-a-process', ['n'], 'main', 20],
  ['workers/cluster.js', 'workers-cluster-once-a-process', ['n'], 'main', 20],
  ['http/simple.js', 'http-simple-once-a-process', [], 'connections=100 duration=1', 10]
])

for (const [file, name, parameters, task, operations] of ONCE) {
  test(`Node's own, ${file}: each run is a process whose main program is the file, and the name says so`, async () => {
    const url = fileOf(`node/${file}`)
    const [described] = await descriptionsOf(url)
    assert.deepEqual(
      [described.name, described.title, Object.keys(described.parameters)],
      [name, `${file}, one run a process`, parameters]
    )
    const { runMs = 0 } = described.benchmark ?? {}
    assert.ok(runMs > 0 && described.tasks?.includes(task), JSON.stringify(described))
    const params = parameters.includes('n') ? { n: 20 } : {}
    const turn = await measure(url, { group: '', task, runMs }, { params })
    assert.equal(turn.operations % operations, 0)
  })
}

test("files of Node's that cannot be measured are left out, each with its reason", async () => {
  for (const [file, reason] of /** @type {[string, RegExp][]} */ ([
    ['common.js', /^it exports no `scenario`/],
    ['misc/rate.js', /^it reports its own rate, and no time$/],
    ['workers/cluster-load.js', /^its workers answer the requests, .* \(at .*cluster-load\.js:9:\d+\)$/]
  ])) {
    const { leftOut } = await describedOrNot(fileOf(`node/${file}`))
    assert.match(String(leftOut), reason)
  }
  await assert.rejects(descriptionsOf(fileOf('node/misc/rate.js')), /node\/misc\/rate\.js: it reports its own rate/)
})

const FAULTS = /** @type {[source: string, message: RegExp][]} */ ([
  [
    "import { Bench } from 'tinybench'\nnew Bench().add('a')\n",
    /mine\.mjs:2:13: cannot be loaded: task "a" must be a function$/
  ],
  [
    "import { Bench } from 'tinybench'\nexport const bench = new Bench()\n",
    /registers no task of tinybench, vitest, mitata/
  ],
  [
    "import { createRequire } from 'node:module'\nimport { Bench } from 'tinybench'\n" +
      "if (createRequire(import.meta.url).main === 1 || import.meta.main) new Bench().add('a', () => 1).run()\n",
    /mine\.mjs: it asks for import\.meta\.main, and registers no task where it is imported \(register /
  ],
  [
    "import '@/work.js'\n",
    /mine\.mjs: cannot be loaded: Cannot find package '@\/work\.js'.*; if that is an alias, install/
  ],
  ["import 'fs/none'\n", /mine\.mjs: cannot be loaded: Cannot find package 'fs'/],
  ["import 'yargs/none'\n", /needs the package yargs: npm install yargs$/],
  ["import '#none'\n", /"#none" is not defined.*; add it to "imports"/],
  ["import './'\n", /Directory import .*; name a file in that folder/],
  [
    "throw Object.assign(new Error('no'), { code: 'ERR_ACCESS_DENIED', permission: 'FileSystemRead', resource: " +
      "'/etc' })\n",
    /mine\.mjs:1:\d+: cannot be loaded: no \(FileSystemRead of \/etc\); Node's permission model is on/
  ],
  ["import './nowhere.js'\nimport 'tinybench'\n", /cannot be loaded: Cannot find module .*nowhere\.js/],
  [
    "import { createRequire } from 'node:module'\ncreateRequire(import.meta.url)('./nowhere.cjs')\n",
    /mine\.mjs:2:\d+: cannot be loaded: Cannot find module '\.\/nowhere\.cjs'$/
  ],
  ['setTimeout(() => {\n  nothing()\n}, 1)\n', /mine\.mjs:2:3: cannot be loaded: nothing is not defined$/]
])

/** Conditions that hold in the main program alone. */
const MAIN = /** @type {[file: string, condition: string][]} */ ([
  ['a b.mjs', 'import.meta.url === pathToFileURL(process.argv[1]).href'],
  // eslint-disable-next-line no-template-curly-in-string -- it is the file's
  ['mine.mjs', 'import.meta.url === `file://${process.argv[1]}`'],
  ['mine.mjs', 'process.argv[1] === fileURLToPath(import.meta.url)'],
  ['mine.cjs', 'require.main === module']
])

for (const [file, condition] of MAIN) {
  test(`the tasks of a file that runs where ${condition} are found and measured`, async t => {
    const header = file.endsWith('.cjs')
      ? "const { Bench } = require('tinybench')\nrequire('./other.cjs')\n"
      : "import { Bench } from 'tinybench'\nimport { fileURLToPath, pathToFileURL } from 'node:url'\n"
    const { hrefOf, write, tasksIn } = projectFolder(t)
    write({
      [file]: `${header}if (${condition}) new Bench().add('a', () => 1).run()\n`,
      'other.cjs': "if (require.main === module) throw new Error('it is not the main module')\n"
    })
    assert.deepEqual(await tasksIn(file), [['a']])
    await measure(hrefOf(file), { group: '', task: 'a' })
  })
}

test('a file whose tasks run in worker threads is left out for that, whether or not they fail', async t => {
  const start = (/** @type {string} */ code) =>
    `import { Worker } from 'node:worker_threads'\nnew Worker(${JSON.stringify(code)}, { eval: true })\n`
  for (const code of ["require('tinybench-none')", 'setTimeout(() => {}, 1)']) {
    const { leftOut } = await describedOrNot(benchmarkFile(t, start(code)))
    assert.match(String(leftOut), /^it starts worker threads, where no task can be measured \(register /)
  }
  const href = benchmarkFile(t, `${start('')}import { bench } from 'vitest'\nbench('a', () => 1)\n`)
  assert.deepEqual((await descriptionsOf(href))[0].tasks, ['a'])
})

test('words that the names of a file and of its group share stand once in the name of the scenario', async t => {
  for (const [file, group, name] of [
    ['stringify-cookie.bench.mjs', 'cookie.stringifyCookie', 'cookie-stringify-cookie'],
    ['cookie-parse.bench.mjs', 'parse many', 'cookie-parse-many'],
    ['parse.bench.mjs', 'parse', 'parse'],
    ['parser.bench.mjs', 'parse', 'parser-parse']
  ]) {
    const source = `import { bench, describe } from 'vitest'\ndescribe('${group}', () => bench('a', () => 1))\n`
    assert.equal((await descriptionsOf(benchmarkFile(t, source, file)))[0].name, name)
  }
})

test('a syntax error of an imported module is blamed on that module', async t => {
  const { hrefOf, write } = projectFolder(t)
  write({
    'mine.mjs': "import { bench } from 'vitest'\nimport './broken.mjs'\nbench('a', () => 1)\n",
    'broken.mjs': 'const a = 1\nconst b = = 2\n'
  })
  await assert.rejects(descriptionsOf(hrefOf('mine.mjs')), /broken\.mjs:2:11: cannot be loaded: Unexpected token '='/)
})

test('a file that cannot be loaded, throws or registers nothing is refused in one line', async t => {
  for (const [source, message] of FAULTS) {
    await assert.rejects(descriptionsOf(benchmarkFile(t, source)), error => {
      const text = /** @type {Error} */ (error).message
      assert.match(text.replace(/ \(see scenarios.*/, ''), message)
      assert.doesNotMatch(text, /\n/)
      return true
    })
  }
})

/** Files that register `b` after something that takes a while, and then end as their comments say. */
const LATE = {
  'one after the other, in a function that the file does not await.cjs': `const { Bench } = require('tinybench')
const { setTimeout: wait } = require('node:timers/promises')
async function main () {
  const bench = new Bench()
  bench.add('a', () => 1)
  await wait(100)
  bench.add('b', () => 2)
  await bench.run()
}
main()
`,
  'after work in a thread, which no handle shows.cjs': `const { Suite } = require('bench-node')
const suite = new Suite().add('a', () => 1)
require('node:crypto').scrypt('a', 'b', 64, { N: 2 ** 15, maxmem: 2 ** 26 }, () => { suite.add('b', () => 2).run() })
`,
  'after a server was opened: it exits.cjs': `const Benchmark = require('benchmark')
const server = require('node:http').createServer().listen(0, '127.0.0.1', () => {
  new Benchmark.Suite().add('a', () => 1).on('complete', () => setTimeout(then, 100)).run()
})
function then () {
  new Benchmark('b', () => 2).run()
  process.exit()
}
`,
  'before it waits for what never comes.mjs': `import { Bench } from 'tinybench'
const bench = new Bench().add('a', () => 1).add('b', () => 2)
await new Promise(resolve => bench.addEventListener('complete', resolve))
`,
  'in a group that is async; vitest would end its server.mjs': `import { bench, describe } from 'vitest'
import { createServer } from 'node:http'
createServer().listen(0, '127.0.0.1')
bench('a', () => 1)
describe('', async () => {
  await new Promise(resolve => setTimeout(resolve, 100))
  bench('b', () => 2)
})
`
}

for (const [name, source] of Object.entries(LATE)) {
  test(`a file that registers a task late is read to its end: ${path.parse(name).name}`, async t => {
    const described = await descriptionsOf(benchmarkFile(t, source, `late${path.extname(name)}`))
    assert.deepEqual(
      described.flatMap(({ tasks }) => tasks),
      ['a', 'b']
    )
  })
}

/** Bodies of files that note their hooks. */
const HOOKS = {
  tinybench: `import { Bench } from 'tinybench'
const hooks = { beforeAll: note('beforeAll'), afterAll: note('afterAll') }
new Bench({ setup: note('setup'), teardown: note('teardown') }).add('a', () => 1, hooks)
`,
  vitest: `import { afterAll, beforeAll, bench, describe } from 'vitest'
beforeAll(note('outer'))
afterAll(note('outer end'))
afterAll(note('last first'))
describe('b', () => {
  beforeAll(note('inner'))
  afterAll(note('inner end'))
  bench('a', () => 1, { setup: note('setup'), teardown: note('teardown') })
})
`,
  mitata: `import { bench } from 'mitata'
bench('a', function * () {
  note('before')()
  yield () => 1
  note('after')()
})
`
}

for (const [format, source] of Object.entries(HOOKS)) {
  test(`${format}: hooks that come before and after all calls run once, measured or counted`, async t => {
    const notes = path.join(temporaryFolder(t), 'notes')
    const header = `import { appendFileSync } from 'node:fs'
const note = text => async () => appendFileSync(${JSON.stringify(notes)}, text + '\\n')
`
    const scenarioUrl = benchmarkFile(t, header + source)
    const [{ benchmark }] = await descriptionsOf(scenarioUrl)
    const place = { group: benchmark?.group ?? '', task: 'a' }
    await measure(scenarioUrl, place)
    const once = {
      tinybench: ['setup', 'beforeAll', 'afterAll', 'teardown'],
      vitest: ['outer', 'inner', 'setup', 'teardown', 'inner end', 'last first', 'outer end'],
      mitata: ['before', 'after']
    }[format]
    assert.deepEqual(readFileSync(notes, 'utf8').split('\n').slice(0, -1), once)
    writeFileSync(notes, '')
    await countBlocks(scenarioUrl, place)
    // Blocks are counted in one process, after three exercises, and bytes in another.
    assert.deepEqual(readFileSync(notes, 'utf8').split('\n').slice(0, -1).sort(), Array(5).fill(once).flat().sort())
  })
}

test('a task that throws, and one that is not there, fail in one line', async t => {
  const bench = "import { beforeAll, bench } from 'vitest'\n"
  const href = benchmarkFile(t, `${bench}bench('bad', () => { throw new Error('it is bad') })\n`)
  await assert.rejects(measure(href, { group: '', task: 'bad' }), { message: /^it is bad \(at .*mine\.mjs:2:28\)$/ })
  await assert.rejects(measure(href, { group: '', task: 'good' }), /mine\.mjs has no task "good"$/)
  writeFileSync(new URL(href), `${bench}beforeAll(() => null.x)\nbench('bad', () => 1)\n`)
  await assert.rejects(measure(href, { group: '', task: 'bad' }), /reading 'x'\) \(at .*mine\.mjs:2:\d+\)$/)
})

test('TypeScript is loaded by Node, or the message says what would load it', async () => {
  const described = descriptionsOf(fileOf('typed.bench.ts'))
  if (/** @type {any} */ (process.features).typescript) {
    assert.deepEqual((await described)[0].tasks, ['sum'])
  } else {
    await assert.rejects(described, /typed\.bench\.ts: cannot be loaded: .*npm install tsx/)
  }
})

test("the blocks of a task are its own, without timerq's loop; a task that grows has no count", async t => {
  const scenarioUrl = benchmarkFile(
    t,
    `import { bench } from 'vitest'
let calls = 0
bench('one block', () => { calls = 1 })
bench('three blocks', () => { for (let i = 0; i < 2; i++) calls = i })
bench('more and more', () => { calls++; for (let i = 0; i < calls; i++); })
`
  )
  const count = (/** @type {string} */ task) => countBlocks(scenarioUrl, { group: '', task })
  assert.deepEqual(await Promise.all(['one block', 'three blocks', 'more and more'].map(count)), [1, 3, undefined])
})

test("what vitest's own configuration says holds: environment, setup files and their hooks, aliases", async t => {
  const { hrefOf, write, tasksIn } = projectFolder(t)
  const config = (/** @type {string} */ alias) => `export default async ({ mode }) => ({
  test: { globals: true, setupFiles: './setup.mjs', env: { SEEN: mode }, alias: { ${alias}: 'aliased' } }
})
`
  write({
    'vitest.config.mjs': config("'@'"),
    'node_modules/vitest/package.json': '{ "version": "4.0.1" }',
    'setup.mjs': `import { beforeAll } from 'vitest'
globalThis.hooks = 0
beforeAll(() => { hooks++ })
`,
    'a.bench.mjs': `import { bench } from 'vitest'
const { TEST, VITEST, NODE_ENV, SEEN } = process.env
bench([TEST, VITEST, NODE_ENV, SEEN, hooks].join(), () => 1)
`,
    'b.bench.mjs': "import { one } from '@/one'\nbench(one, () => 1)\n"
  })
  assert.deepEqual(await tasksIn('a.bench.mjs'), [[`true,true,${process.env.NODE_ENV ?? 'test'},benchmark,0`]])
  write({
    'node_modules/vitest/package.json': '{ "version": "5.1.1" }',
    'c.bench.mjs': `import { test } from 'vitest'
test('of vitest 5', async ({ bench }) => { await bench(process.env.SEEN + hooks, () => 1).run() })
`
  })
  assert.deepEqual(await tasksIn('c.bench.mjs'), [['test1']])
  write({ 'node_modules/vitest/package.json': '{ "version": "3.2.4" }' })
  write({
    'node_modules/vite/package.json': '{ "exports": "./index.mjs" }',
    'node_modules/vite/index.mjs': `export const createServer = async ({ resolve, mode }) => ({
  async ssrLoadModule (file) {
    if (file.endsWith('setup.mjs')) return import(file + '?vite')
    const { bench } = await import('vitest')
    bench(mode + Object.values(resolve.alias), () => { if (hooks !== 1) throw new Error(hooks + ' hooks') })
    return {}
  },
  async close () {}
})
`
  })
  assert.deepEqual(await tasksIn('b.bench.mjs'), [['benchmarkaliased']])
  await measure(hrefOf('b.bench.mjs'), { group: '', task: 'benchmarkaliased' })
  // An alias for a module that Node finds, too.
  write({ 'vitest.config.mjs': config('vite') })
  assert.deepEqual(await tasksIn('a.bench.mjs'), [['benchmarkaliased']])
})

test("what Node does not load, the project's tsx or Vite does", async t => {
  const { write, tasksIn } = projectFolder(t)
  write({
    'a.bench.ts': "import { bench } from 'vitest'\nconst one: number = 1\nbench('typed', () => one)\n",
    // Only the part of tsx that this file needs.
    'node_modules/tsx/package.json': '{ "exports": "./loader.mjs" }',
    'node_modules/tsx/loader.mjs': `import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`
  export async function load (url, context, next) {
    if (!new URL(url).pathname.endsWith('.ts')) return next(url, context)
    const { readFileSync } = await import('node:fs')
    const source = readFileSync(new URL(url), 'utf8').replace(': number', '')
    return { format: 'module', shortCircuit: true, source }
  }\`))
`
  })
  assert.deepEqual(await tasksIn('a.bench.ts'), [['typed']])
  write({
    'b.bench.mjs': "import { one } from '@/one'\n",
    'vite.config.js': '',
    'vitest.config.js': '',
    'node_modules/vitest/dist/index.js': "throw new Error('vitest was loaded')\n",
    'node_modules/vite/package.json': '{ "exports": "./index.mjs" }',
    // Vite imports a package by the URL of its main module.
    'node_modules/vite/index.mjs': `export const createServer = async ({ root, configFile }) => ({
  async ssrLoadModule () {
    const { bench } = await import(new URL('../vitest/dist/index.js', import.meta.url))
    bench(configFile.slice(root.length + 1), () => 1)
    return {}
  },
  async close () {}
})
`
  })
  assert.deepEqual(await tasksIn('b.bench.mjs'), [['vitest.config.js']])
  write({
    'node_modules/vite/package.json': '{ "exports": "./index.cjs" }',
    'node_modules/vite/index.cjs':
      "module['exports'] = { createServer: async (...args) => (await import('./index.mjs')).createServer(...args) }\n"
  })
  assert.deepEqual(await tasksIn('b.bench.mjs'), [['vitest.config.js']])
})
