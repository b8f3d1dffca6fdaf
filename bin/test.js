/**
 * Assertions for test runners (node:test, vitest and others): a test fails when code becomes slower.
 *
 *     import { test } from 'node:test'
 *     import { notSlower } from 'timerq/test'
 *
 *     const head = new URL('parse.js', import.meta.url)
 *     const base = new URL('released/parse.js', import.meta.url)
 *     test('parse is not slower than the release', () => notSlower(head, base))
 *
 * `faster(head, base, { by: 0.05 })` fails when the head is shown not to be 5 % faster.
 */
export { faster, notSlower } from './not-slower.js'
