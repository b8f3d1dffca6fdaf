/** Random programs of calls, on a clock that only the test moves. fast-check prints the seed of one that fails. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { IdleTimeouts } from '../../timers/idle-timeouts.js'

/**
 * @typedef {object} Model  An item.
 * @property {IdleTimeouts<Model>} owner
 * @property {import('../../timers/idle-timeouts.js').IdleHandle} handle
 * @property {number} timeout
 * @property {number} number  Counts the items.
 * @property {number} earliest
 * @property {number} latest
 * @property {number} blocked  Milliseconds by which the clock had leapt when the item was added.
 * @property {boolean} isTouched
 * @property {boolean} isGone
 */

const DEFAULT_MS = 70
/** By callbacks, on purpose. */
const thrown = new Error('callback')
const INSTANCES = 3

const which = { instance: fc.nat({ max: INSTANCES - 1 }), nth: fc.nat() }
const calls = [
  fc.record({
    op: fc.constant('add'),
    ...which,
    timeout: fc.oneof(
      fc.constant(undefined),
      fc.double({ min: 0.5, max: 300, noNaN: true }),
      fc.double({ min: 0.5, max: 200_000, noNaN: true })
    ),
    many: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 600 }))
  }),
  fc.record({ op: fc.constantFrom('touch', 'delete'), ...which }),
  // So many that the clock is no longer read at each, and then one more, later in the same turn of the event loop.
  fc.record({
    op: fc.constant('touchOften'),
    ...which,
    many: fc.integer({ min: 100, max: 1000 }),
    blocked: fc.integer({ min: 0, max: 100 })
  }),
  fc.record({ op: fc.constant('close'), ...which })
]
const step = fc.oneof(
  ...calls,
  // What the next callback does.
  fc.record({ op: fc.constant('inside'), step: fc.oneof(...calls, fc.constant({ op: 'throw' })) }),
  fc.record({ op: fc.constant('pass'), ms: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ op: fc.constant('jump'), ms: fc.integer({ min: 1, max: 60_000 }) }),
  fc.record({
    op: fc.constant('block'),
    ms: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1000 }))
  })
)

test('programs of calls: nothing expires early, late, twice, in the wrong order, or after it was deleted', t => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100, size: 'max' }), fc.constantFrom(3, 7, 30), (steps, resolution) => {
      const program = new Program(t, resolution)
      for (const step of steps) program.take(step)
      program.end()
    }),
    { numRuns: 500 }
  )
})

class Program {
  #now = 1000.5
  #blocked = 0
  #mock
  #resolution
  /** @type {Model[]} */
  #models = []
  /** @type {IdleTimeouts<Model>[]} */
  #instances
  /**
   * The latest of each timeout that has expired and was never touched.
   *
   * @type {Map<string, number>}
   */
  #expired = new Map()
  /**
   * Steps of the next callbacks.
   *
   * @type {any[]}
   */
  #inside = []

  /**
   * @param {import('node:test').TestContext} t
   * @param {number} resolution
   */
  constructor (t, resolution) {
    this.#mock = t.mock
    this.#mock.timers.reset()
    this.#mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] })
    this.#resolution = resolution
    this.#instances = Array.from({ length: INSTANCES }, () => this.#create())
  }

