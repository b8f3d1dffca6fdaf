/** Module hooks, which run on a thread of their own. They put empty lines before a module to raise its line numbers. */

/** @type {import('node:worker_threads').MessagePort} */
let port
/** How many modules have a number; shared with the thread that loads CommonJS. @type {Int32Array} */
let counter
let linesPerModule = 0

/** @param {{port: import('node:worker_threads').MessagePort, counter: Int32Array, linesPerModule: number}} options */
export function initialize (options) {
  ({ port, counter, linesPerModule } = options)
}

/**
 * @param {string} url
 * @param {object} context
 * @param {(url: string, context: object) => Promise<{format: string, source?: string | Buffer}>} nextLoad
 */
export async function load (url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  if (loaded.format !== 'module' || !url.startsWith('file:') || !loaded.source) return loaded
  const number = Atomics.add(counter, 0, 1) + 1
  port.postMessage({ number, url })
  return { ...loaded, source: '\n'.repeat(number * linesPerModule) + loaded.source }
}
