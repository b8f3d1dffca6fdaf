/** Files that `timerq new` writes work as they are. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq } from './timerq.js'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

test('a new queue keeps the contract and passes its own test as it is', async t => {
  const cwd = temporaryFolder(t)
  // As if timerq were installed there.
  mkdirSync(path.join(cwd, 'node_modules'))
  symlinkSync(PACKAGE, path.join(cwd, 'node_modules', 'timerq'))

  const written = await timerq('new egg-timer', { cwd })
  assert.equal(written.code, 0, written.stderr)
  assert.equal(written.stdout, 'egg-timer.js, egg-timer.test.js written; next: timerq check ./egg-timer.js\n')
  assert.match(readFileSync(path.join(cwd, 'egg-timer.js'), 'utf8'), /name: 'egg-timer',[^]*export class EggTimer {/)

  // The test of a queue checks the whole contract.
  const { NODE_TEST_CONTEXT, ...env } = process.env
  await promisify(execFile)(process.execPath, ['--test', 'egg-timer.test.js'], { cwd, env })
})
