/** Files of benchmark.js. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { testStates, testTasks } from './cases.js'
import { measure } from './measure-task.js'
import { benchmarkFile } from './project-folder.js'

testTasks('benchmark.cjs', [
  ['benchmark-search', 'includes', ['includes', 'as text', 'with setup', 'deferred']],
  ['benchmark-later', 'after the first', ['after the first']]
])

testStates({
  'listeners of complete that start the next suite, at once and later': {
    file: 'mine.cjs',
    source: `const Benchmark = require('benchmark')
const suite = (own, options, then) => {
  state = own
  return new Benchmark.Suite('suite ' + own)
    .add('a', expecting(own)).add('b', { fn: expecting(own), onStart: () => expecting(own)() })
    .on('complete', then).run(options)
}
suite(1, {}, () => suite(2, { async: true }, () => suite(3, {}, () => { state = 4 })))
`,
    tasks: [
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b']
    ]
  },
  'suites whose promises are awaited, and whose tasks are made by functions, as in benny': {
    file: 'mine.cjs',
    source: `const Benchmark = require('benchmark')
const add = (name, make) => async () => {
  const fn = await make()
  const deferred = own => fn().then(() => own.resolve())
  return suite => suite.add(name, ...(fn.constructor === make.constructor ? [deferred, { defer: true }] : [fn, { defer: false }]))
}
const suite = async (name, ...tasks) => {
  const made = await Promise.all(tasks.map(task => task()))
  await new Promise((resolve, reject) => {
    made.reduce((own, task) => task(own), new Benchmark.Suite(name)).on('complete', resolve).on('error', reject).run()
  })
}
const main = async () => {
  state = 1
  await suite('one', add('a', async () => expecting(1)), add('b', async () => async () => expecting(1)()))
  state = 2
  await suite('two', add('c', async () => expecting(2)))
  state = 3
}
main()
`,
    tasks: [['a', 'b'], ['c']]
  },
  'a loop over the keys of a list meets its members alone': {
    file: 'mine.cjs',
    source: `const Benchmark = require('benchmark')
new Benchmark.Suite().add('a', () => 1).add('b', () => 1).on('complete', function () {
  for (const key in this.filter('fastest').map('name')) if (key !== '0') throw new Error(key)
}).run()
`,
    tasks: [['a', 'b']]
  },
  'what follows an asynchronous run comes before its tasks': {
    file: 'mine.cjs',
    source: `const { Benchmark } = require('benchmark')
new Benchmark.Suite().add('a', { defer: true, fn: own => { expecting(2)(); own.resolve() } })
  .on('complete', () => { state = 3 }).run()
state = 2
`,
    tasks: [['a']]
  }
})

test('a function with setup may return, early in its first call; other variables than ' +
  'its own fail', async t => {
  const href = benchmarkFile(
    t,
    `const { Suite } = require('benchmark')
const outer = () => [1]
const own = { setup: function () { var list = [3, 1]; var calls = 0 } }
new Suite()
  .add('returns', { ...own, fn: function () { return list.slice().sort() } })
  .add('returns later', { ...own, fn: function () { if (calls++ > 1) return; list.sort() } })
  .add('setup of others', { setup: function () { outer() }, fn: function () { return 1 } })
  .run()
`,
    'mine.cjs'
  )
  const measured = (/** @type {string} */ task) => measure(href, { group: '', task })
  await measured('returns')
  await assert.rejects(measured('returns later'), /a `return` in it has ended its timed loop/)
  await assert.rejects(measured('setup of others'), /outer is not defined/)
})
