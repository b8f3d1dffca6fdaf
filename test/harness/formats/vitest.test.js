/**
 * Files of vitest: the same tasks under the same names as in vitest 4, which printed the expected ones; but for arrays
 * at %s and long values.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { descriptionsOf } from '../descriptions.js'
import { HookedTask, prepareTask } from '../../../harness/formats/subject/hooked-task.js'
import { collected, forgetTasks, registeredTasks } from '../../../harness/formats/subject/tasks.js'
import * as vitest from '../../../harness/formats/subject/vitest/vitest.js'
import { countBlocks, fileOf, testFaults, testHooks, testTasks } from './cases.js'
import { measure } from './measure-task.js'
import { benchmarkFile, projectFolder } from './project-folder.js'

const { bench, describe } = vitest

/**
 * @param {() => unknown} file
 * @returns {Promise<string[]>} names of tasks, after the names of their groups
 */
async function tasksIn (file) {
  forgetTasks()
  await file()
  await collected()
  return registeredTasks().map(({ groupName, name }) => [groupName, name].filter(Boolean).join(' > '))
}

const object = { n: 5, of: { kind: 'small', list: [1, 'b'] } }
const long = { text: 'x'.repeat(60), none: null }

const TITLES = /** @type {[table: any, title: any, titles: string[]][]} */ ([
  [describe.each([10, 1000]), 'sum of %i', ['sum of 10', 'sum of 1000']],
  [describe.for([[1, 2]]), 'pair %s %s', ['pair 1 2']],
  [describe.each`
    size    | step
    ${10}   | ${1}
    ${1000} | ${'x'}
  `, '$size by $step', ['10 by 1', "1000 by 'x'"]],
  [describe.for`a | b
    ${1} | ${2}`, '$a-$b', ['1-2']],
  [describe.each([[[1, 2, 3]], [[4]]]), 'list %j', ['list [1,2,3]', 'list [4]']],
  [describe.each([object]), '$of.kind, $of.list.1, $n, $of.none', ["'small', 'b', 5, undefined"]],
  [describe.each([object, object]), '%# of %$', ['0 of 1', '1 of 2']],
  [describe.each([['a', 1.5, -3.7, '2.5x']]), '%s %d %i %f', ['a 1.5 -3 2.5']],
  [describe.each([[object, [1, 'two'], 3n]]), '%o|%s|%d', [
    "{ n: 5, of: { kind: 'small', list: [ 1, 'b' ] } }|[ 1, 'two' ]|3n"
  ]],
  [describe.each([[{ x: [1] }, 'str', 3n]]), '$x $0 $1 $2 $no', ["[ 1 ] { x: [ 1 ] } 'str' 3n undefined"]],
  [describe.each([long]), '$text $none', [`'${'x'.repeat(37)}… null`]],
  [describe.each([1]), '$n costs 100 %%', ['$n costs 100 %']],
  [describe.each([1, [3]]), 'mixed %s', ['mixed 1', 'mixed 3']],
  [describe.each([1]), function named () {}, ['named']]
])

for (const [table, title, titles] of TITLES) {
  test(`the title "${title.name ?? title}" is filled in as vitest does: ${titles[0]}`, async () => {
    const names = await tasksIn(() => table(title, () => bench('task', () => 1)))
    assert.deepEqual(names, titles.map(name => `${name} > task`))
  })
}

const yes = (name = 'yes') => bench(name, () => 1)
const no = () => bench('no', () => 1)
const names = (/** @type {unknown[]} */ ...args) => yes(JSON.stringify(args))

/** @type {Record<string, [file: () => unknown, tasks: string[]]>} */
const FILES = {
  'a case is the argument, or the arguments where every case is a list; options may come before the body': [
    () => {
      describe.each([[1, 2]])('lists', names)
      describe.each([[1, 2], 3])('mixed', names)
      describe.for([[1, 2]])('for', { timeout: 1 }, names)
    },
    ['lists > [1,2]', 'mixed > [[1,2]]', 'mixed #2 > [3]', 'for > [[1,2]]']
  ],
  'tasks and suites that are skipped, and tests, are left out': [
    () => {
      describe('options', { skip: true }, no)
      describe.todo('todo')
      describe('without a body')
      describe.concurrent.each([1])('each %i', () => yes())
      describe.skipIf(true).each([1])('skipped', no)
      bench.skip('no', () => 1)
      vitest.test.extend({ data: 1 }).describe('extended', () => yes())
      vitest.it.for([1])('a test', no)
      describe('async', async () => {
        await undefined
        yes('late')
      })
      describe('after it', () => yes())
    },
    ['each 1 > yes', 'extended > yes', 'async > late', 'after it > yes']
  ],
  'tasks and suites that are marked leave out all others': [
    () => {
      no()
      describe('a', () => {
        no()
        bench.only('yes', () => 1)
      })
      describe.only('b', () => {
        no()
        bench.only('yes', () => 1)
      })
      describe('c', { only: true }, () => yes())
      describe('d', () => {
        describe.only('e', () => yes())
        no()
      })
    },
    ['a > yes', 'b > yes', 'c > yes', 'd > e > yes']
  ],
  'the body of a suite runs after the file, whose constants it may use': [
    () => {
      describe('early', () => SIZES.forEach(size => yes(`${size}`)))
      const SIZES = [1, 2]
    },
    ['early > 1', 'early > 2']
  ]
}

