/** Every queue that breaks only with many timers, or after many operations, is noticed. */
import { test } from 'node:test'
import { mutantsAtScale } from './mutants/index.js'
import { assertNoticed } from './noticed.js'

for (const mutant of mutantsAtScale) {
  test(`${mutant.breaks}: ${mutant.title}`, async t => {
    await assertNoticed(t, mutant)
  })
}
