/**
 * The functions that timers come from. They are Node's own, taken when this module is loaded: fake timers that tests
 * install later, and wrappers around the functions of the global object, change nothing.
 */
import perfHooks from 'node:perf_hooks'
import timers from 'node:timers'

/**
 * @typedef {object} TimerFunctions
 * @property {(callback: (arm: number) => void, ms: number, arm: number) => any} setTimeout Returns an object, or a
 *   number as browsers do.
 * @property {(timer: any) => void} clearTimeout
 * @property {(callback: () => void) => any} setImmediate
 * @property {(immediate: any) => void} clearImmediate
 */

/** The longest delay of a native timer. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1

/** @type {(TimerFunctions & {now: () => number}) | undefined} */
let taken

/** Node's own functions. If fake timers were there first, they are taken once these have gone. */
export function nativeTimers () {
  if (taken !== undefined) return taken
  const { performance } = perfHooks
  const found = { ...functionsOf(timers), now: performance.now.bind(performance) }
  if (!isFake(found.setTimeout)) taken = found
  return found
}

nativeTimers()

/**
 * The functions of the moment.
 *
 * @param {TimerFunctions} owner
 * @returns {TimerFunctions}
 */
export function functionsOf ({ setTimeout, clearTimeout, setImmediate, clearImmediate }) {
  return { setTimeout, clearTimeout, setImmediate, clearImmediate }
}

/**
 * Fake timers of a test: @sinonjs/fake-timers and what is built on it (Sinon, Jest, Vitest), Jest's legacy ones, and
 * those of node:test, which carry no mark but the name of a private method.
 *
 * @param {any} setTimeout
 */
export function isFake (setTimeout) {
  return 'clock' in setTimeout || setTimeout._isMockFunction === true || setTimeout.name === 'bound #createTimer'
}
