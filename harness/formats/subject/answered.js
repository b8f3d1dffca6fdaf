/** Imports that are answered by a shim of timerq, in ES modules. The hooks thread of Node 20 loads this file, too. */
import { FORMATS } from '../registry.js'

const SHIMS = new Map(FORMATS.map(({ library, shim }) => [library, shim]))

/** Main modules of these packages, which Vite imports by their URLs. */
const MAIN = /\/node_modules\/([\w-]+)\/(?:dist\/index|src\/main|lib\/index|benchmark)\.[cm]?js$/

/** @type {(specifier: string, context: object, next: (specifier: string, context: object) => any) => any} */
export function resolve (specifier, context, next) {
  const url = SHIMS.get(MAIN.exec(specifier)?.[1] ?? specifier)
  return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
}
