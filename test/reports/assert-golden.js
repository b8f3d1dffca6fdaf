/** Compares a text with a golden file, or renews the file. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Compares a report with the one that was read and found good. After reading the difference, renew it:
 *
 *   npm run golden
 *
 * @param {string} name
 * @param {string} text
 */
export function assertGolden (name, text) {
  const file = new URL(`./golden/${name}`, import.meta.url)
  if (process.env.RENEW_GOLDEN) writeFileSync(file, text)
  assert.equal(text, readFileSync(file, 'utf8'))
}
