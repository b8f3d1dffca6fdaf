import { test } from 'node:test'
import assert from 'node:assert/strict'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq } from './timerq.js'

test('one finding is measured, left undecided by a single sample, and the command that repeats it is named', async t => {
  const { code, stdout } = await timerq(
    ['reproduce', '--only', 'B3', '--rounds', '1', '--json', '--out', 'results'], { cwd: temporaryFolder(t) })
  assert.equal(code, 0)
  const { format, rows: [row] } = JSON.parse(stdout)
  assert.equal(format, 'timerq-reproduce/1')
  assert.equal(row.id, 'B3')
  assert.deepEqual([row.holds, row.verdict], [null, 'undecided'])
  assert.match(row.measured, /^next expiry .* ns, advance .* ns; 1 sample a cell cannot decide it, it takes 5 or more$/)
  assert.equal(row.command, 'timerq reproduce --only B3')
})
