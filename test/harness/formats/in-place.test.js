/** A file is held where it runs the measured task: each task here fails in any other state than that one. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { descriptionsOf } from '../../../harness/measure/modules/user-modules.js'
import { measure } from './measure-task.js'
import { benchmarkFile, projectFolder } from './project-folder.js'

/** Declares the state, and a task that fails unless the state is the wanted one. */
const STATE = `let state = 0
const expecting = wanted => () => {
  if (state !== wanted) throw new Error('the state is ' + state)
}
`

/** The end of each file changes the state. Tasks by group. */
const FILES = /** @type {Record<string, {source: string, tasks: string[][], file?: string}>} */ ({
  'tinybench: a variable that is assigned again for each Bench, and cleaned up after the last': {
    source: `import { Bench } from 'tinybench'
for (state of [1, 2]) {
  const bench = new Bench({ name: 'size ' + state }).add('a', expecting(state)).add('b', expecting(state))
  await bench.run()
  console.table(bench.table())
}
state = 0
`,
    tasks: [
      ['a', 'b'],
      ['a', 'b']
    ]
  },
  'tinybench: a Bench that runs again, and tasks that are added or never run': {
    source: `import { Bench } from 'tinybench'
const bench = new Bench().add('a', () => expecting(state)()).add('gone', () => {})
bench.remove('gone')
state = 1
await bench.run()
bench.add('b', expecting(2))
state = 2
bench.addEventListener('complete', () => { state = 3 })
await bench.run()
new Bench().add('never run', () => {})
`,
    tasks: [['a'], ['a', 'b']]
  },
  'tinybench: tasks whose signal is aborted do not run, nor does a Bench': {
    source: `import { Bench } from 'tinybench'
const signal = AbortSignal.abort()
await new Bench().add('aborted', () => {}, { signal }).add('a', () => {}).run()
await new Bench({ signal }).add('aborted', () => {}).run()
`,
    tasks: [['a']]
  },
  'tinybench: a synchronous run cannot wait, and no later line runs': {
    source: `import { Bench } from 'tinybench'
state = 1
new Bench().add('a', expecting(1)).runSync()
state = 2
new Bench().add('b', expecting(2)).tasks[0].runSync()
state = 3
`,
    tasks: [['a'], ['b']]
  },
  'tinybench: a function that the file does not await': {
    source: `import { Bench } from 'tinybench'
async function main () {
  state = 1
  await new Bench().add('a', expecting(1)).run()
  state = 2
  await new Bench().add('b', expecting(2)).run()
}
main().finally(() => { state = 3 })
`,
    tasks: [['a'], ['b']]
  },
  'mitata: each run measures what was registered since the last': {
    source: `import { baseline, bench, group, run } from 'mitata'
state = 1
group({ name: 'one' }, () => { baseline('a', expecting(1)) })
bench('left out', () => {})
await run({ filter: /^[ab]/ })
state = 2
bench('b $n', state => { for (const _ of state) expecting(2)() }).args('n', [7, 8])
bench('by hand', function * () { yield { 0: () => 1, manual: one => { expecting(2)(); return 1e6 * one } } })
await run()
state = 3
`,
    tasks: [['a'], ['b 7', 'b 8', 'by hand']]
  },
  'mitata: names hold the arguments that they mention, the first changes first; calls get their own arguments': {
    source: `import { bench, run } from 'mitata'
const two = () => 2
bench('$x', function * (own) { yield () => own.get('y') }).args({ x: [1, 2], y: [3, 4] })
bench('made', function * () { yield { 0: () => [], 1: two, bench (list, two) { if (list.push(two) > 1) throw list } } })
bench('awaited', function * () { yield { 0: async () => 2, bench: async one => { if (one !== 2) throw one } } })
let calls = 0
bench('at once', function * () {
  yield { concurrency: 2, async bench () { calls++; await null; if (calls !== 2) throw calls; await null; calls-- } }
})
await run()
`,
    tasks: [['1', '2', '1 #2', '2 #2', 'made', 'awaited', 'at once']]
  },
  'bench-node: a suite after another': {
    source: `import { Suite } from 'bench-node'
state = 1
const suite = new Suite({ reporter: results => { state += results.length } })
await suite.add('a', expecting(1)).run()
await new Suite().add('b', timer => { timer.start(); expecting(2)(); timer.end(timer.count) }).run()
state = 3
`,
    tasks: [['a'], ['b']]
  },
  'benchmark.js: listeners of complete that start the next suite, at once and later': {
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
  'benchmark.js: suites whose promises are awaited, and whose tasks are made by functions, as in benny': {
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
  'benchmark.js: a loop over the keys of a list meets its members alone': {
    file: 'mine.cjs',
    source: `const Benchmark = require('benchmark')
new Benchmark.Suite().add('a', () => 1).add('b', () => 1).on('complete', function () {
  for (const key in this.filter('fastest').map('name')) if (key !== '0') throw new Error(key)
}).run()
`,
    tasks: [['a', 'b']]
  },
  'benchmark.js: what follows an asynchronous run comes before its tasks': {
    file: 'mine.cjs',
    source: `const { Benchmark } = require('benchmark')
new Benchmark.Suite().add('a', { defer: true, fn: own => { expecting(2)(); own.resolve() } })
  .on('complete', () => { state = 3 }).run()
state = 2
`,
    tasks: [['a']]
  }
})

for (const [title, { source, tasks, file }] of Object.entries(FILES)) {
  test(title, async t => {
    const href = benchmarkFile(t, STATE + source, file)
    const described = await descriptionsOf(href)
    assert.deepEqual(described.map(({ tasks, fault }) => fault ?? tasks), tasks)
    for (const { benchmark, tasks: own = [] } of described) {
      for (const task of own) await measure(href, { group: benchmark?.group ?? '', task })
    }
  })
}

const BENCH = "import { Bench } from 'tinybench'\nconst bench = new Bench().add('a', () => 1)\n"

const suiteThat = (/** @type {string} */ body) =>
  `import { bench, describe } from 'vitest'\nbench('a', () => 1)\ndescribe('b', ${body})\n`

/** Files with an error after their first task: what the description says of it, and their tasks. */
const FAULTS = /** @type {[title: string, source: string, fault: RegExp | undefined, tasks: string[]][]} */ ([
  [
    'between two tasks',
    `${BENCH}nowhere()\nbench.add('b', () => 1)\n`,
    /mine\.mjs:3:1: nowhere is not defined$/,
    ['a']
  ],
  [
    'after the first run',
    `${BENCH}await bench.run()\nawait Promise.reject(new Error('no fixture'))\nnew Bench().add('b', () => 1)\n`,
    /mine\.mjs:4:22: no fixture \(after a run, whose results timerq makes up/,
    ['a']
  ],
  [
    'in a timer',
    `${BENCH}await bench.run()\nsetTimeout(() => { throw new Error('late') })\n`,
    /mine\.mjs:4:26: late \(after a run/,
    ['a']
  ],
  [
    'an exit with a code',
    `${BENCH}await bench.run()\nprocess.exit(3)\n`,
    /mine\.mjs:4:9: it ends its process with exit code 3 \(after a run/,
    ['a']
  ],
  [
    'an exit before the run',
    `${BENCH}process.exit()\nbench.run()\n`,
    /mine\.mjs:3:9: it ends its process before it/,
    ['a']
  ],
  ['an exit after the run', `${BENCH}await bench.run()\nprocess.exit()\nnowhere()\n`, undefined, ['a']],
  [
    'a wait for nothing',
    `${BENCH}await bench.run()\nawait new Promise(() => {})\n`,
    /it waits at its top level/,
    ['a']
  ],
  [
    'a check of results, which are made up',
    `${BENCH}bench.add('b', () => 1)
await bench.run()
const [a, b] = bench.tasks.map(({ result }) => result.hz)
if (a < 2 * b) throw new Error('a is slow')
`,
    /mine\.mjs:6:22: a is slow \(after a run, whose results timerq makes up: a file that checks them is not supported\)$/,
    ['a', 'b']
  ],
  [
    'tasks at the same time',
    "import { Bench } from 'tinybench'\nawait new Bench({ concurrency: 'task' }).add('a', () => 1).run()\n",
    /mine\.mjs:2:\d+: the option concurrency of tinybench is not supported$/,
    ['a']
  ],
  ['two tasks of one name', `${BENCH}bench.add('a', () => 2)\n`, /mine\.mjs:3:7: Task "a" already exists$/, ['a']],
  [
    'a second baseline',
    "import { Suite } from 'bench-node'\nconst own = { baseline: true }\n" +
      "new Suite().add('a', own, () => 1).add('b', own, () => 1)\n",
    /mine\.mjs:3:36: There is already a baseline benchmark$/,
    ['a']
  ],
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

test('an error of a file that has tasks is told with its place', async t => {
  for (const [title, source, fault, tasks] of FAULTS) {
    const described = await descriptionsOf(benchmarkFile(t, source))
    assert.deepEqual(described.flatMap(({ tasks }) => tasks), tasks, title)
    if (fault) assert.match(String(described[0].fault), fault, title)
    else assert.equal(described[0].fault, undefined, title)
  }
})

test('tinybench 2, where the project has it, takes a second task of one name in place of the first', async t => {
  const { hrefOf, write } = projectFolder(t)
  write({
    'node_modules/tinybench/package.json': '{ "version": "2.9.0" }',
    'mine.mjs': `${BENCH}bench.add('b', () => 1).add('a', () => 2)\nawait bench.run()\n`
  })
  const [{ tasks, fault }] = await descriptionsOf(hrefOf('mine.mjs'))
  assert.deepEqual([tasks, fault], [['a', 'b'], undefined])
})

test('benchmark.js: a function with setup may return, early in its first call; other variables than ' +
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
