/**
 * Idle timeouts: many items with few different timeouts, each restarted far more often than it expires.
 *
 *   add       O(1)
 *   touch     O(1)   a comparison, a count and a store: no allocation, no async context, and seldom a clock
 *   delete    O(1)
 *   expiry    each item is looked at once in its timeout, however often it was touched
 *
 * Time is counted in ticks, three to a resolution. A touch stores the number of the present tick and moves nothing: the
 * items, which are kept in a table (table.js), wait in a wheel (wheel.js). When the slot of an item opens that was
 * touched, the item goes to the slot of its present deadline.
 *
 * The number of the present tick comes from the clock, which every call reads while calls are few. When they are many,
 * a native timer ends the tick instead, and only every 256th call reads the clock. That timer fires in the tick after
 * s, at number s, so an item may expire `timeout` after tick s + 2: never early, and less than three ticks late. If the
 * timer fires later than that, `#late` tells where the touches before it belong.
 *
 * One native timer serves all items. It sleeps until the first slot that holds something. It can get lost: made by fake
 * timers that have gone, or cleared by a stranger. A call that reads the clock finds that it is overdue, and makes
 * another.
 *
 * Slots open in the check phase of the event loop, after the poll phase that follows the timer. So data that waits in a
 * socket while the loop is blocked is read, and counts as a touch, before anything expires.
 *
 * Source: scheme 6 of Varghese and Lauck, SOSP 1987, with lazy moves.
 */
import { AsyncResource } from 'node:async_hooks'
import { FakeTimers } from './fake-timers.js'
import { functionsOf, LONGEST_DELAY_MS, nativeTimers } from './native-timers.js'
import { ABOVE_ZERO, checkedMs, checkOptions, checkType } from './options.js'
import { NONE, Table, TICKS, TOUCHED } from './table.js'
import { SLOTS, Wheel } from './wheel.js'

/** @typedef {number & { readonly opaque: unique symbol }} IdleHandle */

const TICKS_PER_RESOLUTION = 3
/** A native timer cannot wait for less than a millisecond. */
export const SHORTEST_RESOLUTION_MS = TICKS_PER_RESOLUTION
/** A tick is over when the next one comes, which is before the one after that would. */
const TICKS_UNTIL_CERTAIN = 2
/** Differences of more ticks would not be an int32. */
const MOST_TICKS = 2 ** 30
/** A clock that leaps further is taken to have been set: deadlines stay within the range of int32. */
const LONGEST_LEAP_TICKS = 2 ** 29

/** From this many calls in a tick on, a native timer is cheaper than the clock. */
const MANY_CALLS = 128
/** Calls between two looks at the clock then. */
const CALLS_PER_LOOK = 256

/** @template T */
export class IdleTimeouts {
  /** Pending items. */
  size = 0

  /** The same: a program may write to the other one. */
  #pending = 0
  #closed = false
  #defaultTimeout
  #onIdle
  #ref
  #now
  #msPerTick
  #ownClock
  /** Callbacks run in the async context of the constructor, not in that of the call that started the timer. */
  #context = new AsyncResource('IdleTimeouts')

  /** Latest reading of the clock. */
  #ms = 0
  /** Added to the clock, which may be set while it runs. */
  #offset = 0
  /** The present tick. */
  #ticks = 0
  /** The same as int32. */
  #tick = 0
  /** Calls until the clock is read. */
  #credit = 0
  /** Calls of this tick that have read the clock. */
  #looks = 0
  /** Whether the native timer ends the tick. */
  #isBusy = false
  /**
   * Ticks that ended late, each with the tick that its touches count for.
   *
   * @type {Map<number, number>}
   */
  #late = new Map()

  /** @type {Table<T>} */
  #table = new Table()
  #wheel = new Wheel(this.#table)
  /** Slots up to this tick may open: a poll phase has followed it. */
  #due = 0

