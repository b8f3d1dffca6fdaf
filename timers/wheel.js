/**
 * A timer wheel: a slot for each of the next 4096 ticks, with a list of items in the order in which they came.
 *
 *   insert, remove   O(1)
 *   take             O(1), and a look at each empty slot that is passed
 *
 * An item never waits in a slot later than its deadline; one with a deadline beyond the wheel waits in the farthest
 * slot. Ticks are int32: differences are right although they wrap around.
 */

import { NEXT, NONE, PREVIOUS } from './table.js'

export const SLOTS = 4096
const MASK = SLOTS - 1

export class Wheel {
  /** Slots of earlier ticks are empty, and nothing goes there. */
  opening = 0
  /** The earliest tick whose slot may hold something. */
  first = 0
  #table
  /**
   * The first and the last place of each list; ~slot, below 0, if there is none. The previous place of the first, and
   * the next of the last, are ~slot too.
   */
  #heads = Int32Array.from({ length: SLOTS }, (_, slot) => ~slot)
  #tails = this.#heads.slice()

  /** @param {import('./table.js').Table<any>} table  It holds the items. */
  constructor (table) {
    this.#table = table
  }

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
   * @param {number} place
   * @param {number} deadline  Not before `opening`.
   * @returns {boolean} whether its slot is earlier than all that held something
   */
  insert (place, deadline) {
    const tick = (this.opening + Math.min((deadline - this.opening) | 0, SLOTS - 1)) | 0
    const slot = tick & MASK
    const table = this.#table
    const tail = this.#tails[slot]
    table.set(place, PREVIOUS, tail)
    table.set(place, NEXT, ~slot)
    if (tail < 0) this.#heads[slot] = place
    else table.set(tail, NEXT, place)
    this.#tails[slot] = place
    if (((tick - this.first) | 0) >= 0) return false
    this.first = tick
    return true
  }

  /** @param {number} place */
  remove (place) {
    const next = this.#table.get(place, NEXT)
    const previous = this.#table.get(place, PREVIOUS)
    if (previous < 0) this.#heads[~previous] = next
    else this.#table.set(previous, NEXT, next)
    if (next < 0) this.#tails[~next] = previous
    else this.#table.set(next, PREVIOUS, previous)
  }

  /**
   * @param {number} due  A tick.
   * @returns {boolean} whether a slot up to this tick holds something
   */
  isDue (due) {
    const end = (this.opening + SLOTS) | 0
    while (this.first !== end && this.#heads[this.first & MASK] < 0) this.first = (this.first + 1) | 0
    return ((due - this.first) | 0) >= 0 && this.first !== end
  }

  /**
   * Takes the next item out of the slots up to a tick.
   *
   * @param {number} due
   * @returns {number} its place, or NONE
   */
  take (due) {
    if (!this.isDue(due)) {
      if (((due - this.opening) | 0) >= 0) this.opening = (due + 1) | 0
      return NONE
    }
    this.opening = this.first
    const place = this.#heads[this.first & MASK]
    this.remove(place)
    return place
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
    const places = []
    for (let place = this.take(last); place !== NONE; place = this.take(last)) places.push(place)
    return places
  }
}
