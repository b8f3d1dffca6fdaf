/**
 * Hash table of entries with a `duration`, no two of the same.
 *
 *   find     O(1) expected
 *   add      O(1) expected and amortised; the table doubles when two thirds are full, and never shrinks
 *   remove   O(1) expected
 *
 * Why not a Map: as entries come and go, V8 makes new tables again and again, and each old table points to the next.
 * Once a table has become old, every later table survives each collection of the young generation, with all that its
 * entries held. On start-cancel, lists in a Map took at least 1.5 times as long for this reason.
 *
 * Open addressing with linear probing: entries behind a removed entry move up, so its place needs no mark.
 * Source: D. E. Knuth, The Art of Computer Programming 3, 6.4, Algorithms L and R.
 *
 * @typedef {{duration: number}} HasDuration
 */

const FEWEST_BITS = 4
/** Multipliers of MurmurHash3's finalizer (A. Appleby, 2011). */
const [FIRST, SECOND] = [0x85ebca6b | 0, 0xc2b2ae35 | 0]

/** @template {HasDuration} E */
export class DurationTable {
  #size = 0
  /** The highest bits of a hash are the slot. */
  #shift = 32 - FEWEST_BITS
  /** @type {(E | null)[]} */
  #slots = new Array(1 << FEWEST_BITS).fill(null)

  /** @type {(duration: number) => E | null} */
  find (duration) {
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = hash(duration) >>> this.#shift; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]
      if (entry === null || entry.duration === duration) return entry
    }
  }

  /** @param {E} entry  An entry whose duration is not in the table. */
  add (entry) {
    if (3 * ++this.#size > 2 * this.#slots.length) this.#grow()
    this.#place(entry)
  }

  /** @param {E} entry  An entry of the table. */
  remove (entry) {
    this.#size--
    const slots = this.#slots
    const mask = slots.length - 1
    const shift = this.#shift
    let hole = hash(entry.duration) >>> shift
    while (slots[hole] !== entry) hole = (hole + 1) & mask
    for (let slot = (hole + 1) & mask; ; slot = (slot + 1) & mask) {
      const next = slots[slot]
      if (next === null) break
      // An entry stays if the search for it begins behind the hole.
      const home = hash(next.duration) >>> shift
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue
      slots[hole] = next
      hole = slot
    }
    slots[hole] = null
  }

  #grow () {
    const entries = this.#slots
    this.#shift--
    this.#slots = new Array(2 * entries.length).fill(null)
    for (const entry of entries) {
      if (entry !== null) this.#place(entry)
    }
  }

  /** @param {E} entry */
  #place (entry) {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hash(entry.duration) >>> this.#shift
    while (slots[slot] !== null) slot = (slot + 1) & mask
    slots[slot] = entry
  }
}

/**
 * Mixes twice: with one multiplication, durations at certain distances would share a few slots.
 *
 * @param {number} duration
 */
function hash (duration) {
  const whole = duration | 0
  let bits = whole === duration ? whole : whole ^ ((duration - whole) * 2 ** 32)
  bits = Math.imul(bits ^ (bits >>> 16), FIRST)
  bits = Math.imul(bits ^ (bits >>> 13), SECOND)
  return bits ^ (bits >>> 16)
}
