/** The document of a reproduction. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { reproductionDocument } from '../../../reports/documents/reproduction.js'

/** @import { ClaimVerdict } from '../../../harness/reproduce/judge-claims.js' */

test('every claim is shown with its verdict: what failed, what is open, and what is excluded', () => {
  const rows = /** @type {[boolean | null, ClaimVerdict][]} */ ([
    [true, 'held'],
    [false, 'not held'],
    [null, 'undecided'],
    [null, 'not measured'],
    [null, 'excluded']
  ]).map(([holds, verdict], i) => ({
    id: `A${i}`,
    claim: '',
    documented: '',
    measured: '',
    holds,
    verdict,
    command: ''
  }))
  const [table, count] = /** @type {any[]} */ (reproductionDocument(rows).blocks)
  assert.deepEqual(
    table.rows.map((/** @type {any} */ { cells }) => [cells[4].text, cells[4].tone]),
    [
      ['held', 'good'],
      ['not held', 'bad'],
      ['undecided', 'open'],
      ['not measured', 'open'],
      ['excluded', 'open']
    ]
  )
  assert.match(
    count.text,
    /^1 of 5 findings held, 1 not held, 1 undecided, 1 not measured, 1 excluded; to repeat one: timerq reproduce --only A0$/
  )
  assert.match(
    /** @type {any} */ (reproductionDocument(rows.slice(0, 1)).blocks[1]).text,
    /^1 of 1 findings held; to repeat one/
  )
})
