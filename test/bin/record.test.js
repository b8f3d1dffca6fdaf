import { test } from 'node:test'
import assert from 'node:assert/strict'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq } from './timerq.js'

const NOTHING = /^trace: timerq\.trace; no timer was started, so there is nothing to recommend$/m

test('a program that could not start, or starts no timer, is recommended nothing', async t => {
  const cwd = temporaryFolder(t)
  const record = (/** @type {string[]} */ ...program) => timerq(['record', '--', ...program], { cwd })
  const missing = await record(process.execPath, 'missing.js')
  assert.deepEqual([missing.code, NOTHING.test(missing.stderr)], [1, true], missing.stderr)
  const idle = await record(process.execPath, '--eval', '1')
  assert.deepEqual([idle.code, NOTHING.test(idle.stderr)], [0, true], idle.stderr)
  const recommended = await timerq(['recommend'], { cwd })
  assert.deepEqual(
    [recommended.code, recommended.stderr],
    [2, 'timerq: timerq.trace starts no timer: there is nothing to recommend a queue for\n']
  )
  const busy = await record(process.execPath, '--eval', 'setTimeout(() => {}, 1)')
  assert.match(busy.stderr, /^trace: timerq\.trace; next: timerq recommend$/m)
})
