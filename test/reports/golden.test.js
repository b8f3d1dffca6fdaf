import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { GOLDEN, renderGolden } from './golden.js'

const again = new Map(renderGolden().map(({ name, text }) => [name, text]))

for (const { name, text } of renderGolden()) {
  test(`${name} is as it was when somebody last read it (npm run golden renews it)`, () => {
    assert.equal(text, readFileSync(new URL(name, GOLDEN), 'utf8'))
  })

  test(`${name} has the same bytes every time`, () => {
    assert.equal(text, again.get(name))
  })
}
