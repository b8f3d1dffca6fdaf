/** The reporter of timerq's tests. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './harness/temporary-folder.js'

const REPORTER = fileURLToPath(new URL('reporter.js', import.meta.url))

const LIMIT_MS = 50_000

/**
 * @param {import('node:test').TestContext} t
 * @param {string} source  Of a file of tests.
 * @param {string[]} flags
 */
function runTests (t, source, ...flags) {
  const file = path.join(temporaryFolder(t), 'some.test.mjs')
  writeFileSync(file, `import { test } from 'node:test'\n${source}`)
  const { NODE_TEST_CONTEXT, ...env } = process.env
  return spawnSync(process.execPath, ['--test', `--test-reporter=${REPORTER}`, ...flags, file], {
    encoding: 'utf8',
    env,
    timeout: LIMIT_MS
  })
}

test('the last lines of a report count what was skipped, by reason', t => {
  const { status, stdout } = runTests(
    t,
    `
test('one', { skip: 'needs a disk (buy one)' }, () => {})
test('two', { skip: 'needs wrk (apt-get install wrk)' }, () => {})
test('three', { skip: 'needs wrk (apt-get install wrk)' }, () => {})
test('four', { skip: false }, () => {})
test('five', () => {})
`,
    '--test-name-pattern=one|two|three|four'
  )
  assert.equal(status, 0)
  assert.match(stdout, /^✔ four/m)
  assert.ok(
    stdout.endsWith(`
3 tests skipped (with CI=true they fail):
  2 need wrk (apt-get install wrk)
  1 needs a disk (buy one)
`),
    stdout
  )
})

test('where nothing was skipped, nothing is added; a failure fails the run', t => {
  const { status, stdout } = runTests(t, "test('one', () => {})\ntest('two', () => { throw new Error('no') })")
  assert.equal(status, 1)
  assert.match(stdout, /✖ two/)
  assert.doesNotMatch(stdout, /skipped \(/)
})

test('a test that never ends, and leaves a process behind, ends the run as failed', t => {
  const { status, stdout } = runTests(
    t,
    `
import { spawn } from 'node:child_process'
test('one', async () => {
  spawn(process.execPath, ['--eval', 'setTimeout(() => {}, 60_000)'], { stdio: ['ignore', 'inherit', 'inherit'] })
  setInterval(() => {}, 60_000)
  await new Promise(() => {})
})
`,
    '--test-timeout=2000'
  )
  assert.equal(status, 1)
  assert.match(stdout, /timed out after 2000ms/)
})
