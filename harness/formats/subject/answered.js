/** Imports that are answered by a shim of timerq, in ES modules. The hooks thread of Node 20 loads this file, too. */

/** @type {Record<string, string>}  Files in this folder, by the name of the package that they replace. */
const SHIMS = {
  tinybench: 'tinybench.js',
  vitest: 'vitest.js',
  mitata: 'mitata.js',
  benchmark: 'benchmark-js.js',
  'bench-node': 'bench-node.js'
}

/** @type {Map<string, string>}  URLs of the shims by the name of the package. */
const answered = new Map(
  Object.entries(SHIMS).map(([name, file]) => [name, new URL(file, import.meta.url).href])
)

/** Main modules of these packages, which Vite imports by their URLs. */
const MAIN = /\/node_modules\/([\w-]+)\/(?:dist\/index|src\/main|lib\/index|benchmark)\.[cm]?js$/

/** @param {string} specifier */
export const answerTo = specifier => answered.get(MAIN.exec(specifier)?.[1] ?? specifier)

/** @type {(specifier: string, context: object, next: (specifier: string, context: object) => any) => any} */
export function resolve (specifier, context, next) {
  const url = answerTo(specifier)
  return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
}