  /** @type {any} */
  #timer
  /** @type {any} */
  #immediate
  /** The functions that made them. */
  #functions
  /** Timers that were made: the latest is the one that counts. */
  #arms = 0
  /** When the timer fires, in milliseconds. */
  #wakeAt = Infinity
  /** Milliseconds after that from which on the timer is taken to be lost. */
  #patience
  /**
   * The test's timers, instead of the wheel, while there are any.
   *
   * @type {FakeTimers<number> | undefined}
   */
  #fakes

  /**
   * @param {object} options
   * @param {number} options.timeout  Milliseconds, for items that are added without their own.
   * @param {(item: T) => void} options.onIdle  Called for an item that was not touched for its timeout, and is no
   *   longer pending.
   * @param {number} [options.resolution]  Milliseconds by which an expiry may be late, at least 3. Default: a twentieth
   *   of the timeout, at most a second.
   * @param {boolean} [options.ref]  Keep the process alive while items are pending. Default: false, as for sockets.
   * @param {() => number} [options.now]  Monotonic clock in milliseconds, for tests. With it, timers come from the
   *   functions that are on the global object whenever one is made.
   */
  constructor (options) {
    checkOptions('IdleTimeouts', options, ['timeout', 'onIdle', 'resolution', 'ref', 'now'])
    const { timeout, onIdle, resolution = defaultResolution(timeout), ref = false, now } = options
    checkType('onIdle', onIdle, 'function')
    checkType('ref', ref, 'boolean')
    if (now !== undefined) checkClock(now)
    this.#msPerTick =
      checkedMs('resolution', resolution, SHORTEST_RESOLUTION_MS, LONGEST_DELAY_MS) / TICKS_PER_RESOLUTION
    this.#defaultTimeout = this.#checked(timeout)
    this.#onIdle = onIdle
    this.#ref = ref
    this.#ownClock = now
    this.#functions = this.#timerFunctions()
    this.#now = now ?? nativeTimers().now
    this.#patience = this.#msPerTick
    if (now === undefined) this.#fakes = FakeTimers.present(this.#expireFake)
  }

