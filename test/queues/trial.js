/**
 * Generates sequences of operations, and executes them on a queue in step with the model.
 *
 * A queue may choose the order of ties, and some queues any order at all, and what a callback does depends on it. So the
 * model does not predict what fires: it follows the queue and judges.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { ModelQueue } from '../../harness/measure/trust/model-queue.js'

const TIMERS = 5
const FAR = Number.MAX_SAFE_INTEGER
const POWERS = [5, 8, 10, 14, 16, 20, 24, 30, 31, 32, 33, 40, 53]

const index = fc.nat({ max: TIMERS - 1 })
const short = { weight: 6, arbitrary: fc.integer({ min: 0, max: 8 }) }
const middling = { weight: 2, arbitrary: fc.integer({ min: 9, max: 600 }) }
/** At the edges of slots, up to the largest safe integer. */
const edge = fc.tuple(fc.constantFrom(...POWERS), fc.integer({ min: -1, max: 1 })).map(([bits, off]) => 2 ** bits + off)
const passage = fc.oneof(short, middling, edge)
/** Milliseconds from now; some are due already. */
const duration = fc.oneof(short, middling, { weight: 2, arbitrary: edge }, { weight: 2, arbitrary: fc.integer({ min: -8, max: 0 }) })

/** Whoever starts a timer may pass its duration to the queue, or leave the queue to work it out. */
const told = fc.boolean()

/**
 * @param {string} verb
 * @param {Record<string, fc.Arbitrary<unknown>>} [details]
 */
const command = (verb, details) => fc.record({ verb: fc.constant(verb), ...details })
const change = fc.oneof(
  { weight: 3, arbitrary: command('restart', { index, duration, told }) },
  command('start', { index, duration, told }),
  command('cancel', { index }),
  command('release', { index })
)
const passing = fc.oneof({ weight: 2, arbitrary: command('advance', { passage }) }, command('wait', { passage }))

export const sequences = fc.record({
  commands: fc.array(fc.oneof({ weight: 2, arbitrary: change }, passing), { maxLength: 40, size: 'max' }),
  /** What each callback does, in the order in which timers fire. */
  reactions: fc.array(fc.array(fc.oneof({ weight: 4, arbitrary: change }, command('ask'), command('throw')), { maxLength: 3 }))
})

class Thrown extends Error {}

/**
 * @param {number} clock
 * @param {number} duration
 */
const after = (clock, duration) => Math.min(FAR, Math.max(0, clock + duration))

export class Trial {
  #queue
  #meta
  #reactions
  #model = new ModelQueue()
  #timers
  #clock = 0
  /** The time that the queue was last given. */
  #now = 0
  #starts = 0
  /** Grows at the start and at the end of every advance, so it is odd inside: callbacks start timers only there. */
  #stage = 0
  /** What fired last in this advance. */
  #last = { deadline: 0, start: 0 }

  /**
   * @param {import('../../queues/contract.js').TimerQueue} queue
   * @param {import('../../queues/contract.js').QueueMeta} meta
   * @param {any[][]} reactions
   */
  constructor (queue, meta, reactions) {
    this.#queue = queue
    this.#meta = meta
    this.#reactions = reactions.values()
    this.#timers = Array.from({ length: TIMERS }, () => this.#createTimer())
  }

  /** @param {any} command */
  execute ({ verb, index, duration, told, passage }) {
    const timer = this.#timers[index]
    if (verb === 'throw') throw new Thrown()
    if (verb === 'ask') this.#queue.nextExpiry()
    if (verb === 'wait') this.#clock = after(this.#clock, passage)
    if (verb === 'advance') this.#advance(after(this.#clock, passage))
    if (verb === 'restart') this.#start('reschedule', timer, after(this.#clock, duration), told)
    if (verb === 'start' && !timer.model.pending) this.#start('insert', timer, after(this.#clock, duration), told)
    if (verb === 'cancel') assert.equal(this.#queue.cancel(timer.handle), this.#model.cancel(timer.model))
    if (verb === 'release' && !timer.model.pending) {
      this.#queue.releaseTimer(timer.handle)
      this.#timers[index] = this.#createTimer()
    }
    this.#compare()
  }

  drain () {
    for (let wakeUps = 0; this.#queue.size > 0; wakeUps++) {
      assert.ok(wakeUps < 1000, 'nextExpiry leads nowhere')
      this.#advance(Math.max(this.#clock, this.#queue.nextExpiry()))
    }
    this.#compare()
  }

  #createTimer () {
    const timer = { handle: null, model: this.#model.createTimer(null), latest: 0, start: 0, stage: 0 }
    timer.handle = this.#queue.createTimer(timer)
    return timer
  }

  /**
   * @param {'insert' | 'reschedule'} operation
   * @param {any} timer
   * @param {number} deadline
   * @param {boolean} told
   */
  #start (operation, timer, deadline, told) {
    const duration = deadline - (told ? this.#clock : this.#now)
    this.#queue[operation](timer.handle, deadline, told ? duration : undefined)
    this.#model[operation](timer.model, deadline)
    const { accuracy } = this.#meta
    timer.latest = accuracy === 'exact' ? deadline : deadline + accuracy.relative * Math.max(0, duration)
    timer.start = ++this.#starts
    timer.stage = this.#stage
  }

  /** @param {number} now */
  #advance (now) {
    this.#clock = this.#now = now
    this.#stage++
    this.#last = { deadline: 0, start: 0 }
    try {
      this.#queue.advance(now, handle => this.#fire(handle))
      const left = this.#timers.filter(({ model, latest, stage }) => model.pending && latest <= now && stage < this.#stage)
      assert.deepEqual(left, [], `should have fired by ${now}`)
    } catch (error) {
      if (!(error instanceof Thrown)) throw error
    }
    this.#stage++
  }

  /** @param {any} handle */
  #fire (handle) {
    const timer = /** @type {any} */ (this.#queue.payloadOf(handle))
    const { deadline } = timer.model
    assert.equal(handle, timer.handle)
    assert.ok(this.#model.cancel(timer.model), 'fired although not pending')
    assert.equal(this.#queue.deadlineOf(handle), deadline)
    assert.ok(deadline <= this.#now, `fired at ${this.#now}, due at ${deadline}`)
    // An overdue timer that a callback of this advance has started may come in between.
    if (timer.stage < this.#stage) this.#judgeOrder(deadline, timer.start)
    this.#compare()
    for (const reaction of this.#reactions.next().value ?? []) this.execute(reaction)
  }

  /**
   * @param {number} deadline
   * @param {number} start
   */
  #judgeOrder (deadline, start) {
    const { order } = this.#meta
    const last = this.#last
    if (order !== 'none') assert.ok(last.deadline <= deadline, `due at ${deadline}, fired after ${last.deadline}`)
    if (order === 'fifo' && last.deadline === deadline) assert.ok(last.start < start, 'fired before one started earlier')
    this.#last = { deadline, start }
  }

  #compare () {
    const queue = this.#queue
    assert.equal(queue.size, this.#model.size)
    let latest = Infinity
    for (const timer of this.#timers) {
      assert.equal(queue.isPending(timer.handle), timer.model.pending)
      if (!timer.model.pending) continue
      assert.equal(queue.deadlineOf(timer.handle), timer.model.deadline)
      latest = Math.min(latest, timer.latest)
    }
    // The next expiry is known only when an advance is over.
    if (this.#stage % 2 !== 0) return
    const next = queue.nextExpiry()
    assert.ok(latest === Infinity ? next === Infinity : next <= latest, `nextExpiry ${next}, but an expiry at ${latest}`)
  }
}
