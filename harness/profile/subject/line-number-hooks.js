/** Module hooks that put empty lines before a module to raise its line numbers. They run on a separate thread. */

/** @import { MessagePort } from 'node:worker_threads' */

/** `counter`: numbered modules, shared with the thread that loads CommonJS. */
const numbering = /** @type {{port: MessagePort, counter: Int32Array, linesPerModule: number}} */ ({})

/** @param {typeof numbering} options */
export function initialize (options) {
  Object.assign(numbering, options)
}

/**
 * @param {string} url
 * @param {object} context
 * @param {(url: string, context: object) => Promise<{format: string, source?: string | Buffer}>} nextLoad
 */
export async function load (url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  if (loaded.format !== 'module' || !url.startsWith('file:') || !loaded.source) return loaded
  const number = Atomics.add(numbering.counter, 0, 1) + 1
  numbering.port.postMessage({ number, url })
  return { ...loaded, source: '\n'.repeat(number * numbering.linesPerModule) + loaded.source }
}
