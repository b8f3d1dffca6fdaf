/** Makes ES modules and CommonJS modules of this process import shims in place of benchmark libraries. */
import Module from 'node:module'
import { FORMATS } from '../registry.js'
import { resolve } from './answered.js'

/** @import { Kept } from '../kept.js' */

/** @type {Promise<void> | undefined} */
let answering

/**
 * Keeps the texts that a loader of the project has made of its modules, where hooks run in the same thread.
 *
 * @param {Kept} kept
 */
export function keepLoaded (kept) {
  const load = (/** @type {string} */ url, /** @type {object} */ context, /** @type {Function} */ next) => {
    const key = ['loaded', process.version, url]
    const own = kept.read(...key)
    if (own) return own
    const loaded = next(url, context)
    const { format, source } = loaded
    if (format === 'module') kept.write({ format, source: `${Buffer.from(source)}`, shortCircuit: true }, ...key)
    return loaded
  }
  /** @type {any} */ (Module).registerHooks?.({ load })
}

export const answerImports = () => (answering ??= answer())

async function answer () {
  /** @type {Map<string | undefined, unknown>} */
  const shims = new Map()
  /** @type {((request: string, loaded: any) => any)[]} */
  const answers = []
  for (const { library, shim, required } of FORMATS) {
    const module = shim && (await import(shim))
    // As Node does where an ES module is required.
    if (module) shims.set(library, module['module.exports'] ?? module)
    if (required) answers.push((await import(required)).answerRequired)
  }
  const { registerHooks, register, _cache: cache, _load: load } = /** @type {any} */ (Module)
  // Since Node 22.15, hooks can run in the same thread.
  if (registerHooks) registerHooks({ resolve })
  else register(new URL('answered.js', import.meta.url))
  const loadOrAnswer = (/** @type {string} */ request, /** @type {any[]} */ ...rest) => {
    if (shims.has(request)) return shims.get(request)
    // Becomes `require.main` of the file.
    if (request === process.argv[1]) Object.assign(process, { mainModule: cache[request] })
    return answers.reduce((answered, answerRequired) => answerRequired(request, answered), load(request, ...rest))
  }
  Object.assign(Module, { _load: loadOrAnswer })
}
