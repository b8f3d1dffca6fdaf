/** Benchmark files of any format that cannot be loaded, or fail after they have registered tasks. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { descriptionsOf } from '../descriptions.js'
import { BENCH, testFaults } from './cases.js'
import { benchmarkFile, projectFolder } from './project-folder.js'

const FAULTS = /** @type {[source: string, message: RegExp][]} */ ([
  [
    "import { Bench } from 'tinybench'\nnew Bench().add('a')\n",
    /mine\.mjs:2:13: cannot be loaded: task "a" must be a function$/
  ],
  [
    "import { Bench } from 'tinybench'\nexport const bench = new Bench()\n",
    /registers no task of (\S+, )+.* or \S+/
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

test('a syntax error of an imported module is blamed on that module', async t => {
  const { hrefOf, write } = projectFolder(t)
  write({
    'mine.mjs': `${BENCH}import './broken.mjs'\n`,
    'broken.mjs': 'const a = 1\nconst b = = 2\n'
  })
  await assert.rejects(descriptionsOf(hrefOf('mine.mjs')), /broken\.mjs:2:11: cannot be loaded: Unexpected token '='/)
})

testFaults([
  [
    'none, and a task that is added after work in a thread, which no handle shows',
    `${BENCH}import { scrypt } from 'node:crypto'
scrypt('a', 'b', 64, { N: 2 ** 15, maxmem: 2 ** 26 }, () => { bench.add('b', () => 2).run() })
`,
    undefined,
    ['a', 'b']
  ],
  [
    'none, and a task that is added after a server was opened: it exits',
    `${BENCH}import { createServer } from 'node:http'
createServer().listen(0, '127.0.0.1', async () => {
  await bench.run()
  setTimeout(async () => {
    await new Bench().add('b', () => 2).run()
    process.exit()
  }, 100)
})
`,
    undefined,
    ['a', 'b']
  ],
  [
    'a wait for what never comes, after the last task',
    `${BENCH}bench.add('b', () => 2)\nawait new Promise(resolve => bench.addEventListener('complete', resolve))\n`,
    /it waits at its top level/,
    ['a', 'b']
  ],
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
  ]
])
