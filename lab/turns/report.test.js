/** Tables of `npm run turns`. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { renderTurns } from './report.js'

const NAMES = ['lists', 'lists', 'array', 'wheel']
const LENGTHS = { leadMs: 2, turnMs: 6 }

/**
 * @param {number} size
 * @param {number | null} array  Its ratio in short turns.
 * @param {number} again  Ratio of the control to itself.
 */
const round = (size, array, again = 1) => ({
  size,
  inTurns: [[1, again, array, 0.5]],
  shift: [[1, 1, array === null ? null : array / 2, 1]]
})

/**
 * Rows of the tables, by one of their cells.
 *
 * @param {import('./measure.js').Round[]} rounds
 */
function rowsOf (rounds) {
  const lines = renderTurns(NAMES, [LENGTHS], rounds).split('\n').filter(line => line.startsWith('|'))
  const rows = lines.map(line => line.split('|').slice(1, -1).map(cell => cell.trim()))
  return (/** @type {string} */ start) => rows.filter(cells => cells.includes(start))
}

test('a queue that turns make slower is shown with what they add to its ratio', () => {
  const rowsWith = rowsOf([round(100, 2.2)])
  assert.deepEqual(rowsWith('array'), [['100', 'array', '2.200', '+10.0 %', '1']])
  assert.deepEqual(rowsWith('wheel'), [['100', 'wheel', '0.500', '0 %', '1']])
})

test('every size names the two queues that turns move furthest apart, and the scatter of identical code', () => {
  const rowsWith = rowsOf([round(100, 2.2, 1), round(100, 2.2, 1.02), round(10_000, 1.8)])
  assert.deepEqual(rowsWith('6 ms after 2 ms'), [
    ['100', '6 ms after 2 ms', '1.4 %', '10.0 %', 'array against lists'],
    ['10 000', '6 ms after 2 ms', '-', '11.1 %', 'wheel against array']
  ])
})

test('a queue whose cycles are too long for turns has no figures, and shifts nothing', () => {
  const rowsWith = rowsOf([round(1_000_000, null), round(1_000_000, null)])
  assert.deepEqual(rowsWith('array'), [['1 000 000', 'array', '-', '-', '2']])
  assert.equal(rowsWith('6 ms after 2 ms')[0][3], '0.0 %')
})
