/** A file is held where it runs the measured task: each task here fails in any other state than that one. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { descriptionsOf } from '../../../../harness/measure/modules/user-modules.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { measure } from './measure-task.js'

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
    tasks: [['a', 'b'], ['a', 'b']]
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
    tasks: [['a', 'b'], ['a', 'b'], ['a', 'b']]
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

for (const [title, { source, tasks, file = 'mine.mjs' }] of Object.entries(FILES)) {
  test(title, async t => {
    const { href } = pathToFileURL(path.join(temporaryFolder(t), file))
    writeFileSync(new URL(href), STATE + source)
    const described = await descriptionsOf(href)
    assert.deepEqual(described.map(({ tasks, fault }) => fault ?? tasks), tasks)
    for (const { benchmark, tasks: own = [] } of described) {
      for (const task of own) await measure(href, { group: benchmark?.group ?? '', task })
    }
  })
}
