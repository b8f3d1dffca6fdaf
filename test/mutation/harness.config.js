/**
 * Mutation testing of what judges, file by file:
 *
 *     npm run mutants -- test/mutation/harness.config.js --mutate harness/judge/statistics/signed-rank.js
 *
 * Tests that start processes would take hours, run again for every mutant: they are left out. So some of what survives
 * in harness/gate/ does not survive npm test.
 */
import { readdirSync } from 'node:fs'
import stryker from '../../stryker.config.js'

const testsIn = (/** @type {string} */ folder) =>
  readdirSync(folder)
    .filter(name => name.endsWith('.test.js'))
    .map(name => `${folder}/${name}`)
const SLOW = ['test/harness/gate/measure.test.js']

export default {
  ...stryker,
  tap: {
    testFiles: [
      'test/harness/judge/row.test.js',
      'test/harness/judge/compare.test.js',
      'test/harness/judge/holm.test.js',
      ...['test/harness/judge/statistics', 'test/harness/gate'].flatMap(testsIn).filter(file => !SLOW.includes(file))
    ],
    nodeArgs: ['--test-reporter=tap']
  },
  mutate: ['harness/judge/{row,decision}.js', 'harness/judge/statistics/*.js', 'harness/gate/*.js']
}
