/** The answer of a gate for programs, and the command that comes next. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { withGateAnswer } from '../../bin/gate-answer.js'
import { recordWith, rowOf } from '../reports/comparison-record.js'

/**
 * @param {object} changed
 * @param {...string} kinds  Kinds of rows.
 */
const answerOf = (changed, ...kinds) => withGateAnswer({ ...recordWith(...kinds), seconds: 40, ...changed }).answer

test('the answer of a gate has the figures of the row that decides, and the seconds that it took', () => {
  assert.deepEqual(answerOf({}, 'same', 'slower'), {
    text: '1 of 2 cells: wheel on refresh-one-duration, size 10 000: 12.3 % slower',
    ratio: 1.123,
    low: 1.1,
    high: 1.15,
    pairs: 20,
    seconds: 40,
    next: null
  })
  const { text, ratio } = answerOf({}, 'same', 'faster', 'slightly')
  assert.deepEqual([text, ratio], ['no regression in 3 cells, 1 better', 1.015])
})

test('an open gate says which command would decide it, and for how long that measures', () => {
  const { pairs, next } = answerOf({}, 'same', 'unclear')
  assert.equal(pairs, 20)
  assert.deepEqual(next, { command: 'timerq gate --base main --budget 600s', seconds: 68 })
  const { next: longer } = answerOf({ seconds: 2000 }, 'unclear')
  assert.deepEqual(longer, { command: 'timerq gate --base main --budget 6800s', seconds: 3400 })
})

test('a gain names its confirmation; a gain that confirms another one is the end', () => {
  const gained = { ...recordWith(rowOf('faster', { expect: { change: 'faster' } })), seconds: 40 }
  const gate = { directory: 'results/one' }
  const nextOf = (/** @type {object} */ changes) =>
    withGateAnswer(/** @type {any} */ ({ ...gained, ...changes }), gate).answer.next
  assert.deepEqual(nextOf({}), { command: 'timerq confirm results/one', seconds: 40 })
  const files = { command: ['timerq', 'gate', '--base', 'main', '--queue', './a.js'] }
  assert.equal(nextOf(files)?.command, 'timerq confirm results/one --queue ./a.js')
  assert.equal(nextOf({ comparisons: [rowOf('faster')] }), null, 'no gain was expected')
  assert.equal(nextOf({ earlier: { directory: 'results/none', verdict: 'pass', rows: [] } }), null)
})

test('a confirmation that is still open measures the sides of the same gate, for longer', () => {
  const open = { ...recordWith('unclear'), seconds: 40 }
  const earlier = {
    directory: 'results/one',
    verdict: 'pass',
    agrees: false,
    rows: [],
    differences: []
  }
  const { next } = withGateAnswer(/** @type {any} */ ({ ...open, earlier }), {
    directory: 'results/two'
  }).answer
  assert.deepEqual(next, { command: 'timerq confirm results/one --budget 600s', seconds: 68 })
})

test('rows that the budget left out are measured by a gate with more of it, also where none could be judged', () => {
  const left = { unmeasured: ['the budget of 300 s leaves out 1 touched row'], notFitting: [rowOf('same')] }
  for (const changed of [left, { ...left, verdict: 'invalid', comparisons: [] }]) {
    assert.equal(answerOf(changed, 'unclear').next?.command?.startsWith('timerq gate --base main --budget '), true)
  }
  assert.equal(answerOf({ ...left, unmeasured: [...left.unmeasured, 'both ran ../lib'] }, 'unclear').next, null)
})

test('nothing decides a change that both sides share', () => {
  assert.equal(answerOf({ unmeasured: ['both ran ../lib'] }, 'unclear').next, null)
  const { ratio, next } = answerOf({ comparisons: [] })
  assert.deepEqual([ratio, next], [null, null])
})
