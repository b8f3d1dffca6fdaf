/**
 * Broken queues: each patch replaces a few words in the source of a good queue, and names the clause that must find it.
 */
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { clauses } from '../../../../harness/conformance/clauses.js'

const QUEUES = new URL('../../../../queues/', import.meta.url)
const FIXTURES = [
  '../../../../bin/templates/my-queue.js',
  '../../../fixtures/queues/heap.js',
  'pooled-queue.js',
  'coarse-queue.js',
  'lazy-queue.js',
  'scanning-wheel.js'
].map(file => new URL(file, import.meta.url))

/**
 * @typedef {[breaks: string, title: string, from: string, to: string]} Patch
 *
 * @typedef {object} Mutant
 * @property {string} queue  The good queue.
 * @property {string} file  File that the patch changes.
 * @property {string} breaks  Clause.
 * @property {string} title
 * @property {string} from
 * @property {string} to
 */

/** @type {(level: number) => Patch} */
const lostInCascade = level => [
  level < 3 ? 'on-time' : 'far-deadlines',
  `the last timer of a slot is lost when level ${level} cascades`,
  'this.#link(timer, this.#slotOf(this.deadlineOf(timer)))\n      timer = next',
  `if (slot >> BITS !== ${level} || next !== slot) this.#link(timer, this.#slotOf(this.deadlineOf(timer)))\n      timer = next`
]

const HEAP_LOOP = `while (this.nextExpiry() <= now) {
      const timer = this.#heap.first
      this.#heap.remove(timer)
      expire(timer)
    }`

/**
 * Patches of each queue, or of a file that is a part of queues.
 *
 * @type {Record<string, Patch[]>}
 */
