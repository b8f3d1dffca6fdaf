/** Benchmark files of any format: how they are loaded, what they do besides, and what is said of them. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { chooseTasks } from '../../../harness/formats/choose-tasks.js'
import { describeFile } from '../../../harness/formats/subject/describe.js'
import { describedOrNot } from '../../../harness/measure/modules/user-modules.js'
import { descriptionsOf } from '../descriptions.js'
import { BENCH, countBlocks, fileOf } from './cases.js'
import { measure } from './measure-task.js'
import { benchmarkFile, projectFolder } from './project-folder.js'

/** Conditions that hold in the main program alone. */
const MAIN = /** @type {[file: string, condition: string][]} */ ([
  ['a b.mjs', 'import.meta.url === pathToFileURL(process.argv[1]).href'],
  // eslint-disable-next-line no-template-curly-in-string -- it is the file's
  ['mine.mjs', 'import.meta.url === `file://${process.argv[1]}`'],
  ['mine.cjs', 'require.main === module']
])

for (const [file, condition] of MAIN) {
  test(`the tasks of a file that runs where ${condition} are found and measured`, async t => {
    const header = file.endsWith('.cjs')
      ? "const { Bench } = require('tinybench')\nrequire('./other.cjs')\n"
      : "import { Bench } from 'tinybench'\nimport { pathToFileURL } from 'node:url'\n"
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
  const href = benchmarkFile(t, `${start('')}${BENCH}`)
  assert.deepEqual((await descriptionsOf(href))[0].tasks, ['a'])
})

test('scenarios are named after file and group: words of both stand once, those of one name are numbered', async () => {
  for (const [file, groups, names] of /** @type {const} */ ([
    ['stringify-cookie.bench.mjs', ['cookie.stringifyCookie'], ['cookie-stringify-cookie']],
    ['cookie-parse.bench.mjs', ['parse many'], ['cookie-parse-many']],
    ['parse.bench.mjs', ['parse'], ['parse']],
    ['parser.bench.mjs', ['parse', 'parse()'], ['parser-parse', 'parser-parse-2']],
    ['a.bench.mjs', ['排序', '查找'], ['a', 'a-2']]
  ])) {
    const tasks = groups.map(groupName => ({ format: 'tinybench', groupName, name: 'a' }))
    const described = await describeFile(/** @type {any} */ ({ tasks }), `file:///bench/${file}`)
    assert.deepEqual(described?.descriptions?.map(({ name }) => name), names)
  }
})

test('--task looks at the name of a task, and at that after its group; the first that is left is the control', () => {
  const scenarioOf = (/** @type {string} */ group) =>
    /** @type {any} */ ({ declared: { tasks: ['a parse', 'parse', 'other'], control: 'other', of: { group } } })
  const chosen = chooseTasks(['', 'parse()', 'none'].map(scenarioOf), '^(parse\\(\\) > o|parse$)')
  assert.deepEqual(
    chosen.map(({ declared: { tasks, control } }) => [tasks, control]),
    [[['parse'], 'parse'], [['parse', 'other'], 'other'], [['parse'], 'parse']]
  )
})

test('a task that throws, and one that is not there, fail in one line', async t => {
  const href = benchmarkFile(t, `${BENCH}bench.add('bad', () => { throw new Error('it is bad') })\n`)
  await assert.rejects(measure(href, { group: '', task: 'bad' }), { message: /^it is bad \(at .*mine\.mjs:3:32\)$/ })
  await assert.rejects(measure(href, { group: '', task: 'good' }), /mine\.mjs has no task "good"$/)
  writeFileSync(new URL(href), `${BENCH}bench.add('bad', () => 1, { beforeAll: () => null.x })\n`)
  await assert.rejects(measure(href, { group: '', task: 'bad' }), /reading 'x'\) \(at .*mine\.mjs:3:\d+\)$/)
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
    `${BENCH}let calls = 0
bench.add('three blocks', () => { for (let i = 0; i < 2; i++) calls = i })
bench.add('more and more', () => { calls++; for (let i = 0; i < calls; i++); })
`
  )
  const count = (/** @type {string} */ task) => countBlocks(scenarioUrl, { group: '', task })
  assert.deepEqual(await Promise.all(['three blocks', 'more and more'].map(count)), [3, undefined])
})

test("what Node does not load, the project's tsx or Vite does", async t => {
  const { write, tasksIn } = projectFolder(t)
  write({
    'a.bench.ts': `${BENCH}const one: number = 1\nbench.add('typed', () => one)\n`,
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
  assert.deepEqual(await tasksIn('a.bench.ts'), [['a', 'typed']])
  write({
    'b.bench.mjs': "import { one } from '@/one'\n",
    'vite.config.js': '',
    'vitest.config.js': '',
    'node_modules/tinybench/dist/index.js': "throw new Error('tinybench was loaded')\n",
    'node_modules/vite/package.json': '{ "exports": "./index.mjs" }',
    // Vite imports a package by the URL of its main module.
    'node_modules/vite/index.mjs': `export const createServer = async ({ root, configFile }) => ({
  async ssrLoadModule () {
    const { Bench } = await import(new URL('../tinybench/dist/index.js', import.meta.url))
    new Bench().add(configFile.slice(root.length + 1), () => 1)
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
