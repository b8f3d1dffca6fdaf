/**
 * A day of virtual time in every queue: mixed timers are started, refreshed, cancelled and released, and a ledger says
 * what must have fired after every advance. TIMERQ_SOAK_HOURS are the hours, 24 by default.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/model/random.js'
import { queues } from '../../queues/index.js'

const HOURS = Number(process.env.TIMERQ_SOAK_HOURS ?? 24)
const HOUR_MS = 3_600_000
const TIMERS = 500
/** Operations follow each other at random within twice this time. */
const MEAN_GAP_MS = 400
/** Durations from a poll to a session of two days, which is pending when the day ends. */
const DURATIONS_MS = [5, 40, 250, 1000, 5000, 30_000, 120_000, 15 * 60_000, HOUR_MS, 12 * HOUR_MS, 48 * HOUR_MS]

for (const { name, url } of queues.filter(({ origin }) => origin === 'own')) {
  test(`${name}: ${HOURS} hours of virtual time`, async t => {
    const { meta, ...exported } = await import(url)
    const seed = Number(process.env.TIMERQ_SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31))
    t.diagnostic(`the same day again: TIMERQ_SOAK_SEED=${seed}`)
    const day = new Day(new /** @type {any} */ (Object.values(exported)[0])(), meta, createRandom(seed))
    t.diagnostic(JSON.stringify(day.pass(HOURS * HOUR_MS)))
  })
}

/**
 * @typedef {object} Entry  What the ledger knows of a timer.
 * @property {any} handle
 * @property {boolean} isPending
 * @property {number} deadline
 * @property {number} latest  When it must have fired: later than the deadline where the queue is not exact.
 */

class Day {
  #queue
  #accuracy
  #random
  #now = 0
  #pending = 0
  #counts = { started: 0, refreshed: 0, cancelled: 0, released: 0, fired: 0, advances: 0 }
  /** @type {Entry[]} */
  #entries = []

  /**
   * @param {import('../../queues/contract.js').TimerQueue} queue
   * @param {import('../../queues/contract.js').QueueMeta} meta
   * @param {import('../../harness/model/random.js').Random} random
   */
  constructor (queue, { accuracy }, random) {
    this.#queue = queue
    this.#accuracy = accuracy
    this.#random = random
    for (let i = 0; i < TIMERS; i++) this.#entries.push(this.#createEntry())
  }

  /**
   * @param {number} end
   * @returns {object} operations by kind
   */
  pass (end) {
    let operation = 0
    while (this.#now < end) {
      // In the past, where a wheel has not been advanced since and must cascade.
      const wake = this.#queue.nextExpiry()
      assert.ok(wake <= this.#latest(), `nextExpiry ${wake}, but an expiry at ${this.#latest()}`)
      if (wake < operation) this.#advance(Math.max(this.#now, wake))
      else {
        this.#now = operation
        this.#operate()
        operation += this.#random(2 * MEAN_GAP_MS)
      }
    }
    // Timers that are left fire on the days after.
    for (let wakeUps = 0; this.#pending > 0; wakeUps++) {
      assert.ok(wakeUps < 100 * TIMERS, 'nextExpiry leads nowhere')
      this.#advance(Math.max(this.#now, this.#queue.nextExpiry()))
    }
    assert.equal(this.#queue.size, 0)
    assert.equal(this.#queue.nextExpiry(), Infinity)
    return this.#counts
  }

  #operate () {
    const index = this.#random(TIMERS)
    const entry = this.#entries[index]
    const { isPending } = entry
    assert.equal(this.#queue.isPending(entry.handle), isPending)
    const draw = this.#random(10)
    if (draw === 0) {
      assert.equal(this.#queue.cancel(entry.handle), isPending)
      if (isPending) this.#counts.cancelled++
      this.#end(entry)
    } else if (draw === 1 && !isPending) {
      this.#queue.releaseTimer(entry.handle)
      this.#counts.released++
      this.#entries[index] = this.#createEntry()
    } else {
      this.#start(entry)
    }
    assert.equal(this.#queue.size, this.#pending)
  }

  /** @param {Entry} entry */
  #start (entry) {
    const longest = DURATIONS_MS[this.#random(DURATIONS_MS.length)]
    const duration = 1 + this.#random(longest)
    const deadline = this.#now + duration
    if (entry.isPending) this.#counts.refreshed++
    else this.#counts.started++
    if (entry.isPending) this.#queue.reschedule(entry.handle, deadline, duration)
    else this.#queue.insert(entry.handle, deadline, duration)
    if (!entry.isPending) this.#pending++
    const mayBeLateBy = this.#accuracy === 'exact' ? 0 : this.#accuracy.relative * duration
    Object.assign(entry, { isPending: true, deadline, latest: deadline + mayBeLateBy })
  }

  /** @param {number} now */
  #advance (now) {
    this.#now = now
    this.#counts.advances++
    this.#queue.advance(now, handle => {
      const entry = /** @type {Entry} */ (this.#queue.payloadOf(handle))
      assert.equal(entry.handle, handle)
      assert.ok(entry.isPending, `fired at ${now}, although not pending`)
      assert.ok(entry.deadline <= now, `fired at ${now}, due at ${entry.deadline}`)
      this.#counts.fired++
      this.#end(entry)
      // Half of them are repeated.
      if (this.#random(2) === 0 && now < HOURS * HOUR_MS) this.#start(entry)
    })
    assert.ok(this.#latest() > now, `should have fired by ${now}: due at ${this.#latest()} at the latest`)
    assert.equal(this.#queue.size, this.#pending)
  }

  /** @param {Entry} entry */
  #end (entry) {
    if (entry.isPending) this.#pending--
    entry.isPending = false
  }

  /** When the first of the pending timers must have fired. */
  #latest () {
    let latest = Infinity
    for (const entry of this.#entries) if (entry.isPending && entry.latest < latest) latest = entry.latest
    return latest
  }

  /** @returns {Entry} */
  #createEntry () {
    const entry = /** @type {Entry} */ ({ handle: null, isPending: false, deadline: 0, latest: 0 })
    entry.handle = this.#queue.createTimer(entry)
    return entry
  }
}
