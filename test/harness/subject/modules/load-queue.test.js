/** Queue modules that do not load. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { declarationOf } from '../../../../harness/measure/modules/user-modules.js'
import { loadQueue } from '../../../../harness/subject/modules/load.js'
import { UsageError } from '../../../../harness/model/errors.js'
import { temporaryFolder } from '../../temporary-folder.js'

const BINARY_HEAP = new URL('../../../../queues/binary-heap.js', import.meta.url).href

/**
 * @param {import('node:test').TestContext} t
 * @param {string} source
 */
function moduleOf (t, source) {
  const file = path.join(temporaryFolder(t), 'mine.js')
  fs.writeFileSync(file, source)
  return pathToFileURL(file).href
}

test('a queue whose package is not installed says in one line what to install', async t => {
  const url = moduleOf(
    t,
    "import Heap from '@nobody/no-such-heap/lib/heap.js'\nexport class Mine { #heap = new Heap() }"
  )
  await assert.rejects(loadQueue(url), error => {
    assert.ok(error instanceof UsageError)
    assert.equal(error.message, 'queue "mine" needs the package @nobody/no-such-heap: npm install @nobody/no-such-heap')
    return true
  })
  await assert.rejects(loadQueue(`${url}?heap-of-theirs`), /queue "heap-of-theirs" needs the package/)
})

test('a queue that does not load says why', async t => {
  const url = moduleOf(t, "import { Heap } from './not-here.js'\nexport class Mine { #heap = new Heap() }")
  await assert.rejects(loadQueue(url), /mine\.js: cannot be loaded: Cannot find module .*not-here\.js/)
})

test('an error of a module, or of one that it imports, comes with its file, line and column', async t => {
  for (const [source, message] of /** @type {[string, RegExp][]} */ ([
    [
      'export class Mine {\n  insert (timer) {\n    if (timer {\n  }\n}\n',
      /^\/.*\/mine\.js:3:15: cannot be loaded: Unexpected token '\{'$/
    ],
    ['export const a = 1\n  nothing()\n', /^\/.*\/mine\.js:2:3: cannot be loaded: nothing is not defined$/],
    ["\nimport { b } from 'node:fs'\n", /^\/.*\/mine\.js:2:10: cannot be loaded: .*'b'$/],
    [
      `import '${moduleOf(t, 'export let a\nlet a')}'\n`,
      /^\/.*\/mine\.js:2:5: cannot be loaded: .*'a' has already been declared$/
    ]
  ])) {
    await assert.rejects(
      loadQueue(moduleOf(t, source)),
      error => message.test(/** @type {Error} */ (error).message) || assert.fail(/** @type {Error} */ (error).message)
    )
  }
})

test('a module with two classes is not a queue module', async t => {
  await assert.rejects(loadQueue(moduleOf(t, 'export class A {}\nexport class B {}')), /exports one class .* found 2/)
})

test('the error names the operations that a queue lacks', async t => {
  await assert.rejects(
    loadQueue(moduleOf(t, 'export class A { insert () {} }')),
    /the queue lacks createTimer, releaseTimer, cancel,/
  )
})

test('a queue without a declaration is an error', async t => {
  const source = `export { BinaryHeap } from '${BINARY_HEAP}'`
  await assert.rejects(declarationOf(moduleOf(t, source)), /mine\.js: a queue module exports `meta`/)
})
