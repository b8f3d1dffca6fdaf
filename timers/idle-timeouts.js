/**
 * Idle timeouts: many items with few different timeouts, each restarted far more often than it expires.
 *
 *   add       O(1)   amortised
 *   touch     O(1)   a comparison and a store: no clock, no allocation, no async context
 *   delete    O(1)
 *   expiry    each item is looked at once in its timeout, however often it was touched
 *
 * Time is counted in ticks, three to a resolution. `touch` stores the number of the latest tick, s. The next tick comes
 * before tick s + 2 would, so an item may expire `timeout` after tick s + 2: never early, and less than three ticks
 * late. If a tick comes later than that, `#late` tells where the touches before it belong.
 *
 * The wheel has a slot for each of the next 4096 ticks, with a doubly linked list of items. A touch moves nothing: when
 * its slot opens, an item that was touched goes to the slot of its present deadline. An item never waits in a slot
 * later than its deadline, and one with a deadline beyond the wheel waits in the farthest slot.
 *
 * Slots open in the check phase of the event loop, after the poll phase that follows the tick. So data that waits in a
 * socket while the loop is blocked is read, and counts as a touch, before anything expires.
 *
 * The fields of an item are in one typed array:
 *
 *   generation | touched | ticks of its timeout | next | previous     20 bytes, and 8 for the reference to the item
 *
 * A handle is generation * capacity + place, a number that is never used again: a stale handle finds another generation
 * in its place. Places are reused in turn, so handles stay small integers for the first 2^31 items.
 *
 * Source: scheme 6 of Varghese and Lauck, SOSP 1987, with lazy moves.
 */
import { AsyncResource } from 'node:async_hooks'

/** @typedef {number & { readonly opaque: unique symbol }} IdleHandle */

const TICKS_PER_RESOLUTION = 3
/** A native timer cannot wait for less than a millisecond. */
const SHORTEST_RESOLUTION = TICKS_PER_RESOLUTION
/** A tick is over when the next one comes, which is before the one after that would. */
const TICKS_UNTIL_CERTAIN = 2
const SLOTS = 4096
const NONE = -1
/** Differences of more ticks would not be an int32. */
const MOST_TICKS = 2 ** 30

const FIRST_CAPACITY = 64
/** A place is not used again after this many items; handles are then still exact. */
const LAST_GENERATION = 2 ** 28 - 1

const FIELDS = 5
const TOUCHED = 1
const TICKS = 2
const NEXT = 3
/** The previous place of the list, or ~slot for the first. */
const PREVIOUS = 4
/** Stands for the previous place of a place that is free. */
const FREE = -(2 ** 31)

/** The longest delay of a native timer. */
const LONGEST_DELAY_MS = 2 ** 31 - 1
const wallMs = performance.now.bind(performance)

/** @template T */
export class IdleTimeouts {
  /** Pending items. */
  size = 0

  #defaultTicks
  #onIdle
  #ref
  #now
  #msPerTick
  /** Callbacks run in the async context of the constructor, not in that of the call that started the clock. */
  #context = new AsyncResource('IdleTimeouts')
  #closed = false

  /** Ticks of the clock. */
  #ticks = 0
  /** The same as int32. Differences of ticks are right although they wrap around. */
  #tick = 0
  /** The next tick whose slot opens. */
  #opening = 0
  /**
   * Ticks that were followed late, each with the tick that its touches count for.
   *
   * @type {Map<number, number>}
   */
  #late = new Map()
  #timer = /** @type {NodeJS.Timeout | undefined} */ (undefined)
  #immediate = /** @type {NodeJS.Immediate | undefined} */ (undefined)

  #capacity = FIRST_CAPACITY
  #fields = new Int32Array(FIRST_CAPACITY * FIELDS)
  /** @type {(T | undefined)[]} */
  #items = new Array(FIRST_CAPACITY).fill(undefined)
  #firstFree = NONE
  #lastFree = NONE
  #slots = new Int32Array(SLOTS).fill(NONE)

  /**
   * @param {object} options
   * @param {number} options.timeout  Milliseconds, for items that are added without their own.
   * @param {(item: T) => void} options.onIdle  Called for an item that was not touched for its timeout, and is no
   *   longer pending.
   * @param {number} [options.resolution]  Milliseconds by which an expiry may be late, at least 3. Default: a twentieth
   *   of the timeout, at most a second.
   * @param {boolean} [options.ref]  Keep the process alive while items are pending. Default: false, as for sockets.
   * @param {() => number} [options.now]  Monotonic clock in milliseconds, for tests.
   */
  constructor ({ timeout, onIdle, resolution = defaultResolution(timeout), ref = false, now = wallMs }) {
    if (typeof onIdle !== 'function') throw new TypeError(`onIdle must be a function, got ${typeof onIdle}`)
    this.#msPerTick = checked('resolution', resolution, SHORTEST_RESOLUTION, LONGEST_DELAY_MS) / TICKS_PER_RESOLUTION
    this.#defaultTicks = this.#ticksOf(timeout)
    this.#onIdle = onIdle
    this.#ref = ref
    this.#now = now
    for (let place = 0; place < FIRST_CAPACITY; place++) this.#free(place)
  }

