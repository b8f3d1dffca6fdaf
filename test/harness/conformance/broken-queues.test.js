import { test } from 'node:test'
import assert from 'node:assert/strict'
import { clauses } from '../../../harness/conformance/clauses.js'
import { mutants, mutantsAtScale } from './mutants/index.js'
import { assertNoticed } from './noticed.js'

for (const { name } of clauses) {
  test(`${name}: a broken queue is noticed, and the counter-example fails with this queue alone`, async t => {
    await assertNoticed(t, mutants.find(({ breaks }) => breaks === name) ?? assert.fail('no queue breaks the clause'))
  })
}

test('the counter-example of a queue that breaks only with many timers has as few as possible', async t => {
  const mutant = mutantsAtScale.find(({ title }) => title === 'an array that grows past 1024 timers loses what it held')
  const counterexample = await assertNoticed(t, mutant ?? assert.fail('no such mutant'))
  assert.match(counterexample, /^\/\/ with 1040 timers pending: .* has not fired at/)
  assert.ok(counterexample.split('\n').length < 20, counterexample)
})
