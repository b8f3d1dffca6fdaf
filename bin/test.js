/**
 * timerq for tests, by node:test, vitest and others.
 *
 *     import { notSlower } from 'timerq/test'
 *
 *     test('it is not slower', () => notSlower(new URL('parse.js', import.meta.url), new URL('released/parse.js',
 *     import.meta.url)))
 */
export { notSlower } from './not-slower.js'
