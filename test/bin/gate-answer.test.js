import { test } from 'node:test'
import assert from 'node:assert/strict'
import { withGateAnswer } from '../../bin/gate-answer.js'
import { recordWith } from '../reports/comparison-record.js'

/**
 * @param {object} changed
 * @param {...string} kinds  Kinds of rows.
 */
const answerOf = (changed, ...kinds) => withGateAnswer({ ...recordWith(...kinds), seconds: 40, ...changed }).answer

test('the answer of a gate has the figures of the row that decides, and the seconds that it took', () => {
  assert.deepEqual(answerOf({}, 'same', 'slower'), {
    text: '1 of 2 rows: wheel on refresh-one-duration, size 10 000: 12.3 % slower',
    ratio: 1.123,
    low: 1.1,
    high: 1.15,
    pairs: 20,
    seconds: 40,
    next: null
  })
  const { text, ratio } = answerOf({}, 'same', 'faster', 'slightly')
  assert.deepEqual([text, ratio], ['no regression in 3 rows, 1 better', 1.015])
})

test('an open gate says which command would decide it, and for how long that measures', () => {
  const { pairs, next } = answerOf({}, 'same', 'unclear')
  assert.equal(pairs, 20)
  assert.deepEqual(next, { command: 'timerq gate --base main --budget 600s', seconds: 68 })
  const { next: longer } = answerOf({ seconds: 2000 }, 'unclear')
  assert.deepEqual(longer, { command: 'timerq gate --base main --budget 6800s', seconds: 3400 })
})

test('a gain names its confirmation: the same sides, other seeds, and no try among many', () => {
  const [faster] = recordWith('faster').comparisons
  const { next } = answerOf({
    comparisons: [{ ...faster, expect: { change: 'faster', attempt: 7 } }],
    command: ['timerq', 'gate', '--base', 'main', '--expect', 'faster', '--attempt', '7', '--seed', '3', '--out', 'a']
  }, 'faster')
  assert.deepEqual(next, { command: 'timerq gate --base main --expect faster', seconds: 40 })
  const confirmed = { comparisons: [{ ...faster, expect: { change: 'faster' } }] }
  assert.equal(answerOf(confirmed, 'faster').next, null)
})

test('a gate called by a program names no command; one that both sides share, nothing that would decide it', () => {
  assert.deepEqual(answerOf({ command: ['node', 'gate.js'] }, 'unclear').next, { command: null, seconds: 68 })
  assert.equal(answerOf({ unmeasured: ['both ran ../lib'] }, 'unclear').next, null)
  const { ratio, next } = answerOf({ comparisons: [] })
  assert.deepEqual([ratio, next], [null, null])
})