for (const [title, [file, tasks]] of Object.entries(FILES)) {
  test(title, async () => assert.deepEqual(await tasksIn(file), tasks))
}

test('hooks that a setup gives the task are used, as up to tinybench 2', async () => {
  const task = new HookedTask('sort', () => 1)
  const { before } = await prepareTask(task, {
    setup: task => Object.assign(task, { opts: { beforeEach: () => 'new' } })
  })
  assert.equal(before?.(), 'new')
})

test('hooks of an extended test take its fixtures, which are made once, where a hook needs them, ' +
  'and end last', async () => {
  /** @type {unknown[]} */
  const seen = []
  const fixture =
    (/** @type {string} */ value) =>
      async (/** @type {any} */ { base }, /** @type {any} */ use) => {
        seen.push(`${base}${value}`)
        await use(value)
        seen.push(`end of ${value}`)
      }
  await tasksIn(() => {
    const own = vitest.test
      .extend({
        base: ['1', { scope: 'worker' }],
        never: [fixture('never'), { scope: 'file' }],
        db: [fixture('db'), { scope: 'file' }],
        each: fixture('each')
      })
      .extend('built', { scope: 'file' }, (/** @type {any} */ { db }, /** @type {any} */ { onCleanup }) => {
        onCleanup(() => seen.push('end of built'))
        return `built on ${db}`
      })
    own.beforeAll((/** @type {any} */ { built, db }) => seen.push(built, db))
    own.afterAll((/** @type {any} */ { db }) => seen.push(`hook with ${db}`))
    bench('task', () => 1)
    describe('refused', () => {
      own.beforeAll((/** @type {any} */ { each }) => each)
      bench('task', () => 1)
    })
  })
  const [task, refused] = registeredTasks()
  await (await task.prepare()).end?.()
  assert.deepEqual(seen, ['1db', 'built on db', 'db', 'hook with db', 'end of built', 'end of db'])
  await assert.rejects(
    async () => refused.prepare(),
    /^Error: fixture each is made for each test: give it scope: 'file'$/
  )
})

test('mocks and spies call what they are told to, globals are replaced, and all are taken back', async () => {
  const { vi } = vitest
  const object = { add (/** @type {number} */ n) { return this.start + n }, start: 40 }
  const spy = vi.spyOn(object, 'add')
  assert.equal(object.add(2), 42)
  spy.mockReturnValue(1)
  assert.equal(object.add(2), 1)
  vi.restoreAllMocks()
  assert.equal(object.add(2), 42)
  const mock = vi.fn((/** @type {number} */ n) => n + 1)
  assert.deepEqual([mock(1), vi.fn()(), mock.mockImplementation(() => 5)()], [2, undefined, 5])
  assert.ok(new (vi.fn(Map))([[1, 2]]).has(1))
  assert.throws(() => mock.mock.calls, /^Error: the record of calls of vi\.fn of vitest is not supported$/)
  vi.stubEnv('TIMERQ_STUB', 1)
  vi.stubEnv('TIMERQ_STUB', 2)
  vi.stubGlobal('performance', undefined)
  assert.deepEqual([process.env.TIMERQ_STUB, globalThis.performance], ['2', undefined])
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  assert.deepEqual(['TIMERQ_STUB' in process.env, performance.now() > 0], [false, true])
  assert.deepEqual([vi.hoisted(() => 1), await vi.hoisted(async () => 2)], [1, 2])
})

const REFUSED = [
  "vi.mock('./a.js', () => ({}))",
  "vi.spyOn({ get a () { return 1 } }, 'a', 'get')",
  'await vi.hoisted(async () => {})',
  "inject('port')",
  'aroundEach(() => {})',
  'test.override({ a: 1 })'
]

