/** Files of vitest: the same tasks under the same names as in vitest 4, which printed the expected ones. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { prepareTask, Task } from '../../../harness/formats/subject/tinybench.js'
import { collected, forgetTasks, registeredTasks } from '../../../harness/formats/subject/tasks.js'
import * as vitest from '../../../harness/formats/subject/vitest.js'

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
const long = { text: 'x'.repeat(60), list: Array.from({ length: 30 }, () => 0), none: null }

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
  [describe.each([[object, object, [1, 'two'], 3n]]), '%o|%s|%s|%d', [
    "{ n: 5, of: { kind: 'small', list: [ 1, 'b' ] } }|{ n: 5, of: { kind: 'small', list: [ 1, 'b' ] } }|1,two|3n"
  ]],
  [describe.each([[{ x: [1] }, 'str', 3n]]), '$x $0 $1 $2 $no', ["[ 1 ] { x: [ 1 ] } 'str' 3n undefined"]],
  [describe.each([long]), '$text $list $none', [`'${'x'.repeat(37)}…' [ Array(30) ] null`]],
  [describe.each([1]), '$n costs 100 %%', ['$n costs 100 % 1']],
  [describe.each([true]), '%s %d %i %f %j', ['true NaN NaN NaN undefined']],
  [describe.each([1, [3]]), 'mixed %s', ['mixed 1', 'mixed 3']],
  [describe.each([1]), function named () {}, ['named']]
])

for (const [table, title, titles] of TITLES) {
  test(`the title "${title.name ?? title}" is filled in as vitest does: ${titles[0]}`, async () => {
    const names = await tasksIn(() => table(title, () => bench('task', () => 1)))
    assert.deepEqual(names, titles.map(name => `${name} > task`))
  })
}

test('a case is the argument, or the arguments where every case is a list; options may come ' +
  'before the body', async () => {
  const seen = /** @type {unknown[]} */ ([])
  const note = (/** @type {unknown[]} */ ...args) => seen.push(args)
  await tasksIn(() => {
    describe.each([[1, 2]])('lists', note)
    describe.each([[1, 2], 3])('mixed', note)
    describe.for([[1, 2]])('for', { timeout: 1 }, note)
  })
  assert.deepEqual(seen, [[1, 2], [[1, 2]], [3], [[1, 2]]])
})

test('marks of suites and tasks choose as in vitest', async () => {
  const yes = (name = 'yes') => bench(name, () => 1)
  const no = () => bench('no', () => 1)
  assert.deepEqual(
    await tasksIn(() => {
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
    }),
    ['each 1 > yes', 'extended > yes', 'async > late', 'after it > yes']
  )
  assert.deepEqual(
    await tasksIn(() => {
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
    }),
    ['a > yes', 'b > yes', 'c > yes', 'd > e > yes']
  )
})

test('the body of a suite runs after the file, whose constants it may use', async () => {
  assert.deepEqual(
    await tasksIn(() => {
      describe('early', () => SIZES.forEach(size => bench(`${size}`, () => 1)))
      const SIZES = [1, 2]
    }),
    ['early > 1', 'early > 2']
  )
})

test('hooks that a setup gives the task are used, as up to tinybench 2', async () => {
  const task = new Task(undefined, 'sort', () => 1)
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