const patches = {
  'lazy-wheel': [
    [
      'on-time',
      'a callback that asks for the next expiry moves the first slot on',
      '// after it.\n      this.firstSlot = slot',
      '// after it.'
    ]
  ],
  'hierarchical-wheel': [
    ['never-early', 'a wheel fires one millisecond early', 'if (due > now) break', 'if (due > now + 1) break'],
    ['on-time', 'a wheel fires one millisecond late', 'if (due > now) break', 'if (due >= now) break'],
    ...[1, 2, 3, 4, 5, 6].map(lostInCascade),
    [
      'returns',
      'cascading timers are linked where they were',
      'this.#link(timer, this.#slotOf(this.deadlineOf(timer)))\n      timer = next',
      'this.#link(timer, slot)\n      timer = next'
    ],
    [
      'returns',
      'two neighbouring slots share one',
      '(digits >>> (level * BITS)) & (SLOTS - 1)',
      '(digits >>> (level * BITS)) & (SLOTS - 2)'
    ],
    ['next-expiry', 'a slot opens one slot late', '(slot % SLOTS) * width', '(slot % SLOTS + 1) * width'],
    ['returns', 'deadlines wrap around at 32 bits', 'if (deadline < this.#epochEnd) return', 'return'],
    [
      'returns',
      'the revolution of a higher wheel is forgotten',
      'return Math.floor(this.#time / revolution) * revolution + (slot % SLOTS) * width',
      'return (slot % SLOTS) * width'
    ],
    [
      'next-expiry',
      'nextExpiry looks at the first timer of a slot of many',
      'slot < SLOTS ? this.#deadlines[2 * this.#links[4 * slot] + 1] : this.#opening(slot)',
      'this.#deadlines[2 * this.#links[4 * slot] + 1]'
    ],
    [
      'next-expiry',
      'an earlier slot is not noticed when the first one is known',
      'if (slot < this.#firstSlot) this.#firstSlot = UNKNOWN',
      ''
    ],
    ['next-expiry', 'an emptied slot stays marked as occupied', 'if (next === previous) this.#vacate(next)', ''],
    [
      'on-time',
      'one timer that leaves marks its slot as empty',
      'if (next === previous) this.#vacate(next)',
      'if (next < HEADS) this.#vacate(next)'
    ],
    [
      'order',
      'overdue timers are not kept in order',
      'while (this.deadlineOf(previous) > deadline) {',
      'while (false) {'
    ],
    ['next-expiry', 'overdue timers go to a slot of the past', 'if (deadline < this.#time) deadline = this.#time', ''],
    [
      'state',
      'a restart within the slot keeps the old deadline',
      '>>> ((slot >> BITS) * BITS) === 0',
      '>>> ((slot >> BITS) * BITS) === 0 && (this.#deadlines[2 * timer + 1] = last) >= 0'
    ],
    [
      'far-deadlines',
      'an overdue timer of an earlier epoch is looked for where its lower bits say',
      'last > this.#time &&',
      ''
    ],
    [
      'size',
      'a cancellation does not reduce size',
      'this.#links[4 * timer] = IDLE\n    this.size--',
      'this.#links[4 * timer] = IDLE'
    ]
  ],
  'heap: parts/indexed-heap.js': [
    ['throws-nothing', 'a heap moves entries down without updating their index', 'child.index = index\n', '\n'],
    [
      'order',
      'the last leaf only sinks into the hole of a removed entry',
      'if (last !== entry) this.#settle(last, hole)',
      'if (last !== entry) this.#percolateDown(last, hole)'
    ],
    [
      'reschedule',
      'an entry with a later deadline does not sink',
      'this.#settle(entry, entry.index)',
      'this.#percolateUp(entry, entry.index)'
    ],
    ['order', 'the last child in a heap is ignored', 'if (childIndex + 1 < size && ', 'if (childIndex + 2 < size && '],
    ['state', 'a removed entry keeps its index', 'entry.index = NOT_IN_HEAP\n', '\n']
  ],
  heap: [
    [
      'instances',
      'all queues share one heap',
      '#heap = new IndexedHeap()',
      'static shared = new IndexedHeap()\n  #heap = Heap.shared'
    ],
    [
      'state',
      'the other timers of a batch are not pending while its callbacks run',
      HEAP_LOOP,
      `this.isPending = timer => timer.deadline > now && timer.index !== NOT_IN_HEAP
    try {
      ${HEAP_LOOP}
    } finally {
      delete this.isPending
    }`
    ],
    [
      're-entrant',
      'two starts in one callback leave the first one out',
      HEAP_LOOP,
      `while (this.nextExpiry() <= now) {
      const timer = this.#heap.first
      this.#heap.remove(timer)
      let started = null
      this.insert = (timer, deadline) => {
        if (started?.deadline > deadline) started.deadline = deadline
        started = timer
        Heap.prototype.insert.call(this, timer, deadline)
      }
      try {
        expire(timer)
      } finally {
        delete this.insert
      }
    }`
    ],
    [
      'retained',
      'the place of a stopped timer keeps its reference',
      'this.#heap.remove(timer)\n    return true',
      'this.#heap.remove(timer)\n    this.places[this.size] = timer\n    return true\n  }\n\n  places = []\n  get ' +
        'none () {\n    return null'
    ],
    [
      'throws-nothing',
      'cancel in a callback fails for a timer that is due',
      'this.#heap.remove(timer)\n      expire(timer)',
      `this.#heap.remove(timer)
      this.cancel = other => {
        if (other.deadline <= now) throw new Error('no such timer')
        return Heap.prototype.cancel.call(this, other)
      }
      try { expire(timer) } finally { delete this.cancel }`
    ],
    [
      'complexity-advance',
      'nextExpiry searches the heap while a callback runs',
      'expire(timer)\n',
      `this.nextExpiry = () => {
        for (let i = 0; i < this.size;) i++
        return Heap.prototype.nextExpiry.call(this)
      }
      expire(timer)
      delete this.nextExpiry\n`
    ],
    [
      'retained',
      'a map of all timers keeps those that were released',
      'return new HeapTimer(payload)\n  }',
      `const timer = new HeapTimer(payload)
    this.all.set(this.all.size, timer)
    return timer
  }

  all = new Map()`
    ],
    [
      'complexity-handles',
      'releaseTimer searches a list of all timers',
      'return new HeapTimer(payload)\n  }\n\n  releaseTimer () {}',
      `const timer = new HeapTimer(payload)
    this.all.push(timer)
    return timer
  }

  all = []
  releaseTimer (timer) {
    this.all.splice(this.all.indexOf(timer), 1)
  }`
    ],
    [
      'complexity-handles',
      'isPending searches the heap',
      'return timer.index !== NOT_IN_HEAP',
      'let index = 0\n    while (index < timer.index) index++\n    return index === timer.index'
    ],
    [
      'complexity-handles',
      'an array of timers grows by 64',
      'return new HeapTimer(payload)\n  }\n\n  releaseTimer () {}',
      `const timer = new HeapTimer(payload)
    if (this.created === this.deadlines.length) {
      const longer = new Float64Array(this.created + 64)
      longer.set(this.deadlines)
      this.deadlines = longer
    }
    this.created++
    return timer
  }

  created = 0
  deadlines = new Float64Array(64)
  releaseTimer () {}`
    ],
    [
      'on-time',
      'a timer whose deadline is now does not fire',
      'while (this.nextExpiry() <= now) {',
      'while (this.nextExpiry() < now) {'
    ],
    [
      'same-batch',
      'due timers are collected first, so that a callback cannot cancel them',
      HEAP_LOOP,
      `const due = []
    while (this.nextExpiry() <= now) {
      due.push(this.#heap.first)
      this.#heap.remove(this.#heap.first)
    }
    for (const timer of due) expire(timer)`
    ],
    [
      'same-batch',
      'a timer that a callback moves later fires anyway',
      HEAP_LOOP,
      `const due = []
    while (this.nextExpiry() <= now) {
      due.push(this.#heap.first)
      this.#heap.remove(this.#heap.first)
    }
    for (const timer of due) this.#heap.push(timer)
    for (const timer of due) {
      if (!this.cancel(timer)) continue
      expire(timer)
    }`
    ],
    [
      'inside-expire',
      'a timer leaves only after its callback',
      'this.#heap.remove(timer)\n      expire(timer)',
      'expire(timer)\n      this.cancel(timer)'
    ],
    [
      'once',
      'a timer fires twice when another has its deadline',
      'expire(timer)\n',
      'expire(timer)\n      if (this.nextExpiry() === timer.deadline) expire(timer)\n'
    ],
    ['throwing', 'advance swallows what a callback throws', 'expire(timer)\n', 'try { expire(timer) } catch {}\n'],
    [
      'throwing',
      'a timer whose callback throws is started again',
      'expire(timer)\n',
      'try { expire(timer) } catch (error) { this.reschedule(timer, timer.deadline); throw error }\n'
    ],
    [
      'throwing',
      'a guard against nested advances outlives a callback that throws',
      'while (this.nextExpiry() <= now) {\n',
      'if (this.busy) return\n    for (this.busy = true; this.nextExpiry() <= now || (this.busy = false);) {\n'
    ],
    [
      're-entrant',
      'only one timer may be started by callbacks',
      'while (this.nextExpiry() <= now) {\n',
      'for (let left = this.size; left > 0 && this.nextExpiry() <= now; left--) {\n      if (this.size > left) ' +
        'this.#heap.remove(this.#heap.first)\n'
    ],
    [
      'state',
      'reschedule leaves idle timers idle',
      'if (timer.index === NOT_IN_HEAP) return this.insert(timer, deadline)',
      'if (timer.index === NOT_IN_HEAP) return'
    ],
    [
      'on-time',
      'timers fire at the next multiple of 16 ms, and this is not declared',
      'this.#heap.first.deadline\n',
      'Math.ceil(this.#heap.first.deadline / 16) * 16\n'
    ],
    ['order', 'the order of ties is declared and not kept', "order: 'deadline'", "order: 'fifo'"],
    ['meta', 'no source is named', 'source: ', 'sauce: '],
    ['complexity-insert', 'insert of a binary heap is declared constant', "insert: 'O(log n)'", "insert: 'O(1)'"],
    [
      'complexity-reschedule',
      'reschedule of a binary heap is declared constant',
      "reschedule: 'O(log n)'",
      "reschedule: 'O(1)'"
    ]
  ],
  'duration-lists': [
    [
      'next-expiry',
      'a list per duration forgets that an earlier timer came',
      'list.deadline = deadline\n      this.#heap.moved(list)\n    }\n    timer',
      '}\n    timer'
    ],
    [
      'on-time',
      'a list per duration assumes that starts come in order of deadline',
      'while (previous !== null && previous.deadline > timer.deadline) previous = previous.previous',
      ''
    ],
    ['on-time', 'an emptied list is still found, but never looked at', 'this.#lists.remove(list)', ''],
    [
      'complexity-advance',
      'advance of lists per duration is not declared amortised',
      "O(k log n) amortised'",
      "O(k log n)'"
    ]
  ],
  'unsorted-array': [
    ['once', 'the array entry that fills a hole keeps its old index', 'last.index = index', ''],
    [
      'on-time',
      'the array entry that fills a hole is skipped',
      'for (let i = this.#timers.length - 1; i >= 0; i = Math.min(i, this.#timers.length) - 1) {',
      'for (let i = 0; i < this.#timers.length; i++) {'
    ],
    [
      'throws-nothing',
      'the scan does not expect callbacks to shorten the array',
      'i = Math.min(i, this.#timers.length) - 1',
      'i--'
    ],
    [
      'next-expiry',
      'the cached minimum outlives its timer',
      'if (timer.deadline === this.#earliest) this.#earliest = UNKNOWN',
      ''
    ],
    [
      'drain',
      'the cached minimum outlives a move of its timer',
      'deadline > this.#earliest) this.#earliest = UNKNOWN',
      'deadline > Infinity) this.#earliest = UNKNOWN'
    ],
    [
      'on-time',
      'nextExpiry never reaches the time at which a timer is due',
      'if (this.nextExpiry() > now) return',
      'if (this.nextExpiry() >= now) return'
    ],
    [
      'complexity-nextExpiry',
      'nextExpiry of an unsorted array is declared constant',
      "nextExpiry: 'O(n)'",
      "nextExpiry: 'O(1)'"
    ],
    ['complexity-advance', 'advance of an unsorted array is declared O(k)', "advance: 'O(n)'", "advance: 'O(k)'"]
  ],
  'my-queue': [
    ['order', 'ties fire in the reverse order', '.deadline <= deadline) low', '.deadline < deadline) low'],
    [
      'cancel',
      'cancelling an idle timer returns true',
      'if (!timer.pending) return false',
      'if (!timer.pending) return true'
    ],
    ['cancel', 'cancelling a timer twice removes another one', 'if (!timer.pending) return false\n', '\n'],
    [
      'next-expiry',
      'nextExpiry waits for the last deadline',
      'this.#timers[0]?.deadline',
      'this.#timers.at(-1)?.deadline'
    ],
    ['next-expiry', 'nextExpiry is 0 when nothing is pending', '?? Infinity', '?? 0'],
    [
      'overdue',
      'a second advance in the same millisecond does nothing',
      'while (this.nextExpiry() <= now) {',
      'if (this.latest === now) return\n    this.latest = now\n    while (this.nextExpiry() <= now) {'
    ],
    [
      'due-again',
      'timers that callbacks start when they are due wait for the next millisecond',
      'while (this.nextExpiry() <= now) {\n',
      'if (this.latest === now) return\n    this.latest = now\n    for (let left = this.size; left > 0 && ' +
        'this.nextExpiry() <= now; left--) {\n'
    ],
    [
      'state',
      'a timer that fires has lost its deadline',
      'timer.pending = false\n',
      'timer.pending = false\n    timer.deadline = 0\n'
    ],
    ['complexity-cancel', 'indexOf and splice are declared constant', "cancel: 'O(n)'", "cancel: 'O(1)'"],
    [
      'complexity-reschedule',
      'a restart by indexOf and splice is declared logarithmic',
      "reschedule: 'O(n)'",
      "reschedule: 'O(log n)'"
    ]
  ],
  'coarse-queue': [
    ['on-time', 'a coarse queue is later than declared', 'relative: 0.125', 'relative: 0.06'],
    ['never-early', 'a coarse queue rounds down', 'Math.ceil', 'Math.floor'],
    [
      'on-time',
      'a coarse queue ignores the duration that it is given',
      'insert (timer, deadline, duration = deadline - this.#now)',
      'insert (timer, deadline, _duration, duration = deadline - this.#now)'
    ]
  ],
  'pooled-queue': [
    [
      'payload',
      'a timer without a payload is taken for one that was released',
      'this.cancel(timer)\n      expire(timer)',
      'this.cancel(timer)\n      if (this.#payloads[timer]) expire(timer)'
    ],
    ['release', 'a released handle is given out twice', 'this.#free.pop()', 'this.#free.at(-1)'],
    [
      'create',
      'an idle timer is handed out as it was left',
      'this.#pending[timer] = false\n    return timer',
      'this.#pending[timer] ??= true\n    return timer'
    ],
    [
      'release',
      'releasing a timer removes the entry of another one',
      'this.#entries.delete(timer)\n    this.#payloads',
      'this.#entries.delete(this.#earliest())\n    this.#payloads'
    ],
    [
      'release',
      'the payload of a reused handle goes elsewhere',
      'this.#payloads[timer] = payload\n',
      'this.#payloads.push(payload)\n'
    ],
    ['retained', 'arrays keep a place for each handle that was released', 'this.#free.push(timer)', '']
  ],
  'sorted-list': [
    ['complexity-insert', 'insert of a sorted list is declared logarithmic', "insert: 'O(n)'", "insert: 'O(log n)'"]
  ],
  'lazy-queue': [
    [
      'retained',
      'entries of stopped timers stay until they are due',
      'this.#entries.length > 2 * this.size + SPARE',
      'false'
    ],
    [
      'retained',
      'the count of stale entries starts anew when the first entry leaves',
      'if (this.#entries.length > 2 * this.size + SPARE) this.#sweep()',
      `this.stale = this.#entries[0] === this.first ? this.stale + 1 : 0
    this.first = this.#entries[0]
    if (this.stale > this.size + SPARE) this.#sweep()`
    ],
    [
      'release',
      'a timer that is used again counts its starts from 0',
      'timer.payload = undefined\n',
      'timer.payload = undefined\n    timer.generation = 0\n'
    ]
  ],
  'scanning-wheel': [
    [
      'complexity-nextExpiry',
      'a wheel looks at all timers of a slot',
      'if (list.next !== list) return',
      'for (let timer = list.next; timer !== list;) timer = timer.next\n        if (list.next !== list) return'
    ]
  ]
}