test('what is not supported, and would change what is measured, is refused by name and line', async t => {
  for (const line of REFUSED) {
    const source = `import { aroundEach, bench, inject, test, vi } from 'vitest'\nbench('a', () => 1)\n${line}\n`
    const [{ fault }] = await descriptionsOf(benchmarkFile(t, source))
    const name = /** @type {RegExpExecArray} */ (/[\w.]+(?=\()/.exec(line))[0]
    assert.match(String(fault), /mine\.mjs:3:\d+: (\S+)( \w+)* of vitest is not supported$/)
    assert.ok(fault?.includes(name), fault)
  }
})

test("vitest's globals are there for its files alone, in projects that have them", async t => {
  const { write, tasksIn } = projectFolder(t)
  const bench = "import { Bench } from 'tinybench'\n"
  write({
    'mine.mjs': `${bench}const bench = new Bench()\nbench.add(typeof describe, () => 1)\nawait bench.run()\n`,
    'own.mjs': `${bench}export const bench = name => new Bench().add(name, () => 1).run()\n`,
    'helper.mjs': "import { bench } from './own.mjs'\nawait bench(typeof describe + process.env.VITEST)\n",
    'globals.mjs': "describe('group', () => bench(process.env.VITEST, () => 1))\n"
  })
  assert.deepEqual(await tasksIn('mine.mjs'), [['undefined']])
  assert.deepEqual(await tasksIn('helper.mjs'), [['undefinedundefined']])
  write({ 'vitest.config.mjs': 'export default { test: { globals: true } }\n' })
  assert.deepEqual(await tasksIn('globals.mjs'), [['true']])
  assert.deepEqual(await tasksIn('mine.mjs'), [['undefined']])
})

testTasks('vitest.bench.js', [
  ['vitest', 'top', ['top']],
  ['vitest-sort-small', 'native', ['native', 'reversed']],
  ['vitest-sort-of-1', 'fill', ['fill']],
  ['vitest-sort-of-2', 'fill', ['fill']]
])

testTasks('vitest-5.bench.js', [
  ['vitest-5-sizes-one', 'one', ['one']],
  ['vitest-5-alone', 'other', ['other']],
  ['vitest-5-sizes-1', 'a', ['a', 'options']],
  ['vitest-5-sizes-10', 'b', ['b', 'options']],
  ['vitest-5-fixtures', 'check', ['check']]
])

test('a task in a test of vitest 5 is counted again and again in the state that the test has made', async () => {
  const blocks = await countBlocks(fileOf('vitest-5.bench.js'), { group: 'sizes > one', task: 'one' })
  assert.ok(blocks !== undefined && blocks > 0, `${blocks} blocks`)
})

testHooks(
  ['outer', 'inner', 'setup', 'teardown', 'inner end', 'last first', 'outer end'],
  `import { afterAll, beforeAll, bench, describe } from 'vitest'
beforeAll(note('outer'))
afterAll(note('outer end'))
afterAll(note('last first'))
describe('b', () => {
  beforeAll(note('inner'))
  afterAll(note('inner end'))
  bench('a', () => 1, { setup: note('setup'), teardown: note('teardown') })
})
`
)

const suiteThat = (/** @type {string} */ body) =>
  `import { bench, describe } from 'vitest'\nbench('a', () => 1)\ndescribe('b', ${body})\n`

testFaults([
  [
    'a test that throws, after which the next one runs',
    "import { test } from 'vitest'\ntest('a', async ({ bench }) => { await bench('a', () => 1).run(); nowhere() })\n" +
      "test('b', async context => { await context.bench('b', () => 1).run() })\n",
    /mine\.mjs:2:67: nowhere is not defined \(after a run/,
    ['a', 'b']
  ],
  [
    'a test that waits for nothing',
    "import { test } from 'vitest'\n" +
      "test('a', async ({ bench }) => { await bench('a', () => 1).run(); await new Promise(() => {}) })\n",
    /mine\.mjs: a suite or test in it waits for something that never comes \(after a run/,
    ['a']
  ],
  ['a suite that throws', suiteThat("() => { throw new Error('no suite') }"), /mine\.mjs:3:29: no suite$/, ['a']],
  [
    'an async suite that rejects',
    suiteThat("async () => { await 1; throw new Error('no suite') }"),
    /mine\.mjs:3:44: no suite$/,
    ['a']
  ]
])

test("what vitest's own configuration says holds: environment, setup files and their hooks, aliases", async t => {
  const { hrefOf, write, tasksIn } = projectFolder(t)
  const config = (alias = '', setup = './setup.mjs') => `export default async ({ mode }) => ({
  test: { globals: true, setupFiles: '${setup}', env: { SEEN: mode }, alias: { ${alias}: 'aliased' } }
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
  write({ 'vitest.config.mjs': config('vite', 'setup.mjs') })
  assert.deepEqual(await tasksIn('a.bench.mjs'), [['benchmarkaliased']])
})

test('a group that is async is read to its end; a server that the file keeps open delays nothing', async t => {
  const { write, tasksIn } = projectFolder(t)
  write({
    'late.mjs': `import { bench, describe } from 'vitest'
import { createServer } from 'node:http'
createServer().listen(0, '127.0.0.1')
bench('a', () => 1)
describe('', async () => {
  await new Promise(resolve => setTimeout(resolve, 100))
  bench('b', () => 2)
})
`
  })
  assert.deepEqual((await tasksIn('late.mjs')).flat(), ['a', 'b'])
})
