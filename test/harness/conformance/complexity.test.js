/** Declared complexity is parsed, and counted work is compared with it. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { isAmortised, isQuadratic, judgeGrowth, parseComplexity } from '../../../harness/conformance/complexity.js'

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

const constant = () => 12
const logarithmic = (/** @type {number} */ n) => 3 + 2 * Math.log2(n)
const linear = (/** @type {number} */ n) => 5 + n / 4
/** Blocks of a call at 256, 1024, 4096 ... timers. @type {(...blocks: number[]) => (n: number) => number} */
const each = (...blocks) => n => blocks[Math.log2(n / 256) / 2]

/** @type {Record<string, [declared: string, blocksOf: (n: number) => number, isTooMuch: boolean, more?: object][]>} */
const growths = {
  'work may grow slower than declared, but not faster': [
    ['O(1)', constant, false],
    ['O(1)', logarithmic, true],
    ['O(1)', linear, true],
    ['O(log n)', constant, false],
    ['O(log n)', logarithmic, false],
    ['O(log n)', linear, true],
    ['O(n)', linear, false]
  ],
  'a bounded search that is longer at some sizes than at others does not grow': [
    ['O(1)', each(9, 16, 18, 11, 15), false],
    ['O(1)', each(4, 30, 61, 40, 12), false],
    ['O(1)', each(9, 12, 15, 18, 21), true]
  ],
  'one block more or less is not growth': [['O(1)', each(2, 3, 3, 3, 3), false]],
  'O(k) allows work for every expired timer, and some for each call': [
    ['O(k)', n => 10 * n, false, { isEachExpired: true }],
    ['O(k)', constant, false],
    ['O(k)', linear, true]
  ]
}

for (const [title, cases] of Object.entries(growths)) {
  test(title, () => {
    for (const [declared, blocksOf, isTooMuch, { isEachExpired = false } = {}] of /** @type {any[]} */ (cases)) {
      const counts = [0, 1, 2, 3, 4].map(i => {
        const n = 256 * 4 ** i
        return { n, calls: 64, expired: isEachExpired ? n : 0, work: 64 * blocksOf(n) }
      })
      const blocks = counts.map(({ work }) => work / 64)
      assert.equal(
        judgeGrowth(/** @type {any} */ (parseComplexity(declared)), counts).isFaster,
        isTooMuch,
        `${declared}: ${blocks}`
      )
    }
  })
}

test('a queue that declares nothing may take the square of its timers: long lives must not call it endless', () => {
  const declared = { insert: 'O(log n)', cancel: 'O(1)', reschedule: 'O(log n)', nextExpiry: 'O(1)', advance: 'O(k)' }
  assert.equal(isQuadratic(declared), false)
  assert.equal(isQuadratic({ ...declared, insert: 'O(n)' }), true)
  assert.equal(isQuadratic({ ...declared, advance: 'O(k n)' }), true)
  assert.equal(isQuadratic(undefined), true)
})