  /** @param {any} step */
  take ({ op, instance, nth, timeout, many, blocked, ms, step }) {
    const idle = this.#instances[instance]
    const model = this.#models[nth % this.#models.length]
    if (op === 'throw') throw thrown
    if (op === 'inside') this.#inside.push(step)
    else if (op === 'add') for (let i = 0; i < many; i++) this.#add(idle, timeout)
    else if (op === 'close') this.#close(instance)
    else if (op === 'pass') this.#pass(ms)
    else if (op === 'block' || op === 'jump') this.#block(ms)
    if (op === 'jump') this.#tick(ms)
    if (model && op === 'touch') this.#touch(idle, model)
    if (model && op === 'touchOften') {
      for (let i = 0; i < many; i++) this.#touch(model.owner, model)
      this.#block(blocked)
      this.#touch(model.owner, model)
    }
    if (model && op === 'delete') {
      assert.equal(idle.delete(model.handle), this.#isPending(idle, model))
      if (idle === model.owner) model.isGone = true
    }
    for (const idle of this.#instances) assert.equal(idle.size, this.#pendingIn(idle).length)
  }

  end () {
    for (let instance = 0; instance < INSTANCES; instance++) this.#close(instance)
    this.#mock.timers.reset()
  }

  /** @returns {IdleTimeouts<Model>} */
  #create () {
    return new IdleTimeouts({
      timeout: DEFAULT_MS,
      resolution: this.#resolution,
      onIdle: model => this.#expire(model),
      now: () => this.#now
    })
  }

  /**
   * @param {IdleTimeouts<Model>} idle
   * @param {Model} model
   */
  #isPending = (idle, model) => model.owner === idle && !model.isGone

  /** @param {IdleTimeouts<Model>} idle */
  #pendingIn = idle => this.#models.filter(model => this.#isPending(idle, model))

  /**
   * @param {IdleTimeouts<Model>} idle
   * @param {number | undefined} timeout
   */
  #add (idle, timeout) {
    const model = /** @type {Model} */ ({
      owner: idle,
      timeout: timeout ?? DEFAULT_MS,
      number: this.#models.length,
      blocked: this.#blocked,
      isTouched: false,
      isGone: false
    })
    model.handle = idle.add(model, timeout)
    this.#restart(model)
    this.#models.push(model)
  }

  /**
   * @param {IdleTimeouts<Model>} idle
   * @param {Model} model
   */
  #touch (idle, model) {
    const isPending = this.#isPending(idle, model)
    assert.equal(idle.touch(model.handle), isPending)
    if (!isPending) return
    model.isTouched = true
    this.#restart(model)
  }

  /** @param {Model} model */
  #restart (model) {
    model.earliest = this.#now + model.timeout
    // The mock moves by whole milliseconds.
    model.latest = model.earliest + this.#resolution + 2
  }

  /** @param {Model} model */
  #expire (model) {
    assert.ok(!model.isGone, 'twice, or deleted')
    model.isGone = true
    assert.ok(this.#now >= model.earliest, `early by ${model.earliest - this.#now}`)
    assert.ok(this.#now <= model.latest + this.#blocked, `late by ${this.#now - model.latest - this.#blocked}`)
    this.#judgeOrder(model)
    if (this.#inside.length > 0) this.take(this.#inside.shift())
  }

  /** @param {Model} model */
  #judgeOrder (model) {
    // The order is not promised after a leap of the clock (timers/README.md).
    if (model.isTouched || model.blocked !== this.#blocked) return
    const alike = `${this.#instances.indexOf(model.owner)} ${model.timeout}`
    assert.ok((this.#expired.get(alike) ?? -1) < model.number, 'in another order than they were added')
    this.#expired.set(alike, model.number)
  }

  /** @param {number} instance */
  #close (instance) {
    const idle = this.#instances[instance]
    const pending = this.#pendingIn(idle)
    assert.deepEqual(new Set(idle.close()), new Set(pending))
    for (const model of pending) model.isGone = true
    this.#instances[instance] = this.#create()
    assert.ok(this.#models.every(({ handle }) => !this.#instances[instance].touch(handle)))
  }

  /** @param {number} ms */
  #pass (ms) {
    for (let i = 0; i < ms; i++) {
      this.#now++
      this.#tick(1)
    }
  }

  /**
   * Timers after a callback that throws come with the next tick.
   *
   * @param {number} ms
   */
  #tick (ms) {
    try {
      this.#mock.timers.tick(ms)
    } catch (error) {
      if (error !== thrown) throw error
      this.#tick(0)
    }
  }

  /**
   * The clock goes on, and timers come late.
   *
   * @param {number} ms
   */
  #block (ms) {
    this.#now += ms
    this.#blocked += ms
  }
}
