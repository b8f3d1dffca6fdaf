/**
 * Formats of benchmark files: a line each. Without its line and its modules in subject/, timerq has a format no more,
 * and nothing else changes.
 *
 * @typedef {object} Format  Modules are URLs: only measured processes load them.
 * @property {string} name
 * @property {string} [library]  Package whose imports the shim answers.
 * @property {string} [shim]
 * @property {string} [required]  Module whose `answerRequired` may answer what a CommonJS file requires.
 * @property {string} [project]  Module whose `projectOf` says how files of a project are loaded.
 * @property {string} [template]  File to start from, with tasks.
 */

const at = (/** @type {string} */ file) => new URL(`subject/${file}`, import.meta.url).href

/** @type {Format[]} */
export const FORMATS = [
  {
    name: 'tinybench',
    library: 'tinybench',
    shim: at('tinybench/tinybench.js'),
    template: at('tinybench/my-workload.js')
  },
  { name: 'vitest', library: 'vitest', shim: at('vitest/vitest.js'), project: at('vitest/project.js') },
  { name: 'mitata', library: 'mitata', shim: at('mitata.js') },
  { name: 'benchmark.js', library: 'benchmark', shim: at('benchmark-js.js') },
  { name: 'bench-node', library: 'bench-node', shim: at('bench-node.js') },
  { name: "Node's own", required: at('node-core/common.js') }
]
