import { test } from 'node:test'
import assert from 'node:assert/strict'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { fuzz, SEED } from './fuzz.js'
import { createTargets } from './targets.js'

/** Some thousand cases; npm run test:soak has a hundred thousand. */
const CASES_PER_WEIGHT = 12

test('damaged input of every kind is refused in one line, or read as what it says; a regression never passes', async t => {
  t.diagnostic(`repeat with TIMERQ_FUZZ_SEED=${SEED}`)
  for (const target of createTargets(temporaryFolder(t))) {
    const { refused, read, findings } = await fuzz(target, { cases: CASES_PER_WEIGHT * target.weight, seed: SEED })
    assert.deepEqual(findings, [], `${target.name}, TIMERQ_FUZZ_SEED=${SEED}`)
    assert.ok(refused + read > 0)
  }
  assert.equal(/** @type {any} */ ({}).polluted, undefined)
})

test('a stack trace, an assertion and an endless message are found', async () => {
  const throwing = (/** @type {Error} */ error) => ({ name: 'x', weight: 1, whole: Buffer.from('{}'), read () { throw error } })
  for (const error of [new TypeError('x'), new assert.AssertionError({ message: 'x' }), Object.assign(new Error('x'.repeat(2000)), { exitCode: 2 })]) {
    assert.equal((await fuzz(throwing(error), { cases: 1, seed: 1 })).findings.length, 1)
  }
  assert.equal((await fuzz(throwing(Object.assign(new Error('x'), { exitCode: 2 })), { cases: 3, seed: 1 })).refused, 3)
})
