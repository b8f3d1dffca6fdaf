/** The fuzzer finds faults; test/soak/fuzz.soak.js lets it run. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { fuzz } from './fuzz.js'
import { createTargets } from './targets.js'

test('a stack trace, an assertion and an endless message are found', async () => {
  const throwing = (/** @type {Error} */ error) => ({
    name: 'x',
    weight: 1,
    whole: Buffer.from('{}'),
    read () {
      throw error
    }
  })
  for (const error of [
    new TypeError('x'),
    new assert.AssertionError({ message: 'x' }),
    Object.assign(new Error('x'.repeat(2000)), { exitCode: 2 })
  ]) {
    assert.equal((await fuzz(throwing(error), { cases: 1, seed: 1 })).findings.length, 1)
  }
  assert.equal((await fuzz(throwing(Object.assign(new Error('x'), { exitCode: 2 })), { cases: 3, seed: 1 })).refused, 3)
})

test('every input is read while it is whole', async t => {
  for (const { whole, read } of createTargets(temporaryFolder(t))) await read(whole)
})
