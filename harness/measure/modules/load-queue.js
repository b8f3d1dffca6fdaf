import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { commonJsDeclaration } from './package-type.js'

const CONTRACT = ['createTimer', 'releaseTimer', 'insert', 'cancel', 'reschedule', 'nextExpiry', 'advance', 'deadlineOf',
  'payloadOf', 'isPending']

/**
 * @typedef {import('../../../queues/contract.js').TimerQueue} TimerQueue
 * @typedef {import('../../../queues/contract.js').QueueMeta} QueueMeta
 */

/**
 * Loads a queue module. Its class is the default export or the only exported class; `meta` is its declaration.
 *
 * @param {string} url
 * @returns {Promise<{Queue: new () => TimerQueue, meta: QueueMeta}>}
 * @throws {UsageError} when the module does not load, or has no class that looks like a queue
 */
export async function loadQueue (url) {
  const module = await importModule(url)
  const classes = module.default ? [module.default] : Object.values(module).filter(isClass)
  if (classes.length !== 1) {
    throw new UsageError(`${url}: a queue module exports one class (or a default one), found ${classes.length}`)
  }
  const [Queue] = classes
  const missing = CONTRACT.filter(method => typeof Queue.prototype?.[method] !== 'function')
  if (missing.length > 0) {
    throw new UsageError(`${url}: the queue lacks ${missing.join(', ')} (see queues/contract.js)`)
  }
  return { Queue, meta: module.meta }
}

/**
 * What a queue module declares. Built-in timers have a declaration and no class.
 *
 * @param {string} url
 * @returns {Promise<QueueMeta>}
 */
export async function loadQueueMeta (url) {
  const { meta } = await importModule(url)
  if (!meta) throw new UsageError(`${url}: a queue module exports \`meta\` (see queues/contract.js)`)
  return meta
}

/** @param {string} url */
async function importModule (url) {
  try {
    return await import(url)
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    const file = url.startsWith('file:') ? fileURLToPath(url) : ''
    const commonJs = error instanceof SyntaxError && file.endsWith('.js') ? commonJsDeclaration(path.dirname(file)) : null
    if (commonJs) {
      throw new UsageError(`${file}: cannot be loaded: ${message}; ${commonJs.file}:${commonJs.line} says "type": "commonjs", and a queue is an ES module ` +
        `(rename it to ${path.basename(file, '.js')}.mjs, or write "type": "module")`, { cause: error })
    }
    const needed = missingPackage(message)
    throw new UsageError(needed
      ? `queue "${path.basename(url, '.js')}" needs the package ${needed}: npm install ${needed}`
      : `${url}: cannot be loaded: ${message}`, { cause: error })
  }
}

/**
 * Peer packages are installed by whoever wants to measure them.
 *
 * @param {string} message  Of the error that import() failed with.
 */
function missingPackage (message) {
  return /^Cannot find package '([^']+)'/.exec(message)?.[1]
}

/** @param {unknown} value */
function isClass (value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}
