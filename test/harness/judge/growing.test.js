/** Code whose calls make later calls slower. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { warnOfGrowth } from '../../../harness/judge/growing.js'

/** @param {(number | null)[][]} heats  Times of their turns. */
const kindsIn = heats => warnOfGrowth(heats.map(nsPerOp => ({ slices: { nsPerOp } }))).map(({ kind }) => kind)
const growing = [10, 11, null, 12, 13, 14, 15]
const level = [10, 11, 10, 10, 9, 10]

for (const [title, heats, expected] of /** @type {[string, (number | null)[][], string[]][]} */ ([
  ['every heat', [growing, growing, growing], ['growing']],
  ['four heats of five', [growing, growing, growing, growing, level], ['growing']],
  ['three heats of five', [growing, growing, growing, level, level], []],
  ['one heat, as beside another program', [growing, level, level], []],
  ['two heats, and no more', [growing, growing], []],
  ['by less than a machine changes', [level, level, level].map(turns => turns.map((ns, i) => ns + i / 5)), []],
  ['heats of three turns', [[10, 12, 14], [10, 12, 14], [10, 12, 14]], []]
])) {
  test(`times that grow in ${title}: ${expected.length > 0 ? 'told' : 'not told'}`, () => {
    assert.deepEqual(kindsIn(heats), expected)
  })
}

test('both ends of a heat are said, and samples without turns are none', () => {
  const [{ text }] = warnOfGrowth([...Array(3).fill({ slices: { nsPerOp: growing } }), {}, { slices: {} }])
  assert.match(text, /^10\.5 ns per operation in the first turns of a heat, 14\.5 in the last: /)
})
