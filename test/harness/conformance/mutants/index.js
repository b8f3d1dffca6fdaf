/**
 * Broken queues: each replaces a few words in the source of a good queue, and names the clause that must find it.
 */
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { mutantsAtScale } from './at-scale.js'

const QUEUES = new URL('../../../../queues/', import.meta.url)
const OTHERS = ['../../../../bin/templates/my-queue.js', '../../../fixtures/queues/heap.js', 'pooled-queue.js', 'coarse-queue.js', 'searching-queue.js']
  .map(file => new URL(file, import.meta.url))

/**
 * @typedef {object} Mutant
 * @property {string} title  What is wrong with it.
 * @property {string} queue  The good one.
 * @property {string} [file]  Where the words are replaced, if not in the queue's own file.
 * @property {string} from
 * @property {string} to
 * @property {string} breaks  The clause.
 */

/** @param {number} level */
const lostInCascade = level => ({
  title: `the last timer of a slot is lost when level ${level} cascades`,
  queue: 'hierarchical-wheel',
  from: 'this.#link(timer, this.#slotOf(this.deadlineOf(timer)))\n      timer = next',
  to: `if (slot >> BITS !== ${level} || next !== slot) this.#link(timer, this.#slotOf(this.deadlineOf(timer)))
      timer = next`,
  breaks: level < 3 ? 'on-time' : 'far-deadlines'
})

