/**
 * A cascading wheel whose nextExpiry looks at the slots of a level one by one: never at more than 64, but at more of
 * them at some numbers of timers than at others. A bound that a check must not take for growth.
 */

export const meta = {
  name: 'scanning-wheel',
  title: 'Cascading wheel, slots searched one by one',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(s)', advance: 'O(k) amortised' },
  order: 'none',
  accuracy: 'exact',
  source: 'a fixture'
}

const BITS = 6
const SLOTS = 1 << BITS
const LEVELS = 9
/** Slot of timers that are due. */
const DUE = LEVELS * SLOTS
const IDLE = -1

/** @type {(level: number) => number} */
const widthOf = level => 2 ** (BITS * level)
/** @type {(time: number, level: number) => number} */
const slotOf = (time, level) => level * SLOTS + (Math.floor(time / widthOf(level)) % SLOTS)

class Link {
  next = this
  previous = this
  slot = IDLE
  deadline = 0

  constructor (payload) {
    this.payload = payload
  }
}

export class ScanningWheel {
  size = 0
  #time = 0
  #slots = Array.from({ length: DUE + 1 }, () => new Link(undefined))
  #counts = new Array(LEVELS + 1).fill(0)

  createTimer (payload) {
    return new Link(payload)
  }

  releaseTimer () {}

  insert (timer, deadline) {
    timer.deadline = deadline
    this.#place(timer)
    this.size++
  }

  cancel (timer) {
    if (timer.slot === IDLE) return false
    this.#unlink(timer)
    this.size--
    return true
  }

  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  nextExpiry () {
    if (this.#counts[LEVELS] > 0) return this.#time
    for (let level = 0; level < LEVELS; level++) {
      if (this.#counts[level] === 0) continue
      const revolution = Math.floor(this.#time / widthOf(level + 1)) * widthOf(level + 1)
      for (let slot = slotOf(this.#time, level); slot < (level + 1) * SLOTS; slot++) {
        const list = this.#slots[slot]
        if (list.next !== list) return Math.max(this.#time, revolution + (slot % SLOTS) * widthOf(level))
      }
    }
    return Infinity
  }

  advance (now, expire) {
    for (;;) {
      this.#fire(expire)
      const next = this.nextExpiry()
      if (next > now) break
      this.#time = next
      for (let level = LEVELS - 1; level >= 0; level--) this.#cascade(slotOf(next, level))
    }
    this.#time = Math.max(this.#time, now)
  }

  deadlineOf (timer) {
    return timer.deadline
  }

  payloadOf (timer) {
    return timer.payload
  }

  isPending (timer) {
    return timer.slot !== IDLE
  }

  #fire (expire) {
    const list = this.#slots[DUE]
    while (list.next !== list) {
      const timer = list.next
      this.cancel(timer)
      expire(timer)
    }
  }

  #cascade (slot) {
    const list = this.#slots[slot]
    while (list.next !== list) {
      const timer = list.next
      this.#unlink(timer)
      this.#place(timer)
    }
  }

  #place (timer) {
    const { deadline } = timer
    let level = 0
    while (
      level < LEVELS - 1 &&
      Math.floor(deadline / widthOf(level + 1)) !== Math.floor(this.#time / widthOf(level + 1))
    ) {
      level++
    }
    const slot = deadline <= this.#time ? DUE : slotOf(deadline, level)
    const list = this.#slots[slot]
    timer.slot = slot
    timer.next = list
    timer.previous = list.previous
    list.previous.next = timer
    list.previous = timer
    this.#counts[slot >> BITS]++
  }

  #unlink (timer) {
    this.#counts[timer.slot >> BITS]--
    timer.previous.next = timer.next
    timer.next.previous = timer.previous
    timer.next = timer.previous = timer
    timer.slot = IDLE
  }
}
