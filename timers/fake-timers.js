/**
 * Timers on the fake clock of a test, one for each item: whatever moves that clock, by steps or in one leap, makes
 * exactly the items expire that a setTimeout of their timeout would, as long as that is a delay that setTimeout takes.
 * Costs do not matter here.
 */
import { isFake, LONGEST_DELAY_MS } from './native-timers.js'

/** @template T */
export class FakeTimers {
  #onExpiry
  #setTimeout = globalThis.setTimeout
  /**
   * Pending items, in the order in which they were started.
   *
   * @type {Map<T, {timeout: number, timer: unknown}>}
   */
  #started = new Map()

  /** @param {(item: T) => void} onExpiry */
  constructor (onExpiry) {
    this.#onExpiry = onExpiry
  }

  /**
   * Fake timers, if the global functions are fake now.
   *
   * @template T
   * @param {(item: T) => void} onExpiry
   * @returns {FakeTimers<T> | undefined}
   */
  static present (onExpiry) {
    return isFake(globalThis.setTimeout) ? new FakeTimers(onExpiry) : undefined
  }

  /** The test has put other functions in their place. */
  get areGone () {
    return globalThis.setTimeout !== this.#setTimeout
  }

  /**
   * @param {T} item
   * @param {number} [timeout]  Milliseconds; by default, those it was started with.
   */
  start (item, timeout = this.#started.get(item)?.timeout ?? 0) {
    this.stop(item)
    const started = { timeout, timer: /** @type {unknown} */ (undefined) }
    this.#started.set(item, started)
    this.#wait(item, started, timeout)
  }

  /**
   * @param {T} item
   * @param {{timer: unknown}} started
   * @param {number} ms
   */
  #wait (item, started, ms) {
    // A longer delay would be 1 ms. The timers of node:test start the next part where a step of their clock ends, so
    // each part may be late by a step, and never early.
    const delay = Math.min(ms, LONGEST_DELAY_MS)
    started.timer = globalThis.setTimeout(() => {
      // A test that fakes setTimeout alone cannot clear it.
      if (this.#started.get(item) !== started) return
      if (delay < ms) return this.#wait(item, started, ms - delay)
      this.#started.delete(item)
      this.#onExpiry(item)
    }, delay)
  }

  /** @param {T} item */
  stop (item) {
    const started = this.#started.get(item)
    if (started === undefined) return
    globalThis.clearTimeout(/** @type {any} */ (started.timer))
    this.#started.delete(item)
  }

  /** @returns {{item: T, timeout: number}[]} those that were pending */
  stopAll () {
    const pending = Array.from(this.#started, ([item, { timeout }]) => ({ item, timeout }))
    for (const { item } of pending) this.stop(item)
    return pending
  }
}
