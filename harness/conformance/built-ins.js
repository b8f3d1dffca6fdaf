/**
 * Counts what block coverage cannot see: the elements that built-in methods of arrays search, shift or copy. Without it,
 * a queue made of `indexOf` and `splice` looks constant.
 *
 * Not counted: copies of typed arrays, which is how they grow; `shift`, which V8 mostly does without moving anything; and
 * syntax that calls no method, for example `[...array]`.
 */

/** A built-in spends about an eighth of a basic block's time on an element. */
const ELEMENTS_PER_BLOCK = 8

/** @typedef {(array: any, args: any[], result: any, length: number) => number} Touched  `length` is taken before the call. */

/** @type {Touched} */
const all = (_array, _args, _result, length) => length
/** @type {Touched} */
const upToResult = (_array, _args, result, length) => typeof result === 'number' && result >= 0 ? result + 1 : length
/** @type {Touched} */
const shifted = (_array, [start = 0, , ...added], removed, length) =>
  removed.length + (removed.length === added.length ? 0 : length - absolute(start, length) - removed.length)
/** @type {Touched} */
const copied = (_array, [target = 0, start = 0, end = Infinity], _result, length) =>
  Math.max(0, Math.min(absolute(end, length) - absolute(start, length), length - absolute(target, length)))

/**
 * A negative index counts from the end.
 *
 * @param {number} index
 * @param {number} length
 */
function absolute (index, length) {
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length)
}

/** @type {Record<string, Touched>} */
const METHODS = {
  indexOf: upToResult,
  lastIndexOf: all,
  includes: all,
  splice: shifted,
  unshift: all,
  slice: (_array, _args, result) => result.length,
  concat: (_array, _args, result) => result.length,
  copyWithin: copied,
  reverse: all,
  sort: all,
  join: all,
  toSpliced: all,
  toSorted: all,
  toReversed: all,
  with: all
}
const ON_TYPED_ARRAYS = new Set(['indexOf', 'lastIndexOf', 'includes', 'copyWithin', 'reverse', 'sort'])

/** Call this before the queue's module is loaded. */
export function watchBuiltIns () {
  let touched = 0
  /** @type {Set<string>} */
  const names = new Set()
  const TypedArray = Object.getPrototypeOf(Int32Array)
  for (const [name, touchedBy] of Object.entries(METHODS)) {
    for (const { prototype } of ON_TYPED_ARRAYS.has(name) ? [Array, TypedArray] : [Array]) {
      watch(prototype, name, (...call) => {
        touched += touchedBy(...call)
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
    note(this, args, result, length)
    return result
  }
  Object.defineProperty(prototype, name, { value: watched, writable: true, configurable: true })
}
