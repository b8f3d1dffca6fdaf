/** Says why a module of a user cannot be loaded, in one line with its place. */
import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingPackage, UsageError } from '../model/errors.js'
import { PORT_TAKEN } from './answer.js'
import { commonJsDeclaration } from './package-type.js'
import { placeOfError } from './place-of-error.js'

/** Ways to load TypeScript. */
const TYPESCRIPT =
  'Node 22.18 and newer run TypeScript (--runtime 24), older ones with a loader ' +
  "(npm install tsx, then NODE_OPTIONS='--import tsx')"

/** @type {(error: Error, url: string, what: string) => Promise<UsageError>} */
export async function loadFailure (error, url, what) {
  const missing = missingPackage(error, `${what} "${path.basename(url, '.js').split('?').at(-1)}"`)
  const [, name = ''] = /'([^']+)'/.exec(error.message) ?? []
  if (missing && !pnpOf(url) && !isBuiltin(name)) return missing
  return new UsageError(await describeFailure(error, url, what), { cause: error })
}

/**
 * The file by which Yarn finds packages without `node_modules`.
 *
 * @param {string} url
 */
const pnpOf = url =>
  ['./', '../', '../../', '../../../']
    .map(up => new URL(`${up}.pnp.cjs`, url))
    .find(file => file.protocol === 'file:' && existsSync(file))

/** @type {Record<string, string>}  Remedies by the code of Node's error. */
const REMEDIES = {
  EADDRINUSE: PORT_TAKEN,
  ERR_PACKAGE_PATH_NOT_EXPORTED:
    'import what "exports" in that package.json lists (a package for import alone cannot be required)',
  ERR_PACKAGE_IMPORT_NOT_DEFINED: 'add it to "imports" of that package.json',
  ERR_UNSUPPORTED_DIR_IMPORT: 'name a file in that folder, such as index.js',
  ERR_ACCESS_DENIED: "Node's permission model is on (NODE_OPTIONS='--permission --allow-fs-read=*' lets files be read)"
}
const ALIAS = 'if that is an alias, install and configure what resolves it: Vite, vitest or tsx'
const PNP = 'Yarn keeps packages in .pnp.cjs: start timerq by Yarn (yarn timerq ...)'

/**
 * The first line of an error, with what Node's permission model denies, and the remedy.
 *
 * @type {(error: any, url: string) => string}
 */
export function reasonOf (error, url) {
  // Node appends the modules that required a missing one.
  const [text] = String(error?.message ?? error).split('\n')
  const { code, permission, resource } = Object(error)
  const denied = permission ? ` (${[permission, resource].filter(Boolean).join(' of ')})` : ''
  const isPackage = code === 'ERR_MODULE_NOT_FOUND' && text.startsWith('Cannot find package')
  const remedy = isPackage ? (pnpOf(url) ? PNP : ALIAS) : REMEDIES[code]
  return `${text}${denied}${remedy ? `; ${remedy}` : ''}`
}

/** @type {(error: Error, url: string, what: string) => Promise<string>} */
async function describeFailure (error, url, what) {
  const reason = reasonOf(error, url)
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
