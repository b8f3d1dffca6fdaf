/**
 * Generates sequences of operations, in families that differ in operations and times. Queues often fail at the edges of
 * slots and levels, and where timers meet. Many times are therefore powers of two and their neighbours, deadlines of
 * other timers, and small numbers.
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
 * @typedef {object} SequenceStep  Timers are numbered, and made when first needed.
 * @property {'insert' | 'reschedule' | 'cancel' | 'release' | 'advance' | 'wait' | 'drain' | 'churn' | 'repeat'} kind
 * @property {number} [timer]  The first one by default.
 * @property {When} [when]
 * @property {boolean} [silent]  Omits the duration, though the clock has moved since the latest advance.
 * @property {number} [times]  Iterations of a loop; one per timer by default.
 * @property {string} [body]  Code of a loop in terms of i; see lives.js.
 *
 * @typedef {object} Call  A call of the queue in a callback.
 * @property {'ask' | 'restart' | 'start' | 'cancel' | 'release'} kind  Both starts restart a pending timer;
 *   for an idle one, they are a reschedule and an insert.
 * @property {number} timer  SELF or a number.
 * @property {When} when
 *
 * @typedef {object} Action  Behaviour of one firing: calls, and whether it throws after them.
 * @property {Call[]} calls
 * @property {boolean} throws
 *
 * @typedef {object} Sequence
 * @property {SequenceStep[]} steps
 * @property {Action[]} actions  Behaviour of each firing, in turn.
 * @property {boolean} attentive  Whether the queue's state is checked after every step and in every callback, not only
 *   at the end.
 * @property {boolean} [oddPayloads]  Whether the first timers have payloads that are easily taken for none.
 * @property {string} [inside]  Code of every callback of a long life, in terms of `queue`, `timers`, `timer` and the
 *   number `i` of the firing.
 * @property {SequenceStep[]} [beside]  Steps of a second queue that lives at the same time.
 *
 * @typedef {{sequences: Arbitrary<Sequence>, runs: number}} Family
 */

/** Means the timer that is being fired or started. */
export const SELF = -1

/** Timers and steps of sequences, the last of which fill structures of several levels. */
const FEWEST = { timers: 3, steps: 15 }
const FEW = { timers: 8, steps: 30 }
const MANY = { timers: 60, steps: 150 }
const CROWD = { timers: 150, steps: 400 }
/** Calls in one callback. */
const MOST_CALLS = 4

/** Most slot edges of a wheel lie below 2 to this power. */
const NEAR_BITS = 18
const ALL_BITS = 53
/** Bitwise operators see 32 bits of an instant; wheels that stay within small integers see 30. */
const VISIBLE_BITS = [30, 32]

/** @typedef {Arbitrary<any>} Instants */

/**
 * Weighted choices among records that share the value of one field.
 *
 * @param {'from' | 'kind'} name
 */
function choiceOf (name) {
  return (/** @type {number} */ weight, /** @type {string} */ value, /** @type {object} */ more = {}) => ({
    weight,
    arbitrary: fc.record({ [name]: fc.constant(value), ...more })
  })
}
const instant = choiceOf('from')
const step = choiceOf('kind')

/**
 * @param {number} bits  Width of the widest slot.
 * @returns {Instants}
 */
function instants (bits) {
  const slots = fc.integer({ min: 1, max: bits })
  const near = fc.integer({ min: 0, max: 20 })
  const anywhere = fc.integer({ min: 0, max: 2 ** Math.min(bits, 31) - 1 })
  const around = fc.integer({ min: -1, max: 1 })
  const timer = fc.nat({ max: FEW.timers - 1 })
  return fc.oneof(
    instant(5, 'now', { offset: near }),
    instant(3, 'now', { bits: slots, offset: around }),
    instant(3, 'edge', { bits: slots, offset: around }),
    instant(3, 'timer', { timer, offset: around }),
    instant(1, 'now', { offset: anywhere })
  )
}

/**
 * Instants that differ only above their lower bits.
 *
 * @param {number} bits
 * @returns {Instants}
 */
