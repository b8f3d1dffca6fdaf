/** Declared complexity is parsed, and counted work is compared with it. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { growsFaster, isAmortised, isQuadratic, parseComplexity } from '../../../harness/conformance/complexity.js'

test('declared complexity is understood as growth in pending and expired timers', () => {
  const growthOf = (/** @type {string} */ text) => /** @type {any} */ (parseComplexity(text))(1024, 4)
  assert.equal(growthOf('O(1)'), 1)
  assert.equal(growthOf('O(log n)'), 10)
  assert.equal(growthOf('O(n)'), 1024)
  assert.equal(growthOf('O(k log n)'), 40)
  assert.equal(growthOf('O(k) amortised'), 4)
  assert.equal(growthOf('O(n + k log k)'), 1024 + 8)
  assert.equal(growthOf('O(log d), d durations'), 10)
  assert.equal(growthOf('O(s)'), 1, 'the slots of a wheel do not grow')
})

test('a text that says nothing about growth is not understood', () => {
  for (const text of [undefined, '', 'fast', 'O()', 'O(x)', 'O(n^2)', 'constant', 'O(1', 'O(1)!']) {
    assert.equal(parseComplexity(text), null, String(text))
  }
})

test('amortised bounds are distinguished from worst-case bounds', () => {
  assert.equal(isAmortised('O(k log n) amortised'), true)
  assert.equal(isAmortised('O(k log n)'), false)
  assert.equal(isAmortised(undefined), false)
})

/**
 * @param {string} declared
 * @param {(n: number) => number} workOf
 */
function isTooMuch (declared, workOf) {
  const counts = [256, 1024, 4096, 16_384].map(n => ({ n, calls: 64, expired: 0, work: 64 * workOf(n) }))
  return growsFaster(/** @type {any} */ (parseComplexity(declared)), counts)
}

test('work may grow slower than declared, but not faster', () => {
  const work = {
    constant: () => 12,
    logarithmic: (/** @type {number} */ n) => 3 + 2 * Math.log2(n),
    linear: (/** @type {number} */ n) => 5 + n / 4
  }
  assert.equal(isTooMuch('O(1)', work.constant), false)
  assert.equal(isTooMuch('O(1)', work.logarithmic), true)
  assert.equal(isTooMuch('O(1)', work.linear), true)
  assert.equal(isTooMuch('O(log n)', work.constant), false)
  assert.equal(isTooMuch('O(log n)', work.logarithmic), false)
  assert.equal(isTooMuch('O(log n)', work.linear), true)
  assert.equal(isTooMuch('O(n)', work.linear), false)
})

test('a bounded search that is longer at some sizes than at others does not grow', () => {
  const judge = (/** @type {number[]} */ blocks) =>
    growsFaster(
      /** @type {any} */ (parseComplexity('O(1)')),
      blocks.map((work, i) => ({ n: 256 * 4 ** i, calls: 64, expired: 0, work: 64 * work }))
    )
  assert.equal(judge([9, 16, 18, 11, 15]), false)
  assert.equal(judge([4, 30, 61, 40, 12]), false)
  assert.equal(judge([9, 12, 15, 18, 21]), true)
})

test('one block more or less is not growth', () => {
  assert.equal(
    isTooMuch('O(1)', n => (n > 1000 ? 3 : 2)),
    false
  )
})

test('O(k) allows work for every expired timer, and some for each call', () => {
  const growth = /** @type {any} */ (parseComplexity('O(k)'))
  const counts = [256, 16_384].map(n => ({ n, calls: 1, expired: n, work: 10 * n }))
  assert.equal(growsFaster(growth, counts), false)
  assert.equal(
    growsFaster(
      growth,
      [256, 16_384].map(n => ({ n, calls: 64, expired: 0, work: 64 * 12 }))
    ),
    false
  )
  assert.equal(
    growsFaster(
      growth,
      [256, 16_384].map(n => ({ n, calls: 64, expired: 0, work: 64 * n }))
    ),
    true
  )
})

test('a queue that declares nothing may take the square of its timers: long lives must not call it endless', () => {
  const declared = { insert: 'O(log n)', cancel: 'O(1)', reschedule: 'O(log n)', nextExpiry: 'O(1)', advance: 'O(k)' }
  assert.equal(isQuadratic(declared), false)
  assert.equal(isQuadratic({ ...declared, insert: 'O(n)' }), true)
  assert.equal(isQuadratic({ ...declared, advance: 'O(k n)' }), true)
  assert.equal(isQuadratic(undefined), true)
})
