/** Every broken queue is noticed, and its counter-example is a test that fails with this queue alone. */
import { test } from 'node:test'
import { firstOfEachClause, mutants } from './mutants/index.js'
import { assertNoticed } from './noticed.js'

/** The first of each clause is tried every day. */
for (const mutant of mutants.filter(mutant => !firstOfEachClause.includes(mutant))) {
  test(`${mutant.breaks}: ${mutant.title}`, async t => {
    await assertNoticed(t, mutant)
  })
}
