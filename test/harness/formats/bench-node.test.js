/** Files of bench-node. */
import { testFaults, testStates, testTasks } from './cases.js'

testTasks('bench-node.js', [['bench-node', 'managed', ['concat', 'later', 'managed']]])

testStates({
  'a suite after another': {
    source: `import { Suite } from 'bench-node'
state = 1
const suite = new Suite({ reporter: results => { state += results.length } })
await suite.add('a', expecting(1)).run()
await new Suite().add('b', timer => { timer.start(); expecting(2)(); timer.end(timer.count) }).run()
state = 3
`,
    tasks: [['a'], ['b']]
  }
})

testFaults([
  [
    'a second baseline',
    "import { Suite } from 'bench-node'\nconst own = { baseline: true }\n" +
      "new Suite().add('a', own, () => 1).add('b', own, () => 1)\n",
    /mine\.mjs:3:36: There is already a baseline benchmark$/,
    ['a']
  ]
])
