/** Compares texts with golden files, or renews the files. */
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

/**
 * Cases of one kind as one text.
 *
 * @template T
 * @param {Record<string, T>} cases  By title.
 * @param {(each: T) => string} render
 */
export const joinCases = (cases, render) =>
  Object.entries(cases)
    .map(([title, each]) => `${'='.repeat(80)}\n${title}\n\n${render(each)}`)
    .join('\n')

/**
 * @param {string} text  For a terminal of 80 columns.
 * @param {RegExp} [except]  Lines that may be longer. A command to copy is not broken.
 */
export const assertNarrow = (text, except = /^Next: /) =>
  assert.deepEqual(
    text.split('\n').filter(line => line.length > 80 && !except.test(line)),
    []
  )
