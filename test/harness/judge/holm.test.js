/** Holm's adjustment of p values. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { holm } from '../../../harness/judge/decision.js'

const { cases } = JSON.parse(readFileSync(new URL('./holm.json', import.meta.url), 'utf8'))

for (const { p, adjusted } of cases) {
  test(`${p.length} p values are adjusted as statsmodels does it`, () => {
    const values = holm(p).map(({ p }) => p)
    assert.equal(values.length, adjusted.length)
    adjusted.forEach((/** @type {number} */ expected, /** @type {number} */ i) =>
      assert.ok(Math.abs(values[i] - expected) < 1e-12, `${values[i]}, expected ${expected}`)
    )
  })
}
