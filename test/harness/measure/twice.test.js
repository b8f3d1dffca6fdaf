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

test('sides that counted the same need no second process; a figure that only one has is a difference', () => {
  assert.ok(isSame([exact, counted({ workPerOp: 10, allocatedBytesPerOp: 16 })]))
  for (const other of [{ workPerOp: 11, allocatedBytesPerOp: 16 }, { workPerOp: 10 }]) {
    assert.ok(!isSame([exact, counted(other)]))
    assert.ok(!isSame([counted(other), exact]))
  }
  assert.ok(isSame([exact, died]), 'there is nothing to compare')
})

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
  assert.deepEqual(/** @type {any} */ (one).metrics, {})
  assert.equal(/** @type {any} */ (one).warnings.length, 2)
  assert.equal(other, died)
})
