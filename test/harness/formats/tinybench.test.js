/** Files of tinybench. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { descriptionsOf } from '../descriptions.js'
import { BENCH, testFaults, testHooks, testStates, testTasks } from './cases.js'
import { projectFolder } from './project-folder.js'

testTasks('tinybench.bench.js', [
  ['tinybench-strings', 'join', ['join', 'split later', 'upper case']],
  ['tinybench', 'sum', ['sum', 'its own time']]
])

testStates({
  'a variable that is assigned again for each Bench, and cleaned up after the last': {
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
  'a Bench that runs again, and tasks that are added or never run': {
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
  'tasks whose signal is aborted do not run, nor does a Bench': {
    source: `import { Bench } from 'tinybench'
const signal = AbortSignal.abort()
await new Bench().add('aborted', () => {}, { signal }).add('a', () => {}).run()
await new Bench({ signal }).add('aborted', () => {}).run()
`,
    tasks: [['a']]
  },
  'a synchronous run cannot wait, and no later line runs': {
    source: `import { Bench } from 'tinybench'
state = 1
new Bench().add('a', expecting(1)).runSync()
state = 2
new Bench().add('b', expecting(2)).tasks[0].runSync()
state = 3
`,
    tasks: [['a'], ['b']]
  },
  'a function that the file does not await': {
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
  }
})

testHooks(
  ['setup', 'beforeAll', 'afterAll', 'teardown'],
  `import { Bench } from 'tinybench'
const hooks = { beforeAll: note('beforeAll'), afterAll: note('afterAll') }
new Bench({ setup: note('setup'), teardown: note('teardown') }).add('a', () => 1, hooks)
`
)

testFaults([
  [
    'tasks at the same time',
    "import { Bench } from 'tinybench'\nawait new Bench({ concurrency: 'task' }).add('a', () => 1).run()\n",
    /mine\.mjs:2:\d+: the option concurrency of tinybench is not supported$/,
    ['a']
  ],
  ['two tasks of one name', `${BENCH}bench.add('a', () => 2)\n`, /mine\.mjs:3:7: Task "a" already exists$/, ['a']]
])

test('tinybench 2, where the project has it, takes a second task of one name in place of the first', async t => {
  const { hrefOf, write } = projectFolder(t)
  write({
    'node_modules/tinybench/package.json': '{ "version": "2.9.0" }',
    'mine.mjs': `${BENCH}bench.add('b', () => 1).add('a', () => 2)\nawait bench.run()\n`
  })
  const [{ tasks, fault }] = await descriptionsOf(hrefOf('mine.mjs'))
  assert.deepEqual([tasks, fault], [['a', 'b'], undefined])
})
