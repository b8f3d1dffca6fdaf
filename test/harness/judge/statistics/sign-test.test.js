/** The sign test of wild pairs. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { compareTails } from '../../../../harness/judge/statistics/sign-test.js'

for (const [title, values, centre, far, expected] of /** @type {[string, number[], number, number, object][]} */ ([
  ['on one side have the p value of heads in a row', [0, 0.1, -0.1, 5, 6, 7], 0, 1, { above: 3, below: 0, p: 1 / 8 }],
  ['below are not significant', [-5, -6, 0], 0, 1, { above: 0, below: 2, p: 1 }],
  ['on both sides are not significant', [5, -5, 6, -6], 0, 1, { above: 2, below: 2, p: 11 / 16 }],
  [
    'far from the centre include lost samples',
    [10, 11, 9, Infinity, -Infinity],
    10,
    2,
    { above: 1, below: 1, p: 3 / 4 }
  ],
  ['are beyond the distance itself', [1, 1.5, -1, -1.5, -2], 0, 1, { above: 1, below: 2, p: 7 / 8 }]
])) {
  test(`wild values ${title}`, () => assert.deepEqual(compareTails(values, centre, far), expected))
}
