import { test } from 'node:test'
import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq } from './timerq.js'

const TEMPLATE = new URL('../../bin/templates/my-queue.js', import.meta.url)

test('a queue that keeps the contract: a line a clause, and exit code 0', async t => {
  const cwd = temporaryFolder(t)
  copyFileSync(TEMPLATE, path.join(cwd, 'my-queue.js'))
  const { code, stdout, stderr } = await timerq(['check', './my-queue.js'], { cwd })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^my-queue\n {2}holds {3}The queue declares name/)
  assert.match(stdout, /^ {2}holds {3}Nothing fires early$/m)
  assert.match(stdout, /\n1 of 1 queue kept the contract\n$/)
  assert.doesNotMatch(stdout, /broken/)
  assert.ok(stdout.split('\n').every(line => line.length <= 80))
})
