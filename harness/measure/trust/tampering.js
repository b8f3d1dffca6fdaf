/**
 * Notices when a queue replaces the built-ins that its measurement, or any other code, relies on: the clocks of the process
 * and all of ECMAScript. What is there when this module is loaded is right; so it is loaded before any queue.
 */
import { SampleError } from '../../model/errors.js'

const CLASSES = ['Object', 'Function', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Date', 'RegExp', 'Map', 'Set',
  'WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'Error', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Int8Array', 'Uint8Array',
  'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array', 'BigInt64Array',
  'BigUint64Array']
const NAMESPACES = ['Math', 'JSON', 'Reflect', 'Atomics', 'performance']
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate', 'queueMicrotask']
const OF_PERFORMANCE = ['now', 'eventLoopUtilization']
const OF_PROCESS = ['cpuUsage', 'hrtime', 'memoryUsage', 'nextTick', 'on', 'once', 'emit']

/** Of these, properties are counted, too: every object would inherit another one. */
const INHERITED_BY_ALL = [Object.prototype, Array.prototype]

const { getOwnPropertyDescriptor } = Object
const { ownKeys } = Reflect
const global = /** @type {any} */ (globalThis)

/** @typedef {{name: string, holder: object, key: string | symbol, found: PropertyDescriptor | undefined}} Watched */

const inherited = INHERITED_BY_ALL.map(holder => ownKeys(holder).length)
const builtIns = [
  ...[...CLASSES, ...NAMESPACES, ...TIMERS].map(name => watch('', global, name)),
  ...CLASSES.flatMap(name => [...watchAll(name, global[name]), ...watchAll(`${name}.prototype`, global[name].prototype)]),
  ...NAMESPACES.flatMap(name => watchAll(name, global[name])),
  ...watchAll('TypedArray.prototype', Object.getPrototypeOf(Int8Array.prototype)),
  ...watchAll('performance', Object.getPrototypeOf(performance)),
  ...[[], new Map(), new Set(), ''].flatMap(iterable => watchAll('iterator', Object.getPrototypeOf(iterable[Symbol.iterator]()))),
  ...OF_PROCESS.map(name => watch('process', process, name))
]
// What others find there may be hidden by something new.
const hidden = OF_PERFORMANCE.map(name => watch('performance', performance, name))

const watched = [...builtIns.filter(({ found }) => typeof found?.value === 'function' || typeof found?.value === 'object' || found?.get), ...hidden]

/** @throws {SampleError} when a queue, or what it imports, has replaced a built-in */
export function assertUntouched () {
  for (let i = 0; i < watched.length; i++) {
    const { name, holder, key, found } = watched[i]
    const now = getOwnPropertyDescriptor(holder, key)
    if (now?.value !== found?.value || now?.get !== found?.get) throw new SampleError('wrong', `it has replaced ${name}, on which its measurement relies`)
  }
  for (let i = 0; i < inherited.length; i++) {
    if (ownKeys(INHERITED_BY_ALL[i]).length !== inherited[i]) throw new SampleError('wrong', 'it has changed what all objects inherit, on which its measurement relies')
  }
}

/**
 * @param {string} name
 * @param {object} holder
 */
function watchAll (name, holder) {
  return ownKeys(holder).map(key => watch(name, holder, key))
}

/**
 * @param {string} holderName
 * @param {object} holder
 * @param {string | symbol} key
 * @returns {Watched}
 */
function watch (holderName, holder, key) {
  return { name: [...(holderName ? [holderName] : []), String(key)].join('.'), holder, key, found: getOwnPropertyDescriptor(holder, key) }
}
