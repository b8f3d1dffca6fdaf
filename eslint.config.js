import neostandard from 'neostandard'

/**
 * Imports point one way only (see "The house" in README.md):
 *
 *   everything -> harness/model, which imports nothing; bin -> reports, and harness by its door; reports -> harness/model alone;
 *   harness -> no queue, scenario, report or command; scenarios and queues -> nothing outside their own folder.
 */
const forbidImports = (folder, rules) => ({
  files: [`${folder}/**/*.js`],
  rules: { 'no-restricted-imports': ['error', { patterns: rules }] }
})

const outside = (...folders) => folders.map(folder => `**/${folder}/**`)

export default [
  { ignores: ['node_modules/', 'results/', 'coverage/', '.stryker-tmp/', 'docs/example/'] },
  ...neostandard({ noJsx: true }),
  forbidImports('queues', [
    { group: ['node:*'], message: 'A queue is pure ECMAScript: no Node built-ins.' },
    { group: outside('bin', 'scenarios', 'harness', 'reports'), message: 'A queue imports nothing outside queues/.' }
  ]),
  forbidImports('scenarios', [
    { group: ['node:*'], message: 'A scenario describes; the harness does: it gets what it needs as arguments.' },
    { group: outside('bin', 'queues', 'harness', 'reports'), message: 'A scenario imports nothing outside scenarios/.' }
  ]),
  forbidImports('bin', [
    { regex: '/harness/(?!index\\.js$|model/|processes/open-files\\.js$)', message: 'bin knows the door of the harness, harness/index.js, and its vocabulary, harness/model.' }
  ]),
  forbidImports('harness', [
    { group: outside('bin', 'queues', 'scenarios', 'reports'), message: 'The harness receives queues and scenarios by URL and knows no report.' }
  ]),
  forbidImports('harness/model', [
    { regex: '^(?!\\./|pure-rand/)', message: 'The vocabulary imports nothing: all rooms stand on it.' }
  ]),
  forbidImports('reports', [
    { group: outside('bin', 'queues', 'scenarios'), message: 'A report gets results as arguments.' },
    { regex: '/harness/(?!model/)', message: 'A report gets results as arguments; harness/model is the vocabulary that all share.' }
  ])
]
