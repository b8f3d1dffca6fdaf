/**
 * The queue contract on a heap that can push, pop and show its first entry, but cannot remove an entry from its middle.
 *
 * Every start pushes an entry. A cancelled timer leaves its entry behind as a tombstone, which is dropped at the top.
 * When tombstones outnumber the pending timers, all tombstones are swept out at once.
 *
 *   insert      O(log n)
 *   cancel      O(log n) amortised   O(1) except for the sweeps
 *   reschedule  O(log n) amortised   a tombstone and a push
 *   nextExpiry  O(log n) amortised   O(1) except for tombstones on top
 *   advance     O(k log n) amortised
 *
 * An adapter could leave timers that move later in their places, as lazy-wheel does. Then the adapter would be measured
 * and not the package.
 */

/**
 * @import { QueueMeta } from '../contract.js'
 *
 * @typedef {object} Heap  A package, and its operations on a heap. Most packages call them `peek`, `push` and `pop`.
 * @property {string} [from]  Module of the package; its name by default.
 * @property {string} [structure]  Structure in the title.
 * @property {(module: any) => any} create
 * @property {(heap: any) => Entry | null | undefined} [first]  The entry on top.
 * @property {(heap: any, entry: Entry) => void} [push]
 * @property {(heap: any) => void} [pop]  Drops the entry on top.
 * @property {(heap: any) => Entry[]} entries  All entries of a heap that is not used again, tombstones included.
 * @property {(heap: any) => void} [shrink]  Frees the places of entries that have left, if they outnumber the others.
 *   Called after every advance.
 */

/** Fewer tombstones or free places than this are not worth a sweep. */
export const FEW = 64

/** An entry of the heap. */
export class Entry {
  deadline = 0
  /** The entry is in the heap, pending or as a tombstone. Its deadline must not change: a start needs another entry. */
  queued = false
  /** Its timer is pending. A queued entry that is not live is a tombstone. */
  live = false

  /** @param {LazyTimer} timer */
  constructor (timer) {
    this.timer = timer
  }
}

class LazyTimer {
  /** The entry of its last start. */
  entry = new Entry(this)

  /** @param {unknown} payload */
  constructor (payload) {
    this.payload = payload
  }
}

/** @type {(a: Entry, b: Entry) => number} */
export const byDeadline = (a, b) => a.deadline - b.deadline

/** @type {(a: Entry, b: Entry) => boolean} */
export const isEarlier = (a, b) => a.deadline < b.deadline

/**
 * Makes the queue on such a heap, and its declarations.
 *
 * @param {string} name
 * @param {Heap} heap
 * @param {any} [module]  Exports of the package.
 * @returns {{Queue: new () => import('../contract.js').TimerQueue, meta: QueueMeta}} without private fields, which
 *   declarations cannot hold
 */
export function adapt (name, heap, module) {
  const {
    from = name,
    structure = 'Binary heap',
    create,
    first = heap => heap.peek(),
    push = (heap, entry) => heap.push(entry),
    pop = heap => heap.pop(),
    entries,
    shrink = () => {}
  } = heap
  const packageName = from.replace(/\/heap.*/, '')
  /** @type {QueueMeta} */
  const meta = {
    name,
    title: `${structure} of npm's ${packageName}, lazy deletion`,
    complexity: {
      insert: 'O(log n)',
      cancel: 'O(log n) amortised',
      reschedule: 'O(log n) amortised',
      nextExpiry: 'O(log n) amortised',
      advance: 'O(k log n) amortised'
    },
    order: 'deadline',
    accuracy: 'exact',
    source: `npm package ${packageName}`
  }
  class LazyDeletion {
    size = 0
    #heap = create(module)
    #tombstones = 0

    /** @param {unknown} payload */
    createTimer (payload) {
      return new LazyTimer(payload)
    }

    releaseTimer () {}

    /** @type {(timer: LazyTimer, deadline: number) => void} */
    insert (timer, deadline) {
      if (timer.entry.queued) timer.entry = new Entry(timer)
      const { entry } = timer
      entry.deadline = deadline
      entry.queued = entry.live = true
      push(this.#heap, entry)
      this.size++
    }

    /** @param {LazyTimer} timer */
    cancel ({ entry }) {
      if (!entry.live) return false
      entry.live = false
      this.size--
      this.#tombstones++
      if (this.#tombstones > this.size + FEW) this.#sweep()
      return true
    }

    /** @type {(timer: LazyTimer, deadline: number) => void} */
    reschedule (timer, deadline) {
      this.cancel(timer)
      this.insert(timer, deadline)
    }

    nextExpiry () {
      return this.#firstLive()?.deadline ?? Infinity
    }

    /** @type {(now: number, expire: (timer: LazyTimer) => void) => void} */
    advance (now, expire) {
      for (let entry = this.#firstLive(); entry && entry.deadline <= now; entry = this.#firstLive()) {
        pop(this.#heap)
        entry.queued = entry.live = false
        this.size--
        expire(entry.timer)
      }
      shrink(this.#heap)
    }

    /** @param {LazyTimer} timer */
    deadlineOf (timer) {
      return timer.entry.deadline
    }

    /** @param {LazyTimer} timer */
    payloadOf (timer) {
      return timer.payload
    }

    /** @param {LazyTimer} timer */
    isPending (timer) {
      return timer.entry.live
    }

    #firstLive () {
      let entry = first(this.#heap)
      while (entry && !entry.live) {
        pop(this.#heap)
        entry.queued = false
        this.#tombstones--
        entry = first(this.#heap)
      }
      return entry
    }

    #sweep () {
      const all = entries(this.#heap)
      this.#heap = create(module)
      for (const entry of all) {
        if (entry.live) push(this.#heap, entry)
        else entry.queued = false
      }
      this.#tombstones = 0
    }
  }

  return { Queue: LazyDeletion, meta }
}
