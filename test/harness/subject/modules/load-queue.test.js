/** Queue modules that do not load. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { declarationOf } from '../../../../harness/measure/modules/user-modules.js'
import { loadQueue } from '../../../../harness/subject/modules/load.js'
import { UsageError } from '../../../../harness/model/errors.js'
import { temporaryModule } from '../../temporary-folder.js'

const BINARY_HEAP = new URL('../../../../queues/binary-heap.js', import.meta.url).href

/** @type {(t: import('node:test').TestContext, source: string) => string} */
const moduleOf = (t, source) => temporaryModule(t, source, 'mine.js')

/** @type {Record<string, [source: string, message: RegExp][]>} */
const REFUSED = {
  'whose package is not installed says what to install': [
    [
      "import Heap from '@nobody/no-such-heap/lib/heap.js'\nexport class Mine { #heap = new Heap() }",
      /^queue "mine" needs the package @nobody\/no-such-heap: npm install @nobody\/no-such-heap$/
    ]
  ],
  'that does not load says why, with file, line and column of the error': [
    ["import './not-here.js'", /mine\.js: cannot be loaded: Cannot find module .*not-here\.js/],
    [
      'export class Mine {\n  insert (timer) {\n    if (timer {\n  }\n}\n',
      /^\/.*\/mine\.js:3:15: cannot be loaded: Unexpected token '\{'$/
    ],
    ['export const a = 1\n  nothing()\n', /^\/.*\/mine\.js:2:3: cannot be loaded: nothing is not defined$/],
    ["\nimport { b } from 'node:fs'\n", /^\/.*\/mine\.js:2:10: cannot be loaded: .*'b'$/]
  ],
  'with two classes, or without operations, is no queue': [
    ['export class A {}\nexport class B {}', /exports one class .* found 2/],
    ['export class A { insert () {} }', /the queue lacks createTimer, releaseTimer, cancel,/]
  ]
}

for (const [title, cases] of Object.entries(REFUSED)) {
  test(`a module ${title}`, async t => {
    for (const [source, message] of cases) {
      await assert.rejects(loadQueue(moduleOf(t, source)), error => {
        assert.ok(error instanceof UsageError)
        assert.match(error.message, message)
        return true
      })
    }
  })
}

test('an error of an imported module comes with its place, a queue is named by the word after "?"', async t => {
  const broken = moduleOf(t, 'export let a\nlet a')
  await assert.rejects(
    loadQueue(moduleOf(t, `import '${broken}'\n`)),
    /: \/.*\/mine\.js:2:5: cannot be loaded: .*'a' has already been declared$/
  )
  const url = moduleOf(t, "import '@nobody/no-such-heap'")
  await assert.rejects(loadQueue(`${url}?heap-of-theirs`), /queue "heap-of-theirs" needs the package/)
})

test('a queue without a declaration is an error', async t => {
  const source = `export { BinaryHeap } from '${BINARY_HEAP}'`
  await assert.rejects(declarationOf(moduleOf(t, source)), /mine\.js: a queue module exports `meta`/)
})

for (const [form, source] of Object.entries({
  'the class': 'class MyQueue extends BinaryHeap {}; module.exports = MyQueue',
  'the class and its meta': 'class MyQueue extends BinaryHeap {}; module.exports = { MyQueue, meta }',
  'an object that is made at runtime':
    "module.exports = Object.fromEntries([['MyQueue', class extends BinaryHeap {}], ['meta', meta]])",
  'what a compiler makes of a default export':
    'exports.__esModule = true; exports.default = class extends BinaryHeap {}; exports.meta = meta'
})) {
  test(`a CommonJS file exports ${form}`, async t => {
    // require() of an ES module would need a newer Node: the methods are enough.
    const methods =
      'createTimer releaseTimer insert cancel reschedule nextExpiry advance deadlineOf payloadOf isPending'
    const heap = `class BinaryHeap { ${methods.split(' ').map(name => `${name} () {}`).join('\n')} }`
    const url = temporaryModule(t, `${heap}\nconst meta = { name: 'mine' }\n${source}`, 'mine.cjs')
    const { Queue, meta } = await loadQueue(url)
    assert.equal(typeof Queue.prototype.insert, 'function')
    assert.equal(meta?.name, form === 'the class' ? undefined : 'mine')
  })
}
