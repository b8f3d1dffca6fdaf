/**
 * Random lives of a queue, judged as `check` judges: crowds, long jumps in time, deadlines on both sides of the powers
 * of two that wheels use as widths, timers that come and go, and callbacks that start and stop timers.
 */
import assert from 'node:assert/strict'
import { hasLinear } from '../../harness/conformance/complexity.js'
import { promisesOf } from '../../harness/conformance/subject/declaration.js'
import { Follower } from '../../harness/conformance/subject/follower.js'
import { createRandom } from '../../harness/model/random.js'

/** @typedef {(limit: number) => number} Random */

const OPERATIONS = 1500
/** A life has up to two to this power of timers: fewer in queues that look at all of them. */
const MOST_TIMERS_BITS = { linear: 6, other: 11 }
/** Queues of which every wake-up fires something. */
const PUNCTUAL = [
  'binary-heap',
  'quaternary-heap',
  'pairing-heap',
  'quick-heap',
  'skip-list',
  'calendar-queue',
  'ordered-map',
  'bounded-wheel'
]
/** Bits of the longest duration of a life: within a slot of level 1, within a level, within a span, years. */
const DURATION_BITS = [3, 9, 12, 17, 25, 34, 51]
/** Lives begin at 0, or just before one of these. */
const BEGINNINGS = [2 ** 16, 2 ** 24, 2 ** 30, 2 ** 31, 2 ** 32, 2 ** 40]

/**
 * Ways to draw a deadline. A life mixes three of them.
 *
 * @type {((life: {now: number, bits: number, random: Random, step: number, last: number}) => number)[]}
 */
const deadlines = [
  ({ now, random }) => now + random(20),
  ({ now, bits, random }) => now + Math.floor(2 ** bits * unit(random)),
  ({ now, bits, random }) => now + 2 ** random(bits + 1) + random(3) - 1,
  ({ now, bits, random }) => edgeAfter(now, random(bits + 1)) + random(3) - 1,
  ({ now, bits, random }) => now - 2 ** random(bits + 1),
  ({ last, random }) => last + random(3) - 1,
  ({ now, bits }) => now + 2 ** bits - 1,
  ({ now, bits, step }) => now + Math.ceil((2 ** bits * step) / OPERATIONS),
  ({ now, bits, step }) => now + Math.ceil(2 ** bits * (1 - step / OPERATIONS))
]

/** @type {(time: number, bits: number) => number} */
const edgeAfter = (time, bits) => (Math.floor(time / 2 ** bits) + 1) * 2 ** bits

/** @param {Random} random */
const unit = random => random(2 ** 30) / 2 ** 30

/**
 * @param {{Queue: new () => any, meta: any}} queue
 * @param {number} seed
 * @throws {Error} the broken clause
 */
export function live ({ Queue, meta }, seed) {
  const random = createRandom(seed)
  const follower = new Follower(promisesOf(meta), new Set())
  follower.queue = new Queue()
  try {
    new Life(follower, random, hasLinear(meta.complexity)).pass()
    drain(follower, PUNCTUAL.includes(meta.name))
  } catch (error) {
    const { fault } = follower
    throw fault ? new Error(`life ${seed}: ${fault.clause}: ${fault.message}`) : error
  }
}

class Life {
  #follower
  #random
  #size
  #bits
  #ways
  #operationsPerAdvance
  /** @type {any[]} */
  #timers = []
  #step = 0
  #last = 0

  /**
   * @param {Follower} follower
   * @param {Random} random
   * @param {boolean} isLinear
   */
  constructor (follower, random, isLinear) {
    this.#follower = follower
    this.#random = random
    this.#size = 2 ** random(MOST_TIMERS_BITS[isLinear ? 'linear' : 'other'] + 1)
    this.#bits = this.#oneOf(DURATION_BITS)
    this.#ways = [0, 1, 2].map(() => this.#oneOf(deadlines))
    this.#operationsPerAdvance = 2 ** random(10)
  }

  pass () {
    const random = this.#random
    if (random(2) === 0) this.#advance(this.#oneOf(BEGINNINGS) - 1 - random(2 ** Math.min(this.#bits, 11)))
    for (; this.#step < OPERATIONS; this.#step++) {
      if (random(this.#operationsPerAdvance) === 0) this.#advance(this.#laterTime())
      this.#operate(random(this.#size))
    }
    this.#follower.judgeState()
    this.#follower.nextExpiry()
  }

  /**
   * @template T
   * @param {T[]} values
   * @returns {T}
   */
  #oneOf = values => values[this.#random(values.length)]

  /** @param {number} index */
  #operate (index) {
    const follower = this.#follower
    const timer = (this.#timers[index] ??= follower.createTimer(String(index)))
    const draw = this.#random(12)
    if (draw > 1) return this.#start(timer)
    follower.cancel(timer)
    if (draw > 0) return
    follower.releaseTimer(timer)
    this.#timers[index] = undefined
  }

  /** @param {any} timer */
  #start (timer) {
    const follower = this.#follower
    const { now } = follower
    const way = this.#oneOf(this.#ways)
    const drawn = way({ now, bits: this.#bits, random: this.#random, step: this.#step, last: this.#last })
    const deadline = Math.min(Math.max(0, drawn), Number.MAX_SAFE_INTEGER)
    this.#last = deadline
    if (follower.timerOf(timer).pending || this.#random(2) === 0) follower.reschedule(timer, deadline)
    else follower.insert(timer, deadline)
  }

  #laterTime () {
    const { now } = this.#follower
    const next = this.#follower.nextExpiry()
    const later = [now, now + 1, now + this.#random(300), edgeAfter(now, this.#random(this.#bits + 1)), next, next - 1]
    const time = this.#oneOf(later)
    return time > Number.MAX_SAFE_INTEGER ? now : Math.max(now, time)
  }

  /** @param {number} now */
  #advance (now) {
    this.#follower.advance(now, timer => {
      const draw = this.#random(16)
      if (draw < 4) this.#start(timer)
      if (draw === 4) this.#operate(this.#random(this.#size))
      if (draw === 5) this.#follower.nextExpiry()
    })
  }
}

/**
 * @param {Follower} follower
 * @param {boolean} isPunctual
 */
function drain (follower, isPunctual) {
  while (follower.size > 0) {
    const before = follower.firings
    follower.advance(Math.max(follower.now, follower.nextExpiry()), () => {})
    assert.ok(!isPunctual || follower.firings > before, `nothing is due at ${follower.now}`)
  }
  follower.judgeState()
  follower.nextExpiry()
}
