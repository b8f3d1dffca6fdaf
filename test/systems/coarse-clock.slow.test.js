/** A run with the CPU clock of Windows. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { timerq, words } from '../bin/timerq.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

test('a run whose CPU clock is coarse says first which clock times it, and keeps that', async t => {
  const env = { ...process.env, NODE_OPTIONS: `--import ${new URL('coarse-clock.mjs', import.meta.url)}` }
  const command = words`run --preset ci --queue lazy-wheel --scenario start-cancel --size 100 --json`
  const { stderr, json } = await timerq(command, { cwd: temporaryFolder(t), env })
  assert.match(stderr, /^less than on Linux: (.*, )?(processes .* and )?the wall clock times turns/)
  assert.equal(json.environment.clock, 'wall clock')
})
