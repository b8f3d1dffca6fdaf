/** Files of mitata. */
import { testHooks, testStates, testTasks } from './cases.js'

testTasks('mitata.mjs', [
  ['mitata', 'alone', ['alone']],
  ['mitata-2', 'old', ['fast', 'old']],
  ['mitata-arrays', 'fill 1', ['fill 1', 'fill 8', 'fill 64', 'shift']]
])

testStates({
  'each run measures what was registered since the last': {
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
  'names hold the arguments that they mention, the first changes first; calls get their own arguments': {
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
  }
})

testHooks(
  ['before', 'after'],
  `import { bench } from 'mitata'
bench('a', function * () {
  note('before')()
  yield () => 1
  note('after')()
})
`
)
