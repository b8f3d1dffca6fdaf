/** `timerq check` from the command line. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq } from './timerq.js'

const TEMPLATE = new URL('../../bin/templates/my-queue.js', import.meta.url)

test('a queue that keeps the contract: a line a clause, and exit code 0', async t => {
  const cwd = temporaryFolder(t)
  copyFileSync(TEMPLATE, path.join(cwd, 'my-queue.js'))
  const { code, stdout, stderr } = await timerq('check ./my-queue.js', { cwd })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^my-queue\n {2}holds {3}The queue declares name/)
  assert.match(stdout, /^ {2}holds {3}Nothing fires early$/m)
  assert.match(stdout, /\n1 of 1 queue kept the contract\n$/)
  assert.doesNotMatch(stdout, /broken/)
  assert.ok(stdout.split('\n').every(line => line.length <= 80))
})

/**
 * A queue that fires early, in a file of the user's.
 *
 * @param {import('node:test').TestContext} t
 */
function earlyQueue (t) {
  const folder = temporaryFolder(t)
  const hasty = readFileSync(TEMPLATE, 'utf8').replace('this.nextExpiry() <= now', 'this.nextExpiry() <= now + 1')
  writeFileSync(path.join(folder, 'hasty.js'), hasty)
  return folder
}

test('a broken clause has its counter-example below it, and exit code 1; with --json the same for ' +
  'the same seed', async t => {
  const cwd = earlyQueue(t)
  const { code, stdout: text } = await timerq('check ./hasty.js --seed 5', { cwd })
  assert.equal(code, 1)
  assert.match(text, /^ {2}broken {2}Nothing fires early\n\n {10}\/\/ a fired at \d+, before its deadline of \d+\n/m)
  assert.match(text, /^ {10}test\('Nothing fires early', \(\) => {\n {12}const queue = new MyQueue\(\)/m)
  assert.match(text, /\n0 of 1 queue kept the contract; clauses broken by hasty \(\d+\)\n$/)

  const { code: codeOfJson, stdout } = await timerq('check ./hasty.js --seed 5 --json', { cwd })
  assert.equal(codeOfJson, 1)
  const {
    format,
    queues: [{ queue, holds, clauses, sequences }]
  } = JSON.parse(stdout)
  assert.deepEqual([format, queue, holds], ['timerq-check/1', 'hasty', false])
  assert.equal(sequences.tried, sequences.planned)
  // Both processes came upon the same.
  for (const { sentence, holds, counterexample } of clauses) {
    const code = holds ? '' : `\n\n${counterexample.replaceAll(/^(?=.)/gm, ' '.repeat(10))}\n`
    assert.ok(
      text.includes(`\n  ${holds ? 'holds ' : 'broken'}  ${sentence}\n${code.slice(1)}`),
      `${sentence}: ${text}`
    )
  }
  const early = clauses.find((/** @type {any} */ { clause }) => clause === 'never-early')
  assert.equal(early.holds, false)
  assert.match(early.counterexample, /queue\.advance/)
  assert.deepEqual(
    clauses.find((/** @type {any} */ { clause }) => clause === 'size'),
    { clause: 'size', sentence: 'size is the number of pending timers', holds: true, counterexample: null }
  )
})
