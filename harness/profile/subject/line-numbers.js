/**
 * Loaded before everything else in a profiled process: gives every line of every module a unique number.
 *
 * Before Node 26, V8 charges the ticks of inlined functions to the function that they were inlined into: a profile of
 * the sorted list showed its insertion with 0.0 % and the timer service with 6 %. Without inlining, a request would
 * cost a third more. But each tick carries a line number, and where no two modules share a number, the number tells
 * which function the tick is from (see inlined.js). The code itself runs as always.
 */
import Module, { register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import { KNOWS_INLINED_FRAMES } from './profiled-window.js'

/** More than any of Node's own modules has. */
export const LINES_PER_MODULE = 20_000

/**
 * URLs of the modules by their number.
 *
 * @type {Map<number, string>}
 */
export const numberedModules = new Map()

if (!KNOWS_INLINED_FRAMES) {
  const counter = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  port1.on('message', ({ number, url }) => numberedModules.set(number, url)).unref()
  register('./line-number-hooks.js', import.meta.url, {
    data: { port: port2, counter, linesPerModule: LINES_PER_MODULE },
    transferList: [port2]
  })
  numberCommonJs(counter)
}

/**
 * Module hooks do not see what CommonJS modules require, and many npm packages are CommonJS.
 *
 * @param {Int32Array} counter
 */
function numberCommonJs (counter) {
  const { prototype } = /** @type {any} */ (Module)
  const { _compile: compile } = prototype
  prototype._compile = function (
    /** @type {string} */ source,
    /** @type {string} */ filename,
    /** @type {any[]} */ ...more
  ) {
    if (more[0] === 'module') return compile.call(this, source, filename, ...more)
    const number = Atomics.add(counter, 0, 1) + 1
    numberedModules.set(number, pathToFileURL(filename).href)
    return compile.call(this, '\n'.repeat(number * LINES_PER_MODULE) + source, filename, ...more)
  }
}