  /**
   * Starts a timeout.
   *
   * @param {T} item
   * @param {number} [timeout]  Milliseconds; by default, the timeout of the constructor.
   * @returns {IdleHandle}
   */
  add (item, timeout) {
    const ticks = timeout === undefined ? this.#defaultTicks : this.#ticksOf(timeout)
    if (this.#closed) throw new Error('these idle timeouts are closed')
    if (this.#firstFree === NONE) this.#grow()
    if (this.size++ === 0) this.#start()
    const place = this.#firstFree
    const fields = this.#fields
    const at = place * FIELDS
    this.#firstFree = fields[at + NEXT]
    if (this.#firstFree === NONE) this.#lastFree = NONE
    this.#items[place] = item
    fields[at + TOUCHED] = this.#tick
    fields[at + TICKS] = ticks
    this.#link(place, this.#tick + TICKS_UNTIL_CERTAIN + ticks)
    return /** @type {IdleHandle} */ (fields[at] * this.#capacity + place)
  }

  /**
   * Restarts the timeout.
   *
   * @param {IdleHandle} handle
   * @returns {boolean} false: it has expired or was deleted
   */
  touch (handle) {
    const fields = this.#fields
    const place = handle & (this.#capacity - 1)
    const at = place * FIELDS
    if (fields[at] * this.#capacity + place !== handle) return false
    fields[at + TOUCHED] = this.#tick
    return true
  }

  /**
   * Stops the timeout.
   *
   * @param {IdleHandle} handle
   * @returns {boolean} whether it was pending
   */
  delete (handle) {
    const place = handle & (this.#capacity - 1)
    if (this.#fields[place * FIELDS] * this.#capacity + place !== handle) return false
    this.#unlink(place)
    this.#remove(place)
    return true
  }

  /**
   * Stops all timeouts, for good.
   *
   * @returns {T[]} the items that were pending
   */
  close () {
    const pending = /** @type {T[]} */ (
      this.#items.filter((_, place) => this.#fields[place * FIELDS + PREVIOUS] !== FREE)
    )
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#closed = true
    this.#timer = this.#immediate = undefined
    this.#slots.fill(NONE)
    // No handle finds its place any more.
    this.#fields = new Int32Array(0)
    this.#items = []
    this.size = 0
    return pending
  }

  /** @param {number} timeout */
  #ticksOf (timeout) {
    return Math.ceil(checked('timeout', timeout, Number.MIN_VALUE, this.#msPerTick * MOST_TICKS) / this.#msPerTick)
  }

  /** @type {(place: number, deadline: number) => void} */
  #link (place, deadline) {
    const slot = (this.#opening + Math.min((deadline - this.#opening) | 0, SLOTS - 1)) & (SLOTS - 1)
    const fields = this.#fields
    const next = this.#slots[slot]
    if (next !== NONE) fields[next * FIELDS + PREVIOUS] = place
    fields[place * FIELDS + NEXT] = next
    fields[place * FIELDS + PREVIOUS] = ~slot
    this.#slots[slot] = place
  }

  /** @param {number} place */
  #unlink (place) {
    const fields = this.#fields
    const next = fields[place * FIELDS + NEXT]
    const previous = fields[place * FIELDS + PREVIOUS]
    if (previous < 0) this.#slots[~previous] = next
    else fields[previous * FIELDS + NEXT] = next
    if (next !== NONE) fields[next * FIELDS + PREVIOUS] = previous
  }

  /**
   * Ends an item that is in no slot.
   *
   * @param {number} place
   */
  #remove (place) {
    this.#items[place] = undefined
    this.size--
    this.#free(place)
  }

  /** @param {number} place */
  #free (place) {
    const fields = this.#fields
    fields[place * FIELDS + PREVIOUS] = FREE
    if (++fields[place * FIELDS] > LAST_GENERATION) return
    fields[place * FIELDS + NEXT] = NONE
    if (this.#lastFree === NONE) this.#firstFree = place
    else fields[this.#lastFree * FIELDS + NEXT] = place
    this.#lastFree = place
  }

  /**
   * Twice the places, when all are taken. A handle stays the same number, so its item moves to its remainder by the new
   * capacity.
   */
  #grow () {
    const { fields, items } = { fields: this.#fields, items: this.#items }
    const capacity = this.#capacity
    const moved = (/** @type {number} */ place) => (place < 0 ? place : place + (fields[place * FIELDS] & 1) * capacity)
    this.#capacity = 2 * capacity
    this.#fields = new Int32Array(2 * capacity * FIELDS)
    this.#items = new Array(2 * capacity).fill(undefined)
    for (let place = 0; place < capacity; place++) {
      const at = place * FIELDS
      const to = moved(place) * FIELDS
      this.#fields.set(fields.subarray(at, at + FIELDS), to)
      this.#fields[to] >>= 1
      this.#fields[to + NEXT] = moved(fields[at + NEXT])
      this.#fields[to + PREVIOUS] = moved(fields[at + PREVIOUS])
      this.#items[moved(place)] = items[place]
    }
    for (let slot = 0; slot < SLOTS; slot++) this.#slots[slot] = moved(this.#slots[slot])
    for (let place = 0; place < capacity; place++) {
      const other = place + capacity - (moved(place) - place)
      // The first handle of the other remainder that this place has not given out; freeing adds 1.
      this.#fields[other * FIELDS] = ((fields[place * FIELDS] + 1) >> 1) - 1
      this.#free(other)
    }
  }

  /** Starts to count ticks: the first item is pending. */
  #start () {
    if (this.#timer !== undefined) return
    this.#ticks = Math.floor(this.#now() / this.#msPerTick)
    this.#tick = this.#ticks | 0
    this.#opening = (this.#tick + 1) | 0
    this.#late.clear()
    this.#context.runInAsyncScope(this.#arm, this)
  }

  #arm () {
    const delay = Math.ceil((this.#ticks + 1) * this.#msPerTick - this.#now())
    this.#timer = setTimeout(this.#onTimer, Math.min(Math.max(delay, 1), LONGEST_DELAY_MS))
    if (!this.#ref) this.#timer.unref()
  }

  #onTimer = () => {
    this.#timer = undefined
    if (this.size === 0) return
    const ticks = Math.floor(this.#now() / this.#msPerTick)
    if (ticks > this.#ticks + 1) this.#remember((ticks - 1) | 0)
    this.#ticks = Math.max(ticks, this.#ticks)
    this.#tick = this.#ticks | 0
    // After as many ticks as there are slots, all slots are open.
    if (((this.#tick - this.#opening) | 0) >= SLOTS) this.#opening = (this.#tick - SLOTS + 1) | 0
    while (this.#isOpen() && this.#slots[this.#opening & (SLOTS - 1)] === NONE) this.#opening = (this.#opening + 1) | 0
    if (this.#isOpen()) this.#immediate ??= setImmediate(this.#expire)
    this.#arm()
  }

  #isOpen () {
    return ((this.#tick - this.#opening) | 0) >= 0
  }

  /**
   * Touches since the latest tick may have happened until now.
   *
   * @param {number} countFor  The tick that these touches count for.
   */
  #remember (countFor) {
    this.#late.set(this.#tick, countFor)
    // By then, every item has been in a slot that opened since.
    for (const [tick, countsFor] of this.#late) {
      if (((countFor - countsFor) | 0) < 2 * SLOTS) break
      this.#late.delete(tick)
    }
  }

  #expire = () => {
    this.#immediate = undefined
    try {
      for (; this.#isOpen(); this.#opening = (this.#opening + 1) | 0) this.#open(this.#opening & (SLOTS - 1))
    } finally {
      // A callback threw: the items after it expire in the next turn of the loop.
      if (this.#isOpen() && !this.#closed) this.#immediate = setImmediate(this.#expire)
    }
  }

  /**
   * Expires the items of a slot, or moves them to the slots of their present deadlines.
   *
   * @param {number} slot
   */
  #open (slot) {
    for (let place = this.#slots[slot]; place !== NONE; place = this.#slots[slot]) {
      this.#unlink(place)
      const at = place * FIELDS
      const touched = this.#fields[at + TOUCHED]
      const countsFor = this.#late.size === 0 ? touched : (this.#late.get(touched) ?? touched)
      this.#fields[at + TOUCHED] = countsFor
      const deadline = countsFor + TICKS_UNTIL_CERTAIN + this.#fields[at + TICKS]
      if (((deadline - this.#tick) | 0) > 0) {
        this.#link(place, deadline)
      } else {
        const item = /** @type {T} */ (this.#items[place])
        this.#remove(place)
        this.#onIdle(item)
      }
    }
  }
}

/** @type {(name: string, ms: unknown, least: number, most: number) => number} */
function checked (name, ms, least, most) {
  if (typeof ms === 'number' && ms >= least && ms <= most) return ms
  throw new RangeError(
    `${name} must be milliseconds from ${least === Number.MIN_VALUE ? 'above 0' : least} to ${most}, got ${String(ms)}`
  )
}

/** @param {number} timeout */
function defaultResolution (timeout) {
  return timeout > 0 ? Math.max(SHORTEST_RESOLUTION, Math.min(timeout / 20, 1000)) : SHORTEST_RESOLUTION
}
