/**
 * Timer APIs behind one small interface. A process measures one of them, so its calls are monomorphic.
 *
 * @typedef {object} Timers
 * @property {(duration: number) => any} start  Returns a handle. Durations are in milliseconds.
 * @property {(handle: any) => void} touch  Starts the same timer again, with its duration.
 * @property {(handle: any, duration: number) => any} restart  Stops the timer and starts another; returns its handle.
 *
 * @typedef {(onExpiry: () => void, options: {resolution: number}) => Timers} CreateTimers  `resolution`: milliseconds
 *   by which an expiry may be late, where an API has such an option.
 */

const moduleOf = (/** @type {string} */ name) => [name, new URL(`apis/${name}.js`, import.meta.url)]

/** APIs whose timers can be started again. */
export const apis = Object.fromEntries(['node', 'undici', 'retimer', 'timestamp', 'idle-timeouts'].map(moduleOf))
/** APIs whose timers are started once. */
export const oneShots = Object.fromEntries(['abort-signal', 'promises'].map(moduleOf))

export const pending = { title: 'pending timers', minimum: 1 }
export const SOURCE = 'timer APIs of Node.js and npm (lab/notebook/timer-apis.md)'
/** Most servers have one duration; protocols with many requests have mixed ones. */
export const LONGEST_MS = 120_000
/** Operations of a cycle. */
export const OPERATIONS = 1000

/**
 * @param {number} size
 * @param {(limit: number) => number} random
 * @returns {Int32Array} places in a random order, for many cycles
 */
export const drawPlaces = (size, random) => Int32Array.from({ length: 64 * OPERATIONS }, () => random(size))

/** A timer of these workloads is never due while it is measured. */
export function refuseExpiry () {
  throw new Error('a timer fired that was touched, or has two minutes to go')
}