/**
 * Patches that show only with many timers pending or after many operations: long lives find them.
 *
 * @type {Record<string, Patch[]>}
 */
const patchesAtScale = {
  'lazy-queue': [
    [
      'reschedule',
      'a sweep looks at 65 536 entries',
      'this.#entries.filter(isLive)',
      'this.#entries.slice(0, 65_536).filter(isLive)'
    ],
    [
      'never-early',
      'entries of old starts stay, and numbers of starts have 16 bits',
      `timer.generation++
    timer.deadline = deadline
    timer.pending = true
    this.size++
    this.#push({ timer, deadline, generation: timer.generation })
    if (this.#entries.length > 2 * this.size + SPARE) this.#sweep()`,
      `timer.generation = (timer.generation + 1) & 0xffff
    timer.deadline = deadline
    timer.pending = true
    this.size++
    this.#push({ timer, deadline, generation: timer.generation })`
    ]
  ],
  'quaternary-heap': [
    [
      'on-time',
      'an array that grows past 1024 timers loses what it held',
      'lengthened(deadlines, 2 * capacity + SPARE, Infinity)',
      'lengthened(deadlines.subarray(0, capacity >= 1024 ? 64 : capacity), 2 * capacity + SPARE, Infinity)'
    ],
    [
      'on-time',
      'the fourth child is ignored beyond place 65 536',
      'Number(d < a) &',
      'Number(first < 65_536) & Number(d < a) &'
    ],
    [
      'create',
      'handles above 4095 are handed out pending',
      'lengthened(this.placeOf, 2 * timer, IDLE)',
      'lengthened(this.placeOf, 2 * timer, timer > 4095 ? 0 : IDLE)'
    ],
    [
      'release',
      'a list of more than 1000 released handles contains one of them twice',
      'this.#released.push(timer)',
      'if (this.#released.push(timer) > 1000) this.#released[0] = timer'
    ]
  ],
  'lazy-wheel: parts/handles.js': [
    [
      'next-expiry',
      'arrays of 65 536 elements and more are not copied when they grow',
      'longer.set(array)',
      'if (length < 65_536) longer.set(array)'
    ]
  ],
  'hierarchical-wheel': [
    [
      'create',
      'a wheel does not grow past 150 000 timers',
      'if (4 * timer === this.#links.length) this.',
      'if (4 * timer === this.#links.length && timer < 150_000) this.'
    ],
    [
      'reschedule',
      'a cascade moves at most 100 000 timers',
      'while (timer !== slot) {',
      'for (let moved = 0; timer !== slot && moved < 100_000; moved++) {'
    ]
  ],
  'lazy-wheel': [
    [
      'reschedule',
      'a slot of the third level loses the timers whose entries lie beyond place 2000',
      'if (this.fields[timer + 1] !== opening) continue',
      'if (this.fields[timer + 1] !== opening || (slot >= 2 * SLOTS && place >= 2000)) continue'
    ]
  ],
  'single-wakeup: parts/handles.js': [
    [
      'state',
      'payloads of handles above 4095 overwrite others',
      'this.#payloads[handle] = payload',
      'this.#payloads[handle] = payload\n    this.#payloads[handle & 4095] = payload'
    ]
  ],
  'pairing-heap': [
    ['size', 'size wraps around at 16 bits', 'this.size++', 'this.size = (this.size + 1) & 0xffff'],
    [
      'next-expiry',
      'at most 50 000 pairs of siblings are melded',
      'while (first !== NONE) {',
      'for (let melded = 0; first !== NONE && melded < 50_000; melded++) {'
    ]
  ],
  'radix-heap': [
    [
      'on-time',
      'at most 100 000 timers of a bucket are distributed',
      'while (timer !== bucket) {',
      'for (let moved = 0; timer !== bucket && moved < 100_000; moved++) {'
    ]
  ],
  'skip-list': [
    [
      'returns',
      'timers stay in the highest lists when 100 000 others are pending',
      'place < end; place',
      'place < (this.size > 100_000 ? Math.min(end, tower + 12) : end); place'
    ]
  ],
  'ordered-map: parts/b-plus-tree.js': [
    [
      'once',
      'keys beyond the first 100 000 are not copied when the tree grows',
      'lengthened(this.#keys,',
      'lengthened(this.#keys.subarray(0, 100_000),'
    ]
  ],
  'scanning-wheel': [
    [
      'next-expiry',
      'the count of a level has 16 bits',
      'this.#counts[slot >> BITS]++',
      'this.#counts[slot >> BITS] = (this.#counts[slot >> BITS] + 1) & 0xffff'
    ]
  ],
  'duration-lists: parts/indexed-heap.js': [
    [
      'on-time',
      'a heap of lists takes the left child alone beyond place 65 536',
      'if (childIndex + 1 < size &&',
      'if (childIndex < 65_536 && childIndex + 1 < size &&'
    ]
  ],
  'duration-lists': [
    [
      'state',
      'start number 65 536 postpones a deadline',
      'this.size++',
      'this.size++\n    this.starts = (this.starts ?? 0) + 1\n    if (this.starts === 65_536) timer.deadline++'
    ]
  ],
  'unsorted-array': [
    [
      'next-expiry',
      'the cached minimum outlives its timer after 40 000 cancellations',
      'if (timer.deadline === this.#earliest) this',
      'this.stops = (this.stops ?? 0) + 1\n    if (timer.deadline === this.#earliest && this.stops < 40_000) this'
    ]
  ],
  'heap: parts/indexed-heap.js': [
    [
      'on-time',
      'a heap takes the left child alone beyond place 20 000',
      'if (childIndex + 1 < size &&',
      'if (childIndex < 20_000 && childIndex + 1 < size &&'
    ],
    [
      'on-time',
      'a heap takes the right child alone beyond place 65 536',
      '].deadline < entries[childIndex].deadline) childIndex++',
      '].deadline < (childIndex < 65_536 ? entries[childIndex].deadline : Infinity)) childIndex++'
    ],
    [
      'order',
      'the hole of a removed timer is filled from above alone beyond place 100 000',
      'if (last !== entry) this.#settle(last, hole)',
      'if (last !== entry) this[hole < 100_000 ? "settle" : "sink"](last, hole)\n  }\n\n  settle (entry, index) {\n  ' +
        '  this.#settle(entry, index)\n  }\n\n  sink (entry, index) {\n    this.#percolateDown(entry, index)'
    ],
    [
      'returns',
      'a heap of more than 3000 entries sinks forever',
      'if (child.deadline >= entry.deadline) break',
      'if (child.deadline >= entry.deadline && size > 3000) continue\n      if (child.deadline >= entry.deadline) break'
    ]
  ],
  'sorted-list-from-tail': [
    [
      'order',
      'a search gives up after 1000 timers',
      'while (previous !== head && previous.deadline > deadline) previous',
      'for (let passed = 0; passed < 1000 && previous !== head && previous.deadline > deadline; passed++) previous'
    ]
  ],
  'unordered-list: parts/scanned-rings.js': [
    [
      'next-expiry',
      'a scan ends after 10 000 timers',
      'for (let timer = head.next; timer !== head; timer = this.#passed.next) {',
      'let seen = 0\n    for (let timer = head.next; timer !== head && seen++ < 10_000; timer = this.#passed.next) {'
    ]
  ]
}

