/** Says why a module of a user cannot be loaded, in one line with its place. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingPackage, UsageError } from '../model/errors.js'
import { commonJsDeclaration } from './package-type.js'
import { placeOfError } from './place-of-error.js'

/** Ways to load TypeScript. */
const TYPESCRIPT =
  'Node 22.18 and newer run TypeScript (--runtime 24), older ones with a loader ' +
  "(npm install tsx, then --node-flags '--import tsx'; where there is no such option, in NODE_OPTIONS)"

/** @type {(error: Error, url: string, what: string) => Promise<UsageError>} */
export async function loadFailure (error, url, what) {
  return (
    missingPackage(error, `${what} "${path.basename(url, '.js').split('?').at(-1)}"`) ??
    new UsageError(await describeFailure(error, url, what), { cause: error })
  )
}

/** @type {(error: Error, url: string, what: string) => Promise<string>} */
async function describeFailure (error, url, what) {
  // Node appends the modules that required a missing one.
  const [reason] = error.message.split('\n')
  const file = url.startsWith('file:') ? fileURLToPath(url) : ''
  const commonJs = error instanceof SyntaxError && file.endsWith('.js') ? commonJsDeclaration(path.dirname(file)) : null
  if (commonJs) {
    return (
      `${file}: cannot be loaded: ${reason}; ${commonJs.file}:${commonJs.line} says "type": "commonjs", ` +
      `and a ${what} is an ES module (rename it to ${path.basename(file, '.js')}.mjs, or write "type": "module")`
    )
  }
  if (/** @type {any} */ (error).code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?tsx?["']/.test(reason)) {
    return `${url}: cannot be loaded: ${reason}; ${TYPESCRIPT}`
  }
  return `${(await placeOfError(error, url)) ?? url}: cannot be loaded: ${reason}`
}
