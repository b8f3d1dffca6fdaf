/**
 * A heap that deletes lazily: an entry is dead once its timer has been started again, stopped or released. For mutants
 * that keep dead entries for too long, or take them for live ones.
 */

export const meta = {
  name: 'lazy-queue',
  title: 'Heap with lazy deletion, swept when most entries are dead',
  complexity: {
    insert: 'O(log n) amortised',
    cancel: 'O(1) amortised',
    reschedule: 'O(log n) amortised',
    nextExpiry: 'O(log n) amortised',
    advance: 'O(k log n) amortised'
  },
  order: 'deadline',
  accuracy: 'exact',
  source: 'a fixture'
}

const SPARE = 64

class LazyTimer {
  deadline = 0
  pending = false
  generation = 0
  payload = undefined
}

export class LazyQueue {
  size = 0
  #entries = []
  #free = []

  createTimer (payload) {
    const timer = this.#free.pop() ?? new LazyTimer()
    timer.payload = payload
    return timer
  }

  releaseTimer (timer) {
    timer.payload = undefined
    this.#free.push(timer)
  }

  insert (timer, deadline) {
    timer.generation++
    timer.deadline = deadline
    timer.pending = true
    this.size++
    this.#push({ timer, deadline, generation: timer.generation })
    if (this.#entries.length > 2 * this.size + SPARE) this.#sweep()
  }

  cancel (timer) {
    if (!timer.pending) return false
    timer.pending = false
    this.size--
    return true
  }

  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  nextExpiry () {
    while (this.#entries.length > 0 && !isLive(this.#entries[0])) this.#pop()
    return this.#entries.length === 0 ? Infinity : this.#entries[0].deadline
  }

  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const { timer } = this.#pop()
      timer.pending = false
      this.size--
      expire(timer)
    }
  }

  deadlineOf (timer) {
    return timer.deadline
  }

  payloadOf (timer) {
    return timer.payload
  }

  isPending (timer) {
    return timer.pending
  }

  #sweep () {
    this.#entries = this.#entries.filter(isLive)
    for (let place = this.#entries.length >> 1; place >= 0; place--) this.#sink(place)
  }

  #push (entry) {
    const entries = this.#entries
    let place = entries.length
    while (place > 0 && entries[(place - 1) >> 1].deadline > entry.deadline) {
      entries[place] = entries[(place - 1) >> 1]
      place = (place - 1) >> 1
    }
    entries[place] = entry
  }

  #pop () {
    const [first] = this.#entries
    const last = this.#entries.pop()
    if (this.#entries.length > 0) {
      this.#entries[0] = last
      this.#sink(0)
    }
    return first
  }

  #sink (place) {
    const entries = this.#entries
    const entry = entries[place]
    for (;;) {
      let child = 2 * place + 1
      if (child + 1 < entries.length && entries[child + 1].deadline < entries[child].deadline) child++
      if (child >= entries.length || entries[child].deadline >= entry.deadline) break
      entries[place] = entries[child]
      place = child
    }
    if (entry) entries[place] = entry
  }
}

const isLive = ({ timer, generation }) => timer.pending && timer.generation === generation