/** @type {Mutant[]} */
export const mutants = [
  {
    title: 'a wheel that moves all timers of a slot at once declares a bounded pause',
    queue: 'lazy-wheel',
    from: "accuracy: 'exact',",
    to: "accuracy: 'exact',\n  pause: 'bounded',",
    breaks: 'pause'
  },
  {
    title: 'a heap that moves all timers to the start of its arrays declares a bounded pause',
    queue: 'quaternary-heap',
    from: "accuracy: 'exact',",
    to: "accuracy: 'exact',\n  pause: 'bounded',",
    breaks: 'pause'
  },
  {
    title: 'a callback that asks for the next expiry moves the first slot on',
    queue: 'lazy-wheel',
    from: 'the search would start after it.\n      this.firstSlot = slot',
    to: 'the search would start after it.',
    breaks: 'on-time'
  },
  {
    title: 'a wheel empties a slot in one step',
    queue: 'incremental-wheel',
    from: 'const STEP = 256',
    to: 'const STEP = 2 ** 30',
    breaks: 'pause'
  },
  {
    title: 'a crowd that has moved on is left in its slot',
    queue: 'incremental-wheel',
    from: 'const CROWD = 8',
    to: 'const CROWD = 2 ** 30',
    breaks: 'pause'
  },
  {
    title: 'cancelled timers are left to the one advance after a long silence',
    queue: 'incremental-wheel',
    from: 'const CANCELLED_ALLOWED = 1024',
    to: 'const CANCELLED_ALLOWED = 2 ** 30',
    breaks: 'pause'
  },
  {
    title: 'a wheel fires one millisecond early',
    queue: 'hierarchical-wheel',
    from: 'if (due > now) break',
    to: 'if (due > now + 1) break',
    breaks: 'never-early'
  },
  {
    title: 'a wheel fires one millisecond late',
    queue: 'hierarchical-wheel',
    from: 'if (due > now) break',
    to: 'if (due >= now) break',
    breaks: 'on-time'
  },
  ...[1, 2, 3, 4, 5, 6].map(lostInCascade),
  {
    title: 'cascading timers are linked where they were',
    queue: 'hierarchical-wheel',
    from: 'this.#link(timer, this.#slotOf(this.deadlineOf(timer)))\n      timer = next',
    to: 'this.#link(timer, slot)\n      timer = next',
    breaks: 'returns'
  },
  {
    title: 'two neighbouring slots share one',
    queue: 'hierarchical-wheel',
    from: '(digits >>> (level * BITS)) & (SLOTS - 1)',
    to: '(digits >>> (level * BITS)) & (SLOTS - 2)',
    breaks: 'returns'
  },
  {
    title: 'a slot opens one slot late',
    queue: 'hierarchical-wheel',
    from: '(slot % SLOTS) * width',
    to: '(slot % SLOTS + 1) * width',
    breaks: 'next-expiry'
  },
  {
    title: 'deadlines wrap around at 32 bits',
    queue: 'hierarchical-wheel',
    from: 'if (deadline < this.#epochEnd) return',
    to: 'return',
    breaks: 'returns'
  },
  {
    title: 'the revolution of a higher wheel is forgotten',
    queue: 'hierarchical-wheel',
    from: 'return Math.floor(this.#time / revolution) * revolution + (slot % SLOTS) * width',
    to: 'return (slot % SLOTS) * width',
    breaks: 'returns'
  },
  {
    title: 'nextExpiry looks at the first timer of a slot of many',
    queue: 'hierarchical-wheel',
    from: 'slot < SLOTS ? this.#deadlines[2 * this.#links[4 * slot] + 1] : this.#opening(slot)',
    to: 'this.#deadlines[2 * this.#links[4 * slot] + 1]',
    breaks: 'next-expiry'
  },
  {
    title: 'an earlier slot is not noticed when the first one is known',
    queue: 'hierarchical-wheel',
    from: 'if (slot < this.#firstSlot) this.#firstSlot = UNKNOWN',
    to: '',
    breaks: 'next-expiry'
  },
  {
    title: 'an emptied slot stays marked as occupied',
    queue: 'hierarchical-wheel',
    from: 'if (next === previous) this.#vacate(next)',
    to: '',
    breaks: 'next-expiry'
  },
  {
    title: 'one timer that leaves marks its slot as empty',
    queue: 'hierarchical-wheel',
    from: 'if (next === previous) this.#vacate(next)',
    to: 'if (next < HEADS) this.#vacate(next)',
    breaks: 'on-time'
  },
  {
    title: 'overdue timers are not kept in order',
    queue: 'hierarchical-wheel',
    from: 'while (this.deadlineOf(previous) > deadline) {',
    to: 'while (false) {',
    breaks: 'order'
  },
  {
    title: 'overdue timers go to a slot of the past',
    queue: 'hierarchical-wheel',
    from: 'if (deadline < this.#time) deadline = this.#time',
    to: '',
    breaks: 'next-expiry'
  },
  {
    title: 'a restart within the slot keeps the old deadline',
    queue: 'hierarchical-wheel',
    from: '>>> ((slot >> BITS) * BITS) === 0) return',
    to: '>>> ((slot >> BITS) * BITS) === 0) return void (this.#deadlines[2 * timer + 1] = last)',
    breaks: 'state'
  },
  {
    title: 'an overdue timer of an earlier epoch is looked for where its lower bits say',
    queue: 'hierarchical-wheel',
    from: 'last > this.#time && ',
    to: '',
    breaks: 'far-deadlines'
  },
  {
    title: 'a cancellation does not reduce size',
    queue: 'hierarchical-wheel',
    from: 'this.#links[4 * timer] = IDLE\n    this.size--',
    to: 'this.#links[4 * timer] = IDLE',
    breaks: 'size'
  },
  {
    title: 'a heap moves entries down without updating their index',
    queue: 'heap',
    file: 'parts/indexed-heap.js',
    from: 'child.index = index\n',
    to: '\n',
    breaks: 'throws-nothing'
  },
  {
    title: 'the last leaf only sinks into the hole of a removed entry',
    queue: 'heap',
    file: 'parts/indexed-heap.js',
    from: 'if (last !== entry) this.#settle(last, hole)',
    to: 'if (last !== entry) this.#percolateDown(last, hole)',
    breaks: 'order'
  },
  {
    title: 'an entry with a later deadline does not sink',
    queue: 'heap',
    file: 'parts/indexed-heap.js',
    from: 'this.#settle(entry, entry.index)',
    to: 'this.#percolateUp(entry, entry.index)',
    breaks: 'reschedule'
  },
  {
    title: 'the last child in a heap is ignored',
    queue: 'heap',
    file: 'parts/indexed-heap.js',
    from: 'if (childIndex + 1 < size && ',
    to: 'if (childIndex + 2 < size && ',
    breaks: 'order'
  },
  {
    title: 'a removed entry keeps its index',
    queue: 'heap',
    file: 'parts/indexed-heap.js',
    from: 'entry.index = NOT_IN_HEAP\n',
    to: '\n',
    breaks: 'state'
  },
  {
    title: 'a timer whose deadline is now does not fire',
    queue: 'heap',
    from: 'while (this.nextExpiry() <= now) {',
    to: 'while (this.nextExpiry() < now) {',
    breaks: 'on-time'
  },
  {
    title: 'due timers are collected first, so that a callback cannot cancel them',
    queue: 'heap',
    from: `while (this.nextExpiry() <= now) {
      const timer = this.#heap.first
      this.#heap.remove(timer)
      expire(timer)
    }`,
    to: `const due = []
    while (this.nextExpiry() <= now) {
      due.push(this.#heap.first)
      this.#heap.remove(this.#heap.first)
    }
    for (const timer of due) expire(timer)`,
    breaks: 'same-batch'
  },
  {
    title: 'a timer that a callback moves later fires anyway',
    queue: 'heap',
    from: `while (this.nextExpiry() <= now) {
      const timer = this.#heap.first
      this.#heap.remove(timer)
      expire(timer)
    }`,
    to: `const due = []
    while (this.nextExpiry() <= now) {
      due.push(this.#heap.first)
      this.#heap.remove(this.#heap.first)
    }
    for (const timer of due) this.#heap.push(timer)
    for (const timer of due) {
      if (!this.cancel(timer)) continue
      expire(timer)
    }`,
    breaks: 'same-batch'
  },
  {
    title: 'a timer leaves only after its callback',
    queue: 'heap',
    from: 'this.#heap.remove(timer)\n      expire(timer)',
    to: 'expire(timer)\n      this.cancel(timer)',
    breaks: 'inside-expire'
  },
  {
    title: 'a timer fires twice when another has its deadline',
    queue: 'heap',
    from: 'expire(timer)\n',
    to: 'expire(timer)\n      if (this.nextExpiry() === timer.deadline) expire(timer)\n',
    breaks: 'once'
  },
  {
    title: 'advance swallows what a callback throws',
    queue: 'heap',
    from: 'expire(timer)\n',
    to: 'try { expire(timer) } catch {}\n',
    breaks: 'throwing'
  },
  {
    title: 'a timer whose callback throws is started again',
    queue: 'heap',
    from: 'expire(timer)\n',
    to: 'try { expire(timer) } catch (error) { this.reschedule(timer, timer.deadline); throw error }\n',
    breaks: 'throwing'
  },
  {
    title: 'a guard against nested advances outlives a callback that throws',
    queue: 'heap',
    from: 'while (this.nextExpiry() <= now) {\n',
    to: 'if (this.busy) return\n    for (this.busy = true; this.nextExpiry() <= now || (this.busy = false);) {\n',
    breaks: 'throwing'
  },
  {
    title: 'only one timer may be started by callbacks',
    queue: 'heap',
    from: 'while (this.nextExpiry() <= now) {\n',
    to: `for (let left = this.size; left > 0 && this.nextExpiry() <= now; left--) {
      if (this.size > left) this.#heap.remove(this.#heap.first)
`,
    breaks: 're-entrant'
  },
  {
    title: 'reschedule leaves idle timers idle',
    queue: 'heap',
    from: 'if (timer.index === NOT_IN_HEAP) return this.insert(timer, deadline)',
    to: 'if (timer.index === NOT_IN_HEAP) return',
    breaks: 'state'
  },
  {
    title: 'timers fire at the next multiple of 16 ms, and this is not declared',
    queue: 'heap',
    from: 'this.#heap.first.deadline\n',
    to: 'Math.ceil(this.#heap.first.deadline / 16) * 16\n',
    breaks: 'on-time'
  },
  {
    title: 'the order of ties is declared and not kept',
    queue: 'heap',
    from: "order: 'deadline'",
    to: "order: 'fifo'",
    breaks: 'order'
  },
  {
    title: 'no source is named',
    queue: 'heap',
    from: 'source: ',
    to: 'sauce: ',
    breaks: 'meta'
  },
  {
    title: 'a list per duration forgets that an earlier timer came',
    queue: 'duration-lists',
    from: 'list.deadline = deadline\n      this.#heap.moved(list)\n    }\n    timer',
    to: '}\n    timer',
    breaks: 'next-expiry'
  },
  {
    title: 'a list per duration assumes that starts come in order of deadline',
    queue: 'duration-lists',
    from: 'while (previous !== null && previous.deadline > timer.deadline) previous = previous.previous',
    to: '',
    breaks: 'on-time'
  },
  {
    title: 'an emptied list is still found, but never looked at',
    queue: 'duration-lists',
    from: 'this.#lists.remove(list)',
    to: '',
    breaks: 'on-time'
  },
  {
    title: 'the array entry that fills a hole keeps its old index',
    queue: 'unsorted-array',
    from: 'last.index = index',
    to: '',
    breaks: 'once'
  },
  {
    title: 'the array entry that fills a hole is skipped',
    queue: 'unsorted-array',
    from: 'for (let i = this.#timers.length - 1; i >= 0; i = Math.min(i, this.#timers.length) - 1) {',
    to: 'for (let i = 0; i < this.#timers.length; i++) {',
    breaks: 'on-time'
  },
  {
    title: 'the scan does not expect callbacks to shorten the array',
    queue: 'unsorted-array',
    from: 'i = Math.min(i, this.#timers.length) - 1',
    to: 'i--',
    breaks: 'throws-nothing'
  },
  {
    title: 'the cached minimum outlives its timer',
    queue: 'unsorted-array',
    from: 'if (timer.deadline === this.#earliest) this.#earliest = UNKNOWN',
    to: '',
    breaks: 'next-expiry'
  },
  {
    title: 'the cached minimum outlives a move of its timer',
    queue: 'unsorted-array',
    from: 'deadline > this.#earliest) this.#earliest = UNKNOWN',
    to: 'deadline > Infinity) this.#earliest = UNKNOWN',
    breaks: 'drain'
  },
  {
    title: 'ties fire in the reverse order',
    queue: 'my-queue',
    from: '.deadline <= deadline) low',
    to: '.deadline < deadline) low',
    breaks: 'order'
  },
  {
    title: 'cancelling an idle timer returns true',
    queue: 'my-queue',
    from: 'if (!timer.pending) return false',
    to: 'if (!timer.pending) return true',
    breaks: 'cancel'
  },
  {
    title: 'cancelling a timer twice removes another one',
    queue: 'my-queue',
    from: 'if (!timer.pending) return false\n',
    to: '\n',
    breaks: 'cancel'
  },
  {
    title: 'nextExpiry waits for the last deadline',
    queue: 'my-queue',
    from: 'this.#timers[0]?.deadline',
    to: 'this.#timers.at(-1)?.deadline',
    breaks: 'next-expiry'
  },
  {
    title: 'nextExpiry is 0 when nothing is pending',
    queue: 'my-queue',
    from: '?? Infinity',
    to: '?? 0',
    breaks: 'next-expiry'
  },
  {
    title: 'nextExpiry never reaches the time at which a timer is due',
    queue: 'unsorted-array',
    from: 'if (this.nextExpiry() > now) return',
    to: 'if (this.nextExpiry() >= now) return',
    breaks: 'on-time'
  },
  {
    title: 'a coarse queue is later than declared',
    queue: 'coarse-queue',
    from: 'relative: 0.125',
    to: 'relative: 0.06',
    breaks: 'on-time'
  },
  {
    title: 'a coarse queue rounds down',
    queue: 'coarse-queue',
    from: 'Math.ceil',
    to: 'Math.floor',
    breaks: 'never-early'
  },
  {
    title: 'a coarse queue ignores the duration that it is given',
    queue: 'coarse-queue',
    from: 'insert (timer, deadline, duration = deadline - this.#now)',
    to: 'insert (timer, deadline, _duration, duration = deadline - this.#now)',
    breaks: 'on-time'
  },
  {
    title: 'a released handle is given out twice',
    queue: 'pooled-queue',
    from: 'this.#free.pop()',
    to: 'this.#free.at(-1)',
    breaks: 'release'
  },
  {
    title: 'an idle timer is handed out as it was left',
    queue: 'pooled-queue',
    from: 'this.#pending[timer] = false\n    return timer',
    to: 'this.#pending[timer] ??= true\n    return timer',
    breaks: 'create'
  },
  {
    title: 'releasing a timer removes the entry of another one',
    queue: 'pooled-queue',
    from: 'this.#entries.delete(timer)\n    this.#payloads',
    to: 'this.#entries.delete(this.#earliest())\n    this.#payloads',
    breaks: 'release'
  },
  {
    title: 'the payload of a reused handle goes elsewhere',
    queue: 'pooled-queue',
    from: 'this.#payloads[timer] = payload\n',
    to: 'this.#payloads.push(payload)\n',
    breaks: 'release'
  },
  {
    title: 'released handles are never given out again',
    queue: 'pooled-queue',
    from: 'this.#free.push(timer)',
    to: '',
    breaks: 'release'
  },
  {
    title: 'a timer that fires has lost its deadline',
    queue: 'my-queue',
    from: 'timer.pending = false\n',
    to: 'timer.pending = false\n    timer.deadline = 0\n',
    breaks: 'state'
  },
  {
    title: 'insert of a binary heap is declared constant',
    queue: 'heap',
    from: "insert: 'O(log n)'",
    to: "insert: 'O(1)'",
    breaks: 'complexity-insert'
  },
  {
    title: 'insert of a sorted list is declared logarithmic',
    queue: 'sorted-list',
    from: "insert: 'O(n)'",
    to: "insert: 'O(log n)'",
    breaks: 'complexity-insert'
  },
  {
    title: 'reschedule of a binary heap is declared constant',
    queue: 'heap',
    from: "reschedule: 'O(log n)'",
    to: "reschedule: 'O(1)'",
    breaks: 'complexity-reschedule'
  },
  {
    title: 'nextExpiry of an unsorted array is declared constant',
    queue: 'unsorted-array',
    from: "nextExpiry: 'O(n)'",
    to: "nextExpiry: 'O(1)'",
    breaks: 'complexity-nextExpiry'
  },
  {
    title: 'advance of an unsorted array is declared O(k)',
    queue: 'unsorted-array',
    from: "advance: 'O(n)'",
    to: "advance: 'O(k)'",
    breaks: 'complexity-advance'
  },
  {
    title: 'advance of lists per duration is not declared amortised',
    queue: 'duration-lists',
    from: 'O(k log n) amortised\'',
    to: 'O(k log n)\'',
    breaks: 'complexity-advance'
  },
  {
    title: 'nextExpiry looks at all overdue timers and is declared constant',
    queue: 'coarse-wheel',
    from: 'let earliest = this.#overdueFrom',
    to: 'let earliest = this.earliestOf(this.overdue)',
    breaks: 'complexity-nextExpiry'
  },
  {
    title: 'indexOf and splice are declared constant',
    queue: 'searching-queue',
    from: "cancel: 'O(n)'",
    to: "cancel: 'O(1)'",
    breaks: 'complexity-cancel'
  },
  {
    title: 'a restart by indexOf and splice is declared logarithmic',
    queue: 'searching-queue',
    from: "reschedule: 'O(n)'",
    to: "reschedule: 'O(log n)'",
    breaks: 'complexity-reschedule'
  },
  ...mutantsAtScale
]

/**
 * Writes the mutated queue, and the parts that it may import, into a folder.
 *
 * @param {Mutant} mutant
 * @param {string} folder
 * @returns {string} its URL
 */
export function writeMutant ({ queue, file = `${queue}.js`, from, to, title }, folder) {
  cpSync(new URL('parts', QUEUES), path.join(folder, 'parts'), { recursive: true })
  const source = OTHERS.find(({ pathname }) => path.basename(pathname) === `${queue}.js`) ?? new URL(`${queue}.js`, QUEUES)
  cpSync(source, path.join(folder, `${queue}.js`))
  const mutated = path.join(folder, file)
  const pieces = readFileSync(mutated, 'utf8').split(from)
  assert.equal(pieces.length, 2, `"${title}" replaces a text that must be in ${file} once: adapt it to the new text`)
  writeFileSync(mutated, pieces.join(to))
  return pathToFileURL(path.join(folder, `${queue}.js`)).href
}
