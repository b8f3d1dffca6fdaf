/**
 * Loaded before everything else in a profiled process: gives every line of every module a number of its own.
 *
 * Until Node 26, V8 charges the ticks of inlined functions to the function that they were inlined into: a profile of the
 * sorted list showed its insertion with 0.0 % and the timer service with 6 %. Switching inlining off would name them,
 * but makes a request cost a third more. Each tick does know its line, though, and lines that no two modules share say
 * which function it is from (see inlined.js), while the code runs as it always does.
 */
import Module, { register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { MessageChannel } from 'node:worker_threads'

/** Above every line number of Node's own modules. */
export const LINES_PER_MODULE = 20_000

const NODE_THAT_KNOWS_INLINED_FRAMES = 26

/** URLs of the modules by their number. @type {Map<number, string>} */
export const numberedModules = new Map()

if (Number.parseInt(process.versions.node) < NODE_THAT_KNOWS_INLINED_FRAMES) {
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
 * Module hooks do not see what CommonJS modules require: npm packages.
 *
 * @param {Int32Array} counter
 */
function numberCommonJs (counter) {
  const { prototype } = /** @type {any} */ (Module)
  const { _compile: compile } = prototype
  prototype._compile = function (/** @type {string} */ source, /** @type {string} */ filename, /** @type {any[]} */ ...more) {
    if (more[0] === 'module') return compile.call(this, source, filename, ...more)
    const number = Atomics.add(counter, 0, 1) + 1
    numberedModules.set(number, pathToFileURL(filename).href)
    return compile.call(this, '\n'.repeat(number * LINES_PER_MODULE) + source, filename, ...more)
  }
}
