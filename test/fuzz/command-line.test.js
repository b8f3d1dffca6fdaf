/** Random command lines never crash timerq. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { commandLines, runLine } from './command-line.js'
import { SEED } from './fuzz.js'

test('a wrong command line ends with exit code 2 or 4 and no stack trace', async t => {
  t.diagnostic(`repeat with TIMERQ_FUZZ_SEED=${SEED}`)
  await fc.assert(
    fc.asyncProperty(commandLines, async args => {
      const { code, stderr } = await runLine(args)
      assert.ok([2, 4].includes(code), `exit code ${code}: ${stderr}`)
      assert.doesNotMatch(stderr, /\n {4}at |Error:.*\n.*\.js:\d+|[^\P{Cc}\n]/u)
    }),
    { seed: SEED, numRuns: 100 }
  )
})
