/** One broken queue for each clause is noticed. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { firstOfEachClause, mutantsAtScale } from './mutants/index.js'
import { assertNoticed, PATIENT } from './noticed.js'

for (const mutant of firstOfEachClause) {
  test(`${mutant.breaks}: a broken queue is noticed, and the counter-example fails with this queue alone`, async t => {
    await assertNoticed(t, mutant)
  })
}

test('the counter-example of a queue that breaks only with many timers has as few as possible', async t => {
  const mutant = mutantsAtScale.find(({ title }) => title === 'an array that grows past 1024 timers loses what it held')
  const counterexample = await assertNoticed(t, mutant ?? assert.fail('no such mutant'), PATIENT)
  assert.match(counterexample, /^\/\/ with 1040 timers pending: .* has not fired at/)
  assert.ok(counterexample.split('\n').length < 20, counterexample)
})
