/**
 * Counts what block coverage cannot see: the elements that built-in methods of arrays search, shift or copy. Without
 * these counts, a queue made of `indexOf` and `splice` seems constant.
 *
 * Not counted: `shift`, which V8 mostly does without moving anything, and syntax that calls no method, for example
 * `[...array]`.
 */

/** A built-in spends about an eighth of a basic block's time on an element. */
const ELEMENTS_PER_BLOCK = 8
/** Arrays are copied whole, many elements at a time. */
const COPIED_PER_BLOCK = 64

/**
 * @typedef {(length: number, result: any, args: any[]) => number} Touched  Elements; `length` is that before the call.
 */

/** @param {number} elements */
const copies = elements => (elements * ELEMENTS_PER_BLOCK) / COPIED_PER_BLOCK
/** @type {Touched} */
const all = length => length
/** @type {Touched} */
const upToResult = (length, result) => (typeof result === 'number' && result >= 0 ? result + 1 : length)
/** @type {Touched} */
const shifted = (length, removed, [start = 0, , ...added]) =>
  removed.length + (removed.length === added.length ? 0 : length - absolute(start, length) - removed.length)
/** @type {Touched} */
const copied = (length, _result, [target = 0, start = 0, end = Infinity]) =>
  Math.max(0, Math.min(absolute(end, length) - absolute(start, length), length - absolute(target, length)))

/**
 * @param {number} index  A negative index counts from the end.
 * @param {number} length
 */
function absolute (index, length) {
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length)
}

/** @type {Record<string, Touched>} */
const ON_ALL_ARRAYS = {
  indexOf: upToResult,
  lastIndexOf: all,
  includes: all,
  copyWithin: copied,
  reverse: all,
  sort: all
}
/** @type {Record<string, Touched>} */
const ON_TYPED_ARRAYS = {
  set: (_length, _result, [source]) => copies(source.length),
  slice: (_length, result) => copies(result.length)
}
/** @type {Record<string, Touched>} */
const ON_ARRAYS = {
  splice: shifted,
  slice: (_length, result) => copies(result.length),
  concat: (_length, result) => copies(result.length),
  ...Object.fromEntries(['unshift', 'join', 'toSpliced', 'toSorted', 'toReversed', 'with'].map(name => [name, all]))
}

/** Call this before the queue's module is loaded. */
export function watchBuiltIns () {
  let touched = 0
  /** @type {Set<string>} */
  const names = new Set()
  const { prototype: typedArray } = Object.getPrototypeOf(Int32Array)
  for (const [prototype, methods] of [
    [Array.prototype, { ...ON_ALL_ARRAYS, ...ON_ARRAYS }],
    [typedArray, { ...ON_ALL_ARRAYS, ...ON_TYPED_ARRAYS }]
  ]) {
    for (const [name, touchedBy] of Object.entries(methods)) {
      watch(prototype, name, (length, result, args) => {
        touched += touchedBy(length, result, args)
        names.add(name)
      })
    }
  }

  return {
    /** @returns {{work: number, names: string[]}} in basic blocks, since the last call */
    count () {
      const counted = { work: touched / ELEMENTS_PER_BLOCK, names: [...names] }
      touched = 0
      names.clear()
      return counted
    }
  }
}

/**
 * @param {any} prototype
 * @param {string} name
 * @param {(...call: Parameters<Touched>) => void} note
 */
function watch (prototype, name, note) {
  const method = prototype[name]
  if (!method) return
  /**
   * @this {any}
   * @param {any[]} args
   */
  function watched (...args) {
    const { length } = this
    const result = Reflect.apply(method, this, args)
    note(length, result, args)
    return result
  }
  Object.defineProperty(prototype, name, { value: watched, writable: true, configurable: true })
}
