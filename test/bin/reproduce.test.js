/** `timerq reproduce` from the command line. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere } from './timerq.js'

test('one finding is measured, left undecided by a single sample, and the command that repeats ' +
  'it is named', async t => {
  const cwd = temporaryFolder(t)
  const { code, stderr, json } = await timerqHere('reproduce --only B3 --rounds 1 --json --out results', { cwd })
  assert.equal(code, 0)
  const {
    format,
    rows: [row]
  } = json
  assert.equal(format, 'timerq-reproduce/1')
  assert.equal(row.id, 'B3')
  assert.deepEqual([row.holds, row.verdict], [null, 'undecided'])
  assert.match(row.measured, /^advance .* ns, next .* ns, .*x; 1 pair decides nothing, at least 3 are needed$/)
  assert.match(stderr, /to settle the rest: timerq reproduce --only B3 --budget 10m\n$/)
  assert.equal(row.command, 'timerq reproduce --only B3')

  assert.deepEqual((await timerqHere('report results --format json', { cwd })).json, { format, rows: [row] })
  for (const format of ['terminal', 'markdown']) {
    const report = await timerqHere(`report results --format ${format}`, { cwd })
    assert.match(report.stdout, /0 of 1 findings held, 1 undecided; to repeat one: timerq reproduce --only B3/)
    assert.doesNotMatch(report.stdout, /ns\/op/)
  }
  const resumed = await timerqHere('reproduce --resume results --json', { cwd })
  assert.deepEqual([resumed.code, resumed.json], [0, { format, rows: [row] }], 'nothing is left to measure')
  const other = await timerqHere('reproduce --resume results --only A1', { cwd })
  assert.deepEqual(
    [other.code, other.stderr],
    [2, 'timerq: --resume continues as planned: it takes no --only (leave it out, or start a new reproduce)\n']
  )
})
