/**
 * A timer wheel: a slot for each of the next 4096 ticks, with a circular list of items in the order in which they came.
 *
 *   insert, remove   O(1)
 *   take             O(1), and a look at each empty slot that is passed
 *
 * An item never waits in a slot later than its deadline; one with a deadline beyond the wheel waits in the farthest
 * slot. Ticks are int32: differences are right although they wrap around.
 */

export const SLOTS = 4096
const MASK = SLOTS - 1
/** Node's, and the name of other runtimes for the same. */
const inspect = Symbol.for('nodejs.util.inspect.custom')

/**
 * An item, in the circular lists of a wheel. Its fields are not private, which would double the cost of adding it. Users
 * hold items as handles: in what they print, a handle must not lead to all other items.
 *
 * @template T
 */
export class Item {
  /**
   * @param {object} owner
   * @param {T} value
   * @param {number} ticks  Its timeout.
   * @param {number} touched  Tick of its latest touch.
   */
  constructor (owner, value, ticks, touched) {
    /** @type {object | undefined} Its idle timeouts, while it is pending there. */
    this.owner = owner
    /** @type {T | undefined} */
    this.value = value
    this.ticks = ticks
    this.touched = touched
    this.slot = 0
    /** @type {Item<T>} */
    this.next = this
    /** @type {Item<T>} */
    this.previous = this
  }

  toJSON () {
    return this[inspect]()
  }

  [inspect] () {
    return this.owner === undefined ? 'IdleHandle (not pending)' : 'IdleHandle (pending)'
  }
}

/** @template T */
export class Wheel {
  /** Slots of earlier ticks are empty, and nothing goes there. */
  opening = 0
  /** The earliest tick whose slot may hold something. */
  first = 0
  /** @type {(Item<T> | undefined)[]} */
  #slots = new Array(SLOTS).fill(undefined)

  /**
   * Begins to turn: the wheel is empty.
   *
   * @param {number} tick  The next slot to open.
   */
  restart (tick) {
    this.opening = tick
    this.first = (tick + SLOTS) | 0
  }

  /**
   * @param {Item<T>} item
   * @param {number} deadline  Not before `opening`.
   * @returns {boolean} whether its slot is earlier than all that held something
   */
  insert (item, deadline) {
    const tick = (this.opening + Math.min((deadline - this.opening) | 0, SLOTS - 1)) | 0
    const slot = (item.slot = tick & MASK)
    const head = this.#slots[slot]
    if (head === undefined) {
      this.#slots[slot] = item
    } else {
      const tail = head.previous
      item.previous = tail
      item.next = head
      tail.next = head.previous = item
    }
    if (((tick - this.first) | 0) >= 0) return false
    this.first = tick
    return true
  }

  /** @param {Item<T>} item */
  remove (item) {
    const { next, previous, slot } = item
    previous.next = next
    next.previous = previous
    if (this.#slots[slot] === item) this.#slots[slot] = next === item ? undefined : next
    // A handle that is kept keeps no other item in memory.
    item.next = item.previous = item
  }

  /**
   * @param {number} due  A tick.
   * @returns {boolean} whether a slot up to this tick holds something
   */
  isDue (due) {
    const end = (this.opening + SLOTS) | 0
    while (this.first !== end && this.#slots[this.first & MASK] === undefined) this.first = (this.first + 1) | 0
    return ((due - this.first) | 0) >= 0 && this.first !== end
  }

  /**
   * Takes the next item out of the slots up to a tick.
   *
   * @param {number} due
   */
  take (due) {
    if (!this.isDue(due)) {
      if (((due - this.opening) | 0) >= 0) this.opening = (due + 1) | 0
      return undefined
    }
    this.opening = this.first
    const item = /** @type {Item<T>} */ (this.#slots[this.first & MASK])
    this.remove(item)
    return item
  }

  /**
   * The clock has leapt: two turns of the wheel are enough to open every slot, in order.
   *
   * @param {number} due
   */
  skipTurns (due) {
    const turns = Math.floor(((due - this.opening) | 0) / SLOTS) - 1
    if (turns < 1) return
    this.opening = (this.opening + turns * SLOTS) | 0
    this.first = (this.first + turns * SLOTS) | 0
  }

  /** Takes all items out, in order. */
  drain () {
    const last = (this.opening + SLOTS - 1) | 0
    /** @type {Item<T>[]} */
    const items = []
    for (let item = this.take(last); item !== undefined; item = this.take(last)) items.push(item)
    return items
  }
}
