import neostandard from 'neostandard'

/**
 * Imports point one way only (see "The house" in README.md):
 *
 *   bin -> everything; reports -> nothing outside their own folder; harness -> no queue, scenario, report or command;
 *   scenarios and queues -> nothing outside their own folder.
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
  forbidImports('harness', [
    { group: outside('bin', 'queues', 'scenarios', 'reports'), message: 'The harness receives queues and scenarios by URL and knows no report.' }
  ]),
  forbidImports('reports', [
    { group: outside('bin', 'queues', 'scenarios', 'harness'), message: 'A report gets results as arguments.' }
  ])
]
