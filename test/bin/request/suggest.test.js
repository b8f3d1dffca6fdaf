/** Suggestions for mistyped words. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { didYouMean } from '../../../bin/request/suggest.js'
import { queues } from '../../../queues/index.js'

const names = queues.map(({ name }) => name)

for (const [typed, suggestion] of [
  ['lzy', 'lazy-wheel'],
  ['Lazy', 'lazy-wheel'],
  ['lazywheel', 'lazy-wheel'],
  ['nod', 'node'],
  ['binary-haep', 'binary-heap'],
  ['heirarchical-weel', 'hierarchical-wheel'],
  ['tree', 'list-toolkit-splay-tree']
]) {
  test(`${typed}: did you mean ${suggestion}?`, () =>
    assert.equal(didYouMean(typed, names), `, did you mean ${suggestion}?`))
}

test('a word of several names suggests all of them, five at most', () => {
  assert.equal(
    didYouMean('heap', names),
    ', did you mean binary-heap, quaternary-heap, searched-heap, pairing-heap or radix-heap?'
  )
  assert.equal(didYouMean('list', names).split(/, | or /).length, 1 + 5)
})

test('names that are far suggest nothing', () => {
  for (const typed of ['xyz', 'foo', 'a', '', 'quicksort']) assert.equal(didYouMean(typed, names), '', typed)
})

test('options are suggested as they are typed', () => {
  assert.equal(didYouMean('bse', ['base', 'budget'], '--'), ', did you mean --base?')
})
