/**
 * Generates programs, in families that differ in operations and times. Queues often fail at the edges of slots and
 * levels, and where timers meet. Many times are therefore powers of two and their neighbours, deadlines of other
 * timers, and small numbers.
 */
import fc from 'fast-check'

/**
 * @import { Arbitrary } from 'fast-check'
 *
 * @typedef {object} When  An instant, relative to the clock.
 * @property {'now' | 'edge' | 'past' | 'timer'} from  2^bits after the clock (none for 0 bits), the next multiple of
 *   2^bits, 2^bits before the clock, or the last deadline of a timer.
 * @property {number} [bits]
 * @property {number} [timer]  SELF or a number.
 * @property {number} offset  Milliseconds.
 *
 * @typedef {object} Step  Timers are numbered, and made when first needed. Both starts restart a pending timer. A step
 *   that makes no sense where it is taken is left out.
 * @property {'insert' | 'reschedule' | 'cancel' | 'release' | 'ask' | 'advance' | 'wait' | 'drain' | 'churn' | 'throw'
 *   | 'repeat' | 'beside'} kind
 * @property {number} [at]  Number of the firing in whose callback the step is taken, from 1; 0 by default: outside.
 * @property {number} [timer]  SELF or a number; default: the first one.
 * @property {When} [when]
 * @property {boolean} [silent]  Omits the duration, though the clock has moved since the latest advance.
 * @property {number} [times]  Iterations of a loop; one per timer by default.
 * @property {string} [body]  Code of a loop in terms of i; see lives.js.
 *
 * @typedef {object} Program
 * @property {Step[]} steps
 * @property {boolean} attentive  Whether the queue's state is checked after every step and in every callback, not only
 *   at the end.
 * @property {boolean} [oddPayloads]  Whether the first timers have payloads that are easily taken for none.
 * @property {string} [inside]  Code of every callback of a long life, in terms of `queue`, `timers`, `timer` and the
 *   number `i` of the firing.
 *
 * @typedef {{programs: Arbitrary<Program>, runs: number}} Family
 */

/** Means the timer that is being fired or started. */
export const SELF = -1

/** Timers and steps of programs, the last of which fill structures of several levels. */
const FEWEST = { timers: 3, steps: 15 }
const FEW = { timers: 8, steps: 30 }
const MANY = { timers: 60, steps: 150 }
const CROWD = { timers: 150, steps: 400 }
/** Callbacks of a program that take steps, at least. */
const CALLBACKS = 12

/** Most slot edges of a wheel lie below 2 to this power. */
const NEAR_BITS = 18
const ALL_BITS = 53
/** Bitwise operators see 32 bits of an instant; wheels that stay within small integers see 30. */
const VISIBLE_BITS = [30, 32]

const near = fc.integer({ min: 0, max: 20 })

/** @param {Record<string, number>} weights */
const weighted = weights =>
  fc.oneof(...Object.entries(weights).map(([value, weight]) => ({ weight, arbitrary: fc.constant(value) })))

/**
 * @param {number} bits  Width of the widest slot.
 * @returns {Arbitrary<any>}
 */
const instants = bits =>
  fc.record({
    from: weighted({ now: 9, edge: 3, timer: 3, past: 2 }),
    bits: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: bits })),
    timer: fc.nat({ max: FEW.timers - 1 }),
    offset: fc.oneof(
      { weight: 5, arbitrary: near },
      { weight: 6, arbitrary: fc.integer({ min: -1, max: 1 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** Math.min(bits, 31) - 1 }) }
    )
  })

/**
 * Instants that differ only above their lower bits.
 *
 * @param {number} bits
 * @returns {Arbitrary<any>}
 */
const lookalikes = bits =>
  fc.record({
    from: weighted({ now: 5, timer: 4 }),
    bits: fc.constantFrom(0, bits),
    timer: fc.constant(SELF),
    offset: fc.oneof(near, fc.constantFrom(-(2 ** bits), 2 ** bits))
  })

/** Instants of programs that have few timeouts: timers of one duration share lists and slots, now and in callbacks. */
const fewDurations = fc.record({ from: fc.constant('now'), offset: fc.constantFrom(1, 100) })

/**
 * @param {object} options
 * @param {number} [options.bits]
 * @param {Arbitrary<any>} [options.times]  Instants of steps.
 * @param {typeof FEW} [options.size]
 * @param {Record<string, number>} [options.more]  Weights of further kinds of steps.
 * @param {boolean} [options.callbacks]
 * @returns {Arbitrary<Program>}
 */
function programs ({ bits = NEAR_BITS, times = instants(bits), size = FEW, more = {}, callbacks = false }) {
  const timer = fc.nat({ max: size.timers - 1 })
  const firing = fc.integer({ min: 1, max: Math.max(CALLBACKS, Math.floor(size.steps / 4)) })
  const step = fc.record({
    kind: weighted({ insert: 8, reschedule: 5, cancel: 4, advance: 6, wait: 1, drain: 1, ...more }),
    at: callbacks ? fc.oneof(fc.constant(0), firing) : fc.constant(0),
    timer: callbacks ? fc.oneof({ weight: 5, arbitrary: timer }, { weight: 1, arbitrary: fc.constant(SELF) }) : timer,
    when: times,
    silent: fc.boolean()
  })
  return /** @type {any} */ (
    fc.record({
      attentive: fc.boolean(),
      oddPayloads: callbacks ? fc.boolean() : fc.constant(false),
      steps: fc.array(step, { maxLength: (callbacks ? 2 : 1) * size.steps, size: 'max' })
    })
  )
}

const RELEASE = { release: 5, churn: 1 }
const ASK = { ask: 2 }
const CALLED = { ...ASK, ...RELEASE }
const THROW = { ...CALLED, throw: 4 }

/**
 * Simple families come first, so that their faults are not blamed on operations that only later families use. Pairs of
 * queues come before all: queues that share state fail anywhere.
 *
 * @type {Family[]}
 */
export const families = [
  { programs: programs({ bits: 4, size: { timers: 5, steps: 20 }, more: { ...RELEASE, beside: 10 } }), runs: 30 },
  { programs: programs({}), runs: 500 },
  { programs: programs({ bits: 3, size: MANY }), runs: 150 },
  { programs: programs({ callbacks: true, more: CALLED }), runs: 600 },
  { programs: programs({ bits: 2, size: MANY, callbacks: true, more: ASK }), runs: 200 },
  { programs: programs({ times: fewDurations, size: FEWEST, callbacks: true, more: CALLED }), runs: 300 },
  { programs: programs({ bits: 4, callbacks: true, more: THROW }), runs: 300 },
  { programs: programs({ bits: 7, size: CROWD, callbacks: true, more: THROW }), runs: 40 },
  { programs: programs({ bits: ALL_BITS }), runs: 500 },
  ...VISIBLE_BITS.map(bits => ({ programs: programs({ times: lookalikes(bits) }), runs: 400 })),
  { programs: programs({ size: MANY, more: RELEASE }), runs: 200 }
]

/**
 * @param {When} when
 * @param {number} clock
 * @param {(timer: number) => number} deadlineOf
 * @returns {number} milliseconds, a valid deadline
 */
export function instantOf ({ from, bits = 0, timer = 0, offset }, clock, deadlineOf) {
  const width = 2 ** bits
  const instant =
    {
      now: () => clock + (bits > 0 ? width : 0),
      edge: () => (Math.floor(clock / width) + 1) * width,
      past: () => clock - width,
      timer: () => deadlineOf(timer)
    }[from]() + offset
  return Math.min(Math.max(0, instant), Number.MAX_SAFE_INTEGER)
}
