/** Damaged input of every kind, for long. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { fuzz, SEED } from '../fuzz/fuzz.js'
import { createTargets } from '../fuzz/targets.js'

/** All weights together are 110: 110 000 cases, or fewer where TIMERQ_SOAK_ROUNDS is below 200. */
const CASES_PER_WEIGHT = Math.ceil((1000 * Number(process.env.TIMERQ_SOAK_ROUNDS ?? 200)) / 200)

test('damaged input of every kind is refused in one line, or read as what it says; a regression ' +
  'never passes', async t => {
  t.diagnostic(`repeat with TIMERQ_FUZZ_SEED=${SEED}`)
  let cases = 0
  for (const target of createTargets(temporaryFolder(t))) {
    // One target that fails does not keep the others from being tried.
    await t.test(target.name, async t => {
      const own = CASES_PER_WEIGHT * target.weight
      const { refused, read, findings } = await fuzz(target, { cases: own, seed: SEED })
      cases += own
      t.diagnostic(`${refused} refused, ${read} read`)
      assert.deepEqual(
        findings.slice(0, 3),
        [],
        `${target.name}: ${findings.length} findings, TIMERQ_FUZZ_SEED=${SEED}`
      )
      assert.ok(refused + read > 0)
    })
  }
  assert.equal(/** @type {any} */ ({}).polluted, undefined)
  t.diagnostic(`${cases} cases`)
})
