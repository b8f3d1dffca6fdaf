/** A count is exact if a second process counts the same. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { exactlyIn, isSame } from '../../../harness/measure/twice.js'
import { SampleError } from '../../../harness/model/errors.js'

/**
 * @param {Record<string, number>} metrics
 * @param {object[]} [functions]
 */
const counted = (metrics, functions = []) => ({ metrics, details: { functions }, warnings: [] })
const died = new SampleError('crash', 'it died')
const exact = counted({ workPerOp: 10, allocatedBytesPerOp: 16 })

for (const [title, other, expected] of /** @type {[string, Record<string, number>, boolean][]} */ ([
  ['the same', { workPerOp: 10, allocatedBytesPerOp: 16 }, true],
  ['another block', { workPerOp: 10.001, allocatedBytesPerOp: 16 }, false],
  ['the end of a page', { workPerOp: 10, allocatedBytesPerOp: 16.1 }, true],
  ['more bytes', { workPerOp: 10, allocatedBytesPerOp: 17 }, false],
  ['no bytes, which may vary', { workPerOp: 10 }, true],
  ['no work', { allocatedBytesPerOp: 16 }, false]
])) {
  test(`sides of which one has ${title}: ${expected ? 'no second process' : 'counted again'}`, () => {
    for (const sides of [[exact, counted(other)], [counted(other), exact]]) assert.equal(isSame(sides), expected)
    assert.ok(isSame([counted(other), died]), 'there is nothing to compare')
  })
}

test('what differs in any process of either side is left out on both, and said where it differs', () => {
  const before = counted({ workPerOp: 10, allocatedBytesPerOp: 0 })
  const [after, again] = [20, 24].map(workPerOp =>
    counted({ workPerOp, allocatedBytesPerOp: 8 }, [
      { name: 'rest', file: 'lib.js', blocks: 1 },
      { name: 'sum', file: 'lib.js', line: 3, blocks: workPerOp - 1 }
    ])
  )
  const [base, head] = /** @type {any[]} */ (exactlyIn([before, after], [before, again]))
  assert.deepEqual([base.metrics, base.warnings], [{ allocatedBytesPerOp: 0 }, []])
  assert.deepEqual(head.metrics, { allocatedBytesPerOp: 8 })
  assert.deepEqual(head.warnings, [
    {
      kind: 'not-exact',
      text:
        'work per operation was 20 in one process and 24 in the next, mostly in sum (lib.js:3): it depends on what ' +
        'no seed fixes, such as the time, crypto or a network'
    }
  ])
})

test('counts that a second process repeats are kept, whatever the other side has', () => {
  const sides = [exact, counted({ workPerOp: 5 })]
  assert.deepEqual(exactlyIn(sides, sides), sides)
})

test('a second process that died confirms nothing; a first one that died remains a failure', () => {
  const [one, other] = exactlyIn([exact, died], [died, exact])
  const { metrics, warnings } = /** @type {any} */ (one)
  assert.deepEqual(metrics, {})
  assert.match(warnings.map((/** @type {{text: string}} */ { text }) => text).join(), /^work .* 10 .* and none in the/)
  assert.equal(other, died)
})
