import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { makePage } from './page.js'

test('the page and its pictures are what the samples in the repository make them, byte by byte', () => {
  for (const { file, text } of makePage()) {
    assert.equal(readFileSync(file, 'utf8'), text, `${file} (renew it: npm run calibrate -- --page)`)
  }
})
