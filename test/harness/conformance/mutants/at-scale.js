/**
 * Queues that break only with many timers pending or after many operations, which generated sequences of a few steps
 * never reach.
 *
 * @type {import('./index.js').Mutant[]}
 */
export const mutantsAtScale = [
  {
    title: 'an array that grows past 1024 timers loses what it held',
    queue: 'quaternary-heap',
    from: 'lengthened(deadlines, 2 * capacity + SPARE, Infinity)',
    to: 'lengthened(deadlines.subarray(0, capacity >= 1024 ? 64 : capacity), 2 * capacity + SPARE, Infinity)',
    breaks: 'on-time'
  },
  {
    title: 'handles above 4095 are handed out pending',
    queue: 'quaternary-heap',
    from: 'lengthened(this.placeOf, 2 * timer, IDLE)',
    to: 'lengthened(this.placeOf, 2 * timer, timer > 4095 ? 0 : IDLE)',
    breaks: 'create'
  },
  {
    title: 'arrays of 65 536 elements and more are not copied when they grow',
    queue: 'lazy-wheel',
    file: 'parts/handles.js',
    from: 'longer.set(array)',
    to: 'if (length < 65_536) longer.set(array)',
    breaks: 'on-time'
  },
  {
    title: 'a wheel does not grow past 150 000 timers',
    queue: 'hierarchical-wheel',
    from: 'if (4 * timer === this.#links.length) this.',
    to: 'if (4 * timer === this.#links.length && timer < 150_000) this.',
    breaks: 'create'
  },
  {
    title: 'a cascade moves at most 1000 timers',
    queue: 'hierarchical-wheel',
    from: 'while (timer !== slot) {',
    to: 'for (let moved = 0; timer !== slot && moved < 1000; moved++) {',
    breaks: 'on-time'
  },
  {
    title: 'a slot of the third level loses the timers whose entries lie beyond place 2000',
    queue: 'lazy-wheel',
    from: 'if (this.fields[timer + 1] !== opening) continue',
    to: 'if (this.fields[timer + 1] !== opening || (slot >= 2 * SLOTS && place >= 2000)) continue',
    breaks: 'reschedule'
  },
  {
    title: 'a list of more than 1000 released handles contains one of them twice',
    queue: 'quaternary-heap',
    from: 'this.#released.push(timer)',
    to: 'if (this.#released.push(timer) > 1000) this.#released[0] = timer',
    breaks: 'release'
  },
  {
    title: 'payloads of handles above 4095 overwrite others',
    queue: 'single-wakeup',
    file: 'parts/handles.js',
    from: 'this.#payloads[handle] = payload',
    to: 'this.#payloads[handle] = payload\n    this.#payloads[handle & 4095] = payload',
    breaks: 'state'
  },
  {
    title: 'size wraps around at 16 bits',
    queue: 'pairing-heap',
    from: 'this.size++',
    to: 'this.size = (this.size + 1) & 0xffff',
    breaks: 'size'
  },
  {
    title: 'start number 65 536 postpones a deadline',
    queue: 'duration-lists',
    from: 'this.size++',
    to: 'this.size++\n    this.starts = (this.starts ?? 0) + 1\n    if (this.starts === 65_536) timer.deadline++',
    breaks: 'state'
  },
  {
    title: 'the cached minimum outlives its timer after 40 000 cancellations',
    queue: 'unsorted-array',
    from: 'if (timer.deadline === this.#earliest) this',
    to: 'this.stops = (this.stops ?? 0) + 1\n    if (timer.deadline === this.#earliest && this.stops < 40_000) this',
    breaks: 'next-expiry'
  },
  {
    title: 'a heap of more than 3000 entries sinks forever',
    queue: 'heap',
    file: 'parts/indexed-heap.js',
    from: 'if (child.deadline >= entry.deadline) break',
    to: 'if (child.deadline >= entry.deadline && size > 3000) continue\n      if (child.deadline >= entry.deadline) break',
    breaks: 'returns'
  },
  {
    title: 'a search gives up after 1000 timers',
    queue: 'sorted-list-from-tail',
    from: 'while (previous !== head && previous.deadline > deadline) previous',
    to: 'for (let passed = 0; passed < 1000 && previous !== head && previous.deadline > deadline; passed++) previous',
    breaks: 'order'
  },
  {
    title: 'a scan ends after 10 000 timers',
    queue: 'unordered-list',
    from: 'for (let timer = this.#head.next; timer !== this.#head; timer = this.#scanned.next) {',
    to: 'let seen = 0\n    for (let timer = this.#head.next; timer !== this.#head && seen++ < 10_000; timer = this.#scanned.next) {',
    breaks: 'on-time'
  }
]
