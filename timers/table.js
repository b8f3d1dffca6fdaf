/**
 * A table of items, whose fields are in a typed array: 28 bytes an item, and nothing for the garbage collector to
 * visit.
 *
 *   generation | touched | ticks of its timeout | next | previous     20 bytes, and 8 for the reference to the value
 *
 * An item stays in its place, so a table that grows copies its bytes and looks at no item.
 *
 * A handle is generation * 2^23 + place. All tables of the process draw generations from one sequence, each for itself,
 * and none uses a place twice in a generation: no two items ever have the same handle, of whatever table.
 */

/** No place. */
export const NONE = -1

/** Fields of an item, besides its generation. */
export const TOUCHED = 1
export const TICKS = 2
export const NEXT = 3
export const PREVIOUS = 4
const FIELDS = 5

const PLACES = 2 ** 23
const PLACE_MASK = PLACES - 1
/** Place 0 of generation 1. */
const FIRST_HANDLE = PLACES
const FIRST_CAPACITY = 64
/** Free places are reused in turn, and not before this many are free: so a generation lasts for as many items. */
const FEWEST_FREE = 512
/** Handles are then still exact. A server that adds 10 000 items a second needs a year at least to get there. */
const LAST_GENERATION = 2 ** 30 - 1

let latestGeneration = 0

/** @template T */
export class Table {
  #fields = new Int32Array(FIRST_CAPACITY * FIELDS)
  /** @type {(T | undefined)[]} */
  #values = []
  #generation = nextGeneration()
  #free = 0
  #firstFree = NONE
  #lastFree = NONE

  /**
   * @param {T} value
   * @param {number} ticks
   * @param {number} touched
   * @returns {number} its place
   */
  add (value, ticks, touched) {
    const place = this.#takePlace(value)
    const fields = this.#fields
    const at = place * FIELDS
    // The generation of a free place is that of its last item, below 0.
    if (fields[at] === -this.#generation) this.#generation = nextGeneration()
    fields[at] = this.#generation
    fields[at + TOUCHED] = touched
    fields[at + TICKS] = ticks
    return place
  }

  /** @param {number} place */
  handleOf (place) {
    return this.#fields[place * FIELDS] * PLACES + place
  }

  /**
   * The generation of a place without an item is 0 or less, so numbers below FIRST_HANDLE would find it.
   *
   * @param {number} handle  Any value.
   * @returns {number} its place, or NONE
   */
  find (handle) {
    if (typeof handle !== 'number' || handle < FIRST_HANDLE) return NONE
    const place = handle & PLACE_MASK
    return this.#fields[place * FIELDS] * PLACES + place === handle ? place : NONE
  }

  /**
   * Does what find() does, without the call, which would make a touch cost a quarter more.
   *
   * @param {number} handle  Any value.
   * @param {number} tick
   * @returns {boolean} whether it has a place
   */
  touch (handle, tick) {
    if (typeof handle !== 'number' || handle < FIRST_HANDLE) return false
    const fields = this.#fields
    const place = handle & PLACE_MASK
    const at = place * FIELDS
    if (fields[at] * PLACES + place !== handle) return false
    fields[at + TOUCHED] = tick
    return true
  }

  /**
   * @param {number} place
   * @param {number} field
   */
  get (place, field) {
    return this.#fields[place * FIELDS + field]
  }

  /**
   * @param {number} place
   * @param {number} field
   * @param {number} value  An int32.
   */
  set (place, field, value) {
    this.#fields[place * FIELDS + field] = value
  }

  /**
   * @param {number} place
   * @returns {T}
   */
  remove (place) {
    const value = /** @type {T} */ (this.#values[place])
    this.#values[place] = undefined
    const at = place * FIELDS
    this.#fields[at] = -this.#fields[at]
    if (this.#free++ === 0) this.#firstFree = place
    else this.#fields[this.#lastFree * FIELDS + NEXT] = place
    this.#lastFree = place
    return value
  }

  /** Forgets all items. */
  clear () {
    this.#fields = new Int32Array(0)
    this.#values = []
  }

  /** @param {T} value */
  #takePlace (value) {
    if (this.#free >= FEWEST_FREE || this.#values.length === PLACES) {
      if (this.#free === 0) throw new RangeError(`idle timeouts hold at most ${PLACES} items`)
      const place = this.#firstFree
      this.#firstFree = this.#fields[place * FIELDS + NEXT]
      this.#free--
      this.#values[place] = value
      return place
    }
    const place = this.#values.length
    if (place * FIELDS === this.#fields.length) {
      const fields = new Int32Array(2 * this.#fields.length)
      fields.set(this.#fields)
      this.#fields = fields
    }
    this.#values.push(value)
    return place
  }
}

function nextGeneration () {
  latestGeneration = (latestGeneration % LAST_GENERATION) + 1
  return latestGeneration
}
