import { test } from 'node:test'
import { mutants, mutantsAtScale } from './mutants/index.js'
import { assertNoticed } from './noticed.js'

for (const mutant of [...mutants, ...mutantsAtScale]) {
  test(`${mutant.breaks}: ${mutant.title}`, async t => {
    await assertNoticed(t, mutant)
  })
}
