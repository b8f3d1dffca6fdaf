import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { holm } from '../../../harness/statistics/holm.js'

const { cases } = JSON.parse(readFileSync(new URL('./holm.json', import.meta.url), 'utf8'))

for (const { p, adjusted } of cases) {
  test(`${p.length} p values are adjusted as statsmodels does it`, () => {
    holm(p).forEach((value, i) => assert.ok(Math.abs(value - adjusted[i]) < 1e-12, `${value}, expected ${adjusted[i]}`))
  })
}

test('without p values, nothing is adjusted', () => {
  assert.deepEqual(holm([]), [])
})
