/**
 * setTimeout, clearTimeout, setInterval, clearInterval and their promises, as in Node, over a scheduler of their own.
 */
import { promisify } from 'node:util'
import { createPromises } from './promises.js'
import { Scheduler } from './scheduler.js'
import { Timeout } from './timeout.js'
/** @import { TimersOptions } from './scheduler.js' */

/** @typedef {(...args: any[]) => void} Callback */

/** Longer delays are 1 ms, with Node's warning; all others work. */
const MAX_DURATION_MS = 2 ** 52

/** @param {TimersOptions} [options] */
export function createTimers (options = {}) {
  const scheduler = new Scheduler(options)
  const { native } = scheduler

  /**
   * @type {(callback: Callback, after: number | undefined, args: any[] | undefined, repeats: boolean, isReferenced: boolean) => Timeout}
   */
  const start = (callback, after, args, repeats, isReferenced) => {
    if (typeof callback !== 'function') {
      // The runtime throws its own error, unless it is mocked.
      native.clearTimeout(native.setTimeout(callback, 1))
      throw Object.assign(new TypeError('the callback of a timer must be a function'), { code: 'ERR_INVALID_ARG_TYPE' })
    }
    return new Timeout(scheduler, callback, durationOf(after), args, repeats, isReferenced)
  }

  /** @param {any} after */
  const durationOf = after => {
    const duration = after === undefined ? 1 : after * 1
    if (duration >= 1 && duration <= MAX_DURATION_MS) return duration
    // The runtime warns as it does.
    if (!(duration >= 0 && duration <= 1)) native.clearTimeout(native.setTimeout(() => {}, after))
    return 1
  }

  /** @type {(callback: Callback, delay?: number, ...args: any[]) => Timeout} */
  const setTimeout = function setTimeout (callback, delay, ...args) {
    return start(callback, delay, args.length > 0 ? args : undefined, false, true)
  }

  /** @type {(callback: Callback, delay?: number, ...args: any[]) => Timeout} */
  const setInterval = function setInterval (callback, delay, ...args) {
    return start(callback, delay, args.length > 0 ? args : undefined, true, true)
  }

  /**
   * Stops a timer: its object or its number, of these timers or of Node's.
   *
   * @param {any} [timer]
   */
  const clearTimeout = function clearTimeout (timer) {
    const ours =
      timer instanceof Timeout
        ? timer
        : typeof timer === 'number' || typeof timer === 'string'
          ? scheduler.byId.get(Number(timer))
          : undefined
    if (ours !== undefined) ours.close()
    else if (timer) native.clearTimeout(timer)
  }
  const clearInterval = /** @param {any} [timer] */ function clearInterval (timer) {
    clearTimeout(timer)
  }

  const promises = createPromises(start, clearTimeout)
  Object.defineProperty(setTimeout, promisify.custom, {
    enumerable: true,
    configurable: true,
    get: () => promises.setTimeout
  })
  return { setTimeout, clearTimeout, setInterval, clearInterval, promises }
}