export const mutants = mutantsOf(patches)
export const mutantsAtScale = mutantsOf(patchesAtScale)
export const firstOfEachClause = clauses.map(
  ({ name }) => mutants.find(({ breaks }) => breaks === name) ?? assert.fail(`no queue breaks the clause ${name}`)
)

/**
 * @param {Record<string, Patch[]>} patchesByFile
 * @returns {Mutant[]}
 */
function mutantsOf (patchesByFile) {
  return Object.entries(patchesByFile).flatMap(([name, patches]) => {
    const [queue, file = `${queue}.js`] = name.split(': ')
    return patches.map(([breaks, title, from, to]) => ({ queue, file, breaks, title, from, to }))
  })
}

/**
 * Writes the mutated queue, and the parts that it may import, into a folder.
 *
 * @param {Mutant} mutant
 * @param {string} folder
 * @returns {string} its URL
 */
export function writeMutant ({ queue, file, from, to, title }, folder) {
  cpSync(new URL('parts', QUEUES), path.join(folder, 'parts'), { recursive: true })
  const source =
    FIXTURES.find(({ pathname }) => path.basename(pathname) === `${queue}.js`) ?? new URL(`${queue}.js`, QUEUES)
  cpSync(source, path.join(folder, `${queue}.js`))
  const mutated = path.join(folder, file)
  const pieces = readFileSync(mutated, 'utf8').split(from)
  assert.equal(pieces.length, 2, `"${title}" replaces a text that must be in ${file} once: adapt it to the new text`)
  writeFileSync(mutated, pieces.join(to))
  return pathToFileURL(path.join(folder, `${queue}.js`)).href
}
