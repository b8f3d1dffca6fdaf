/** Requests of `timerq profile` that are refused. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere, words } from './timerq.js'

const TRACE = fileURLToPath(new URL('../fixtures/traces/websocket-heartbeats.trace', import.meta.url))

test('--json prints a summary with what the tool measures', async t => {
  const { code, stderr, json } = await timerqHere(
    'profile --with gc --scenario start-cancel --size 100 --queue binary-heap --json',
    { cwd: temporaryFolder(t) }
  )
  assert.equal(code, 0, stderr)
  const {
    format,
    cells: [{ queue, metrics }]
  } = json
  assert.deepEqual([format, queue], ['timerq-summary/1', 'binary-heap'])
  assert.deepEqual(Object.keys(metrics), ['gcCount', 'gcPauseMs', 'gcShare', 'allocatedBytesPerOp'])
})

test('the garbage of a recorded program is traced', async t => {
  const { code, stderr, json } = await timerqHere(
    words`profile --with gc --scenario trace --trace ${TRACE} --queue binary-heap --json`,
    { cwd: temporaryFolder(t) }
  )
  assert.equal(code, 0, stderr)
  assert.ok(json.cells[0].metrics.allocatedBytesPerOp.median >= 0)
})