function lookalikes (bits) {
  const near = fc.integer({ min: 0, max: 20 })
  const apart = fc.constantFrom(-(2 ** bits), 2 ** bits)
  return fc.oneof(
    instant(3, 'now', { offset: near }),
    instant(2, 'now', { bits: fc.constant(bits), offset: near }),
    instant(4, 'timer', { timer: fc.constant(SELF), offset: apart })
  )
}

/** Instants of programs that have few timeouts: timers of one duration share lists and slots, now and in callbacks. */
const fewDurations = instant(1, 'now', { offset: fc.constantFrom(1, 100) }).arbitrary

/**
 * @param {object} options
 * @param {number} [options.bits]
 * @param {Instants} [options.times]  Instants of steps.
 * @param {typeof FEW} [options.size]
 * @param {boolean} [options.release]
 * @param {boolean} [options.actions]
 * @param {boolean} [options.throws]
 * @param {boolean} [options.pair]
 * @returns {Arbitrary<Sequence>}
 */
function sequences ({
  bits = NEAR_BITS,
  times = instants(bits),
  size = FEW,
  release = false,
  actions = false,
  throws = false,
  pair = false
}) {
  const timer = fc.nat({ max: size.timers - 1 })
  const past = { bits: fc.integer({ min: 0, max: bits }), offset: fc.constant(0) }
  const when = fc.oneof({ weight: 12, arbitrary: times }, instant(1, 'past', past))
  const silent = fc.boolean()
  const steps = [
    step(8, 'insert', { timer, when, silent }),
    step(5, 'reschedule', { timer, when, silent }),
    step(4, 'cancel', { timer }),
    step(6, 'advance', { when: times }),
    step(1, 'wait', { when: times }),
    step(1, 'drain'),
    ...(release ? [step(5, 'release', { timer }), step(1, 'churn')] : [])
  ]
  const target = fc.oneof({ weight: 1, arbitrary: fc.constant(SELF) }, { weight: 3, arbitrary: timer })
  const calls = [
    step(2, 'ask', { timer: target, when }),
    step(4, 'restart', { timer: target, when }),
    step(3, 'start', { timer: target, when }),
    step(3, 'cancel', { timer: target, when }),
    ...(release ? [step(3, 'release', { timer: target, when })] : [])
  ]
  const action = fc.record({
    calls: fc.array(fc.oneof(...calls), { maxLength: MOST_CALLS, size: 'max' }),
    throws: throws ? fc.boolean() : fc.constant(false)
  })
  const list = (/** @type {number} */ maxLength) => fc.array(fc.oneof(...steps), { maxLength, size: 'max' })
  const more = pair ? { beside: list(size.steps) } : {}
  return /** @type {any} */ (
    fc.record({
      steps: list(size.steps),
      actions: actions
        ? fc.array(action, { maxLength: Math.max(12, Math.floor(size.steps / 4)), size: 'max' })
        : fc.constant([]),
      attentive: fc.boolean(),
      oddPayloads: actions ? fc.boolean() : fc.constant(false),
      ...more
    })
  )
}

/**
 * Simple families come first, so that their faults are not blamed on operations that only later families use. Pairs of
 * queues come before all: queues that share state fail anywhere.
 *
 * @type {Family[]}
 */
export const families = [
  { sequences: sequences({ bits: 4, release: true, pair: true, size: { timers: 3, steps: 10 } }), runs: 30 },
  { sequences: sequences({}), runs: 500 },
  { sequences: sequences({ bits: 3, size: MANY }), runs: 150 },
  { sequences: sequences({ actions: true, release: true }), runs: 600 },
  { sequences: sequences({ bits: 2, actions: true, size: MANY }), runs: 200 },
  { sequences: sequences({ times: fewDurations, actions: true, release: true, size: FEWEST }), runs: 300 },
  { sequences: sequences({ bits: 4, actions: true, throws: true, release: true }), runs: 300 },
  { sequences: sequences({ bits: 7, actions: true, throws: true, release: true, size: CROWD }), runs: 40 },
  { sequences: sequences({ bits: ALL_BITS }), runs: 500 },
  ...VISIBLE_BITS.map(bits => ({ sequences: sequences({ times: lookalikes(bits) }), runs: 400 })),
  { sequences: sequences({ release: true, size: MANY }), runs: 200 }
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
