/** Adapters of heaps that cannot remove: tombstones, their sweeps, and the table of npm's heaps. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { gateFiles } from '../../harness/gate/gate-plan.js'
import { queues } from '../../queues/index.js'
import { adapt, byDeadline } from '../../queues/peers/lazy-deletion.js'
import { drain, start } from './fired.js'

/** @type {any[]} */
let entries
const { Queue: SortedArrayTimers } = adapt('sorted-array', {
  create: () => (entries = []),
  first: ([first]) => first,
  push: (_, entry) => {
    entries.push(entry)
    entries.sort(byDeadline)
  },
  pop: () => entries.shift(),
  entries: all => all
})

test('tombstones never outnumber the pending timers by more than a few', () => {
  const queue = new SortedArrayTimers()
  const timers = Array.from({ length: 10 }, (_, index) => start(queue, 1000 + index))
  let most = 0
  for (let refresh = 0; refresh < 1000; refresh++) {
    queue.reschedule(timers[refresh % 10], 2000 + refresh)
    most = Math.max(most, entries.length)
  }
  assert.ok(most <= 10 + 10 + 64 + 1, `${most} entries for 10 timers`)
  assert.equal(drain(queue).length, 10)
})

test('a timer that has fired starts again with the entry it had', () => {
  const queue = new SortedArrayTimers()
  const timer = start(queue, 10)
  const { entry } = timer
  drain(queue)
  queue.insert(timer, 20)
  assert.equal(timer.entry, entry)
})

test('a timer whose tombstone is still there starts with another entry', () => {
  const queue = new SortedArrayTimers()
  const timer = start(queue, 10)
  const { entry } = timer
  queue.reschedule(timer, 5)
  assert.notEqual(timer.entry, entry)
  assert.deepEqual(
    drain(queue).map(({ at }) => at),
    [5]
  )
})

test('a name that no peer has is answered with the names of all', () =>
  assert.rejects(
    import(`../../queues/peers/index.js?${'nope'}`),
    /NAME picks a peer: tinyqueue, .*, list-toolkit-heap$/
  ))

test('a peer is no file that gate could compare', () => {
  const parts = { scenarios: [], queues: queues.filter(({ name }) => name === 'tinyqueue') }
  const given = { root: new URL('../..', import.meta.url).pathname, baseRef: 'main', baseCommit: '', isNamed: true }
  assert.throws(
    () => gateFiles(/** @type {any} */ (parts), given),
    /--queue must name files of the repository .*, got tinyqueue/
  )
})
