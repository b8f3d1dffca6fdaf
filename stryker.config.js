/** Mutation testing of the queues: what in them could change without the conformance kit noticing? */
import { queues } from './queues/index.js'

const files = queues.filter(({ origin }) => origin === 'own').map(({ name }) => `queues/${name}.js`)

export default {
  testRunner: 'tap',
  plugins: ['@stryker-mutator/tap-runner'],
  tap: { testFiles: files, nodeArgs: ['--import', './test/mutation/verify-queue.js', '--test-reporter=tap'] },
  coverageAnalysis: 'perTest',
  // The contract and the list of queues hold nothing that runs.
  mutate: ['queues/*.js', 'queues/parts/*.js', '!queues/contract.js', '!queues/index.js', '!queues/node.js'],
  // Stryker 9 fails on the settings of TypeScript 7.
  ignorePatterns: ['tsconfig.json', '/results', '/docs'],
  timeoutMS: 10_000,
  reporters: ['clear-text', 'json']
}