  /**
   * Starts a timeout.
   *
   * @param {T} item
   * @param {number} [timeout]  Milliseconds; by default, the timeout of the constructor.
   * @returns {IdleHandle}
   */
  add (item, timeout) {
    const ms = timeout === undefined ? this.#defaultTimeout : this.#checked(timeout)
    if (this.#closed) throw new Error('these idle timeouts are closed')
    if (--this.#credit < 0) this.#look()
    const place = this.#table.add(item, Math.ceil(ms / this.#msPerTick), this.#tick)
    this.size = ++this.#pending
    if (this.#pending === 1) {
      this.#wheel.restart((this.#tick + 1) | 0)
      this.#late.clear()
    }
    if (this.#fakes === undefined) this.#schedule(place)
    else this.#fakes.start(place, ms)
    return /** @type {IdleHandle} */ (this.#table.handleOf(place))
  }

  /**
   * Restarts the timeout.
   *
   * @param {IdleHandle} handle
   * @returns {boolean} false: it has expired or was deleted, or is no handle of these idle timeouts
   */
  touch (handle) {
    if (--this.#credit < 0) this.#look(handle)
    return this.#table.touch(handle, this.#tick)
  }

  /**
   * Stops the timeout.
   *
   * @param {IdleHandle} handle
   * @returns {boolean} whether it was pending in these idle timeouts
   */
  delete (handle) {
    const place = this.#table.find(handle)
    if (place === NONE) return false
    if (--this.#credit < 0) this.#look()
    if (this.#fakes === undefined) this.#wheel.remove(place)
    else this.#fakes.stop(place)
    this.#end(place)
    return true
  }

  /**
   * Stops all timeouts, for good.
   *
   * @returns {T[]} the items that were pending
   */
  close () {
    const places = this.#fakes === undefined ? this.#wheel.drain() : this.#fakes.stopAll().map(({ item }) => item)
    this.#disarm()
    this.#functions.clearImmediate(this.#immediate)
    this.#closed = true
    const pending = places.map(place => this.#end(place))
    this.#table.clear()
    return pending
  }

  /** @param {number} timeout */
  #checked (timeout) {
    return checkedMs('timeout', timeout, ABOVE_ZERO, Math.floor(this.#msPerTick * MOST_TICKS))
  }

  /**
   * Ends an item that is in no slot.
   *
   * @param {number} place
   * @returns {T}
   */
  #end (place) {
    const value = this.#table.remove(place)
    this.size = --this.#pending
    if (this.#pending === 0 && this.#ref) this.#disarm()
    return value
  }

  /** @param {number} place */
  #schedule (place) {
    const isFirst = this.#wheel.insert(place, this.#deadlineOf(place))
    if (isFirst && this.#msOf(this.#wheel.first) < this.#wakeAt) this.#arm()
  }

  /**
   * @param {number} place
   * @returns {number} a tick
   */
  #deadlineOf (place) {
    return (this.#table.get(place, TOUCHED) + TICKS_UNTIL_CERTAIN + this.#table.get(place, TICKS)) | 0
  }

  /**
   * Reads the clock.
   *
   * @param {IdleHandle} [touched]
   */
  #look (touched) {
    this.#credit = 0
    const fakes = this.#fakes
    if (fakes !== undefined && !fakes.areGone) {
      const place = touched === undefined ? NONE : this.#table.find(touched)
      if (place !== NONE) fakes.start(place)
      return
    }
    const ms = this.#read()
    if (this.#turn()) this.#looks = 0
    else if (++this.#looks >= MANY_CALLS) this.#beBusy()
    if (fakes !== undefined) this.#leave(fakes)
    else if (ms > this.#wakeAt + this.#patience) this.#wakeAgain()
  }

  /** @returns {number} milliseconds of a clock that never goes back */
  #read () {
    const ms = this.#now() + this.#offset
    const continued = Math.min(Math.max(ms, this.#ms), this.#ms + this.#msPerTick * LONGEST_LEAP_TICKS)
    this.#offset += continued - ms
    this.#ms = continued
    return continued
  }

  /**
   * Goes to the tick of the latest reading.
   *
   * @returns {boolean} whether it is another one
   */
  #turn () {
    const ticks = Math.floor(this.#ms / this.#msPerTick)
    if (ticks === this.#ticks) return false
    if (this.#isBusy && ticks > this.#ticks + 1) this.#remember((ticks - 1) | 0)
    this.#ticks = ticks
    this.#tick = ticks | 0
    this.#isBusy = false
    return true
  }

  #beBusy () {
    this.#credit = CALLS_PER_LOOK
    if (this.#isBusy) return
    this.#isBusy = true
    if (this.#msOf((this.#tick + 1) | 0) < this.#wakeAt) this.#arm()
  }

  /**
   * Touches since the clock was read may have happened until now.
   *
   * @param {number} countFor  The tick that these touches count for.
   */
  #remember (countFor) {
    this.#late.set(this.#tick, countFor)
  }

  /** Every item has been in a slot that opened since, two turns of the wheel after a late tick. */
  #forget () {
    for (const [tick, countsFor] of this.#late) {
      if (((this.#due - countsFor) | 0) < 2 * SLOTS) break
      this.#late.delete(tick)
    }
  }

  /**
   * @param {number} tick
   * @returns {number} when it begins, in milliseconds
   */
  #msOf (tick) {
    return (this.#ticks + ((tick - this.#tick) | 0)) * this.#msPerTick
  }

  #timerFunctions () {
    return this.#ownClock === undefined ? nativeTimers() : functionsOf(globalThis)
  }

  /** Sleeps until the first slot that holds something, or until the tick must end. */
  #arm () {
    this.#disarm()
    if (this.#pending === 0) return
    const first = this.#msOf(this.#wheel.first)
    const wakeAt = this.#isBusy ? Math.min(first, this.#msOf((this.#tick + 1) | 0)) : first
    const delay = Math.min(Math.max(Math.ceil(wakeAt - this.#read()), 1), LONGEST_DELAY_MS)
    this.#wakeAt = this.#ms + delay
    this.#functions = this.#timerFunctions()
    this.#timer = this.#context.runInAsyncScope(
      this.#functions.setTimeout,
      undefined,
      this.#onTimer,
      delay,
      ++this.#arms
    )
    // Browsers, and what imitates them, return a number.
    if (!this.#ref) this.#timer.unref?.()
  }

  #disarm () {
    if (this.#timer !== undefined) this.#functions.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#wakeAt = Infinity
  }

  /** The timer seems to be lost. If it is merely late, replacing it over and over would make it later still. */
  #wakeAgain () {
    this.#patience *= 2
    // A timer of fake timers that have gone must not be cleared: node:test would clear one of its present timers.
    this.#timer = undefined
    this.#arm()
  }

  #onTimer = (/** @type {number} */ arm) => {
    if (arm !== this.#arms) return
    this.#timer = undefined
    this.#patience = this.#msPerTick
    // Until the slots have opened: if the immediate gets lost, that is found as if the timer were.
    this.#wakeAt = this.#read()
    this.#turn()
    this.#credit = this.#looks = 0
    this.#due = this.#tick
    this.#wheel.skipTurns(this.#due)
    if (this.#pending === 0 || !this.#wheel.isDue(this.#due)) return this.#arm()
    this.#functions.clearImmediate(this.#immediate)
    this.#immediate = this.#functions.setImmediate(this.#expire)
  }

  /** Expires items, or moves them to the slots of their present deadlines. */
  #expire = () => {
    this.#immediate = undefined
    const wheel = this.#wheel
    try {
      for (let place = wheel.take(this.#due); place !== NONE; place = wheel.take(this.#due)) {
        if (this.#late.size > 0) this.#countFor(place)
        const deadline = this.#deadlineOf(place)
        // Also a deadline that has passed: its slot opens in its turn.
        if (((deadline - wheel.opening) | 0) > 0) wheel.insert(place, deadline)
        else this.#onIdle(this.#end(place))
      }
    } finally {
      // A callback threw: the items after it expire in the next turn of the loop.
      if (this.#pending > 0 && wheel.isDue(this.#due)) {
        this.#immediate = this.#functions.setImmediate(this.#expire)
      } else {
        this.#forget()
        this.#arm()
      }
    }
  }

  /** @param {number} place  Its touch may count for a later tick. */
  #countFor (place) {
    const countsFor = this.#late.get(this.#table.get(place, TOUCHED))
    if (countsFor !== undefined) this.#table.set(place, TOUCHED, countsFor)
  }

  #expireFake = (/** @type {number} */ place) => {
    this.#context.runInAsyncScope(this.#onIdle, undefined, this.#end(place))
  }

  /**
   * The fake timers have gone, or others took their place: the timeouts begin again.
   *
   * @param {FakeTimers<number>} fakes
   */
  #leave (fakes) {
    const next = (this.#fakes = FakeTimers.present(this.#expireFake))
    this.#wheel.restart((this.#tick + 1) | 0)
    for (const { item: place, timeout } of fakes.stopAll()) {
      this.#table.set(place, TOUCHED, this.#tick)
      if (next === undefined) this.#schedule(place)
      else next.start(place, timeout)
    }
  }
}

/** @param {unknown} now */
function checkClock (now) {
  checkType('now', now, 'function')
  const ms = /** @type {() => unknown} */ (now)()
  if (!Number.isFinite(ms)) throw new TypeError(`now must return milliseconds, got ${String(ms)}`)
}

/** @param {number} timeout */
function defaultResolution (timeout) {
  return timeout > 0 ? Math.max(SHORTEST_RESOLUTION_MS, Math.min(timeout / 20, 1000)) : SHORTEST_RESOLUTION_MS
}
