/** The page of the calibration and its samples agree. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { makePage } from './page.js'

test('the page is what the samples in the repository make it, byte by byte', () => {
  const { file, text } = makePage()
  assert.equal(readFileSync(file, 'utf8'), text, `${file} (renew it: npm run calibrate -- --page)`)
})
