/**
 * Generates sequences of operations to try on a queue, in families that differ in their operations and times.
 *
 * Queues go wrong at the edges of their slots and levels, and where timers meet. So the times are often powers of two and
 * their neighbours (as durations and as instants), deadlines of other timers, and small numbers.
 */
import fc from 'fast-check'

/**
 * @typedef {object} When  An instant, relative to the clock.
 * @property {'now' | 'edge' | 'past' | 'timer'} from  2^bits after the clock (none for 0 bits), the next multiple of
 *   2^bits, 2^bits before the clock, or the last deadline of a timer.
 * @property {number} [bits]
 * @property {number} [timer]  SELF or a number.
 * @property {number} offset
 *
 * @typedef {object} Step  Timers are numbered, and made when first needed.
 * @property {'start' | 'reschedule' | 'cancel' | 'release' | 'advance' | 'wait' | 'drain' | 'churn' | 'crowd' | 'moveCrowd'
 *   | 'thinCrowd' | 'releaseCrowd' | 'rounds' | 'reuse' | 'stride'} kind
 * @property {number} [timer]  The first one by default.
 * @property {When} [when]
 * @property {boolean} [silent]  Omits the duration, though the clock has moved since the latest advance.
 * @property {number} [count]  Timers of a crowd; how often the step is repeated.
 * @property {Spread} [spread]  Where the timers of a crowd are due; dense by default.
 * @property {number} [every]  Concerns every second timer of the crowd, or every third, and so on.
 * @property {number} [ms]
 *
 * @typedef {'dense' | 'apart' | 'together' | 'wide' | 'falling'} Spread
 *
 * @typedef {object} Action  What one firing does.
 * @property {'none' | 'restart' | 'cancel' | 'release'} kind
 * @property {number} timer  SELF or a number.
 * @property {When} when
 * @property {boolean} throws
 *
 * @typedef {object} Sequence
 * @property {Step[]} steps
 * @property {Action[]} actions  What each firing does, in turn.
 * @property {boolean} attentive  Whether the queue's state is checked after every step, not only at the end, and the first
 *   firings ask for the next expiry.
 *
 * @typedef {object} Family
 * @property {fc.Arbitrary<Sequence>} sequences
 * @property {number} runs
 */

/** Means the timer that is being fired or started. */
export const SELF = -1
/** Numbers above this name a timer of a crowd. */
export const LAST_TIMER = 7
const LAST_OF_CROWD = 60

/** Most slot edges of a wheel lie below 2 to this power. */
const NEAR_BITS = 18
const ALL_BITS = 53
/** Bitwise operators see 32 bits of an instant; wheels that stay within small integers see 30. */
const VISIBLE_BITS = [30, 32]

/** @param {number} bits  Width of the widest slot to look for, in bits. */
function instants (bits) {
  const slots = fc.integer({ min: 1, max: bits })
  const none = fc.constant(0)
  const near = fc.integer({ min: 0, max: 20 })
  const anywhere = fc.integer({ min: 0, max: 2 ** Math.min(bits, 31) - 1 })
  const around = fc.integer({ min: -1, max: 1 })
  const other = fc.nat({ max: LAST_TIMER })
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ from: fc.constant('now'), bits: none, offset: near }) },
    { weight: 3, arbitrary: fc.record({ from: fc.constant('now'), bits: slots, offset: around }) },
    { weight: 3, arbitrary: fc.record({ from: fc.constant('edge'), bits: slots, offset: around }) },
    { weight: 3, arbitrary: fc.record({ from: fc.constant('timer'), timer: other, offset: around }) },
    { weight: 1, arbitrary: fc.record({ from: fc.constant('now'), bits: none, offset: anywhere }) }
  )
}

/**
 * Instants that differ only above their lower bits.
 *
 * @param {number} bits
 */
function lookalikes (bits) {
  const near = fc.integer({ min: 0, max: 20 })
  const apart = fc.constantFrom(-(2 ** bits), 2 ** bits)
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ from: fc.constant('now'), offset: near }) },
    { weight: 2, arbitrary: fc.record({ from: fc.constant('now'), bits: fc.constant(bits), offset: near }) },
    { weight: 4, arbitrary: fc.record({ from: fc.constant('timer'), timer: fc.constant(SELF), offset: apart }) }
  )
}

/**
 * @param {fc.Arbitrary<object>} instants
 * @param {number} bits
 */
function startTimes (instants, bits) {
  const past = fc.record({ from: fc.constant('past'), bits: fc.integer({ min: 0, max: bits }), offset: fc.constant(0) })
  return fc.oneof({ weight: 12, arbitrary: instants }, { weight: 1, arbitrary: past })
}

/**
 * @param {object} wanted
 * @param {number} [wanted.bits]
 * @param {fc.Arbitrary<object>} [wanted.times]  The instants of steps.
 * @param {number} [wanted.crowd]  At most this many timers are started at once.
 * @param {boolean} [wanted.release]
 * @param {boolean} [wanted.actions]
 * @param {boolean} [wanted.throws]
 * @returns {fc.Arbitrary<Sequence>}
 */
function sequences (wanted) {
  const { bits = NEAR_BITS, times = instants(bits), crowd = 0, release = false, actions = false, throws = false } = wanted
  const timer = fc.nat({ max: crowd ? LAST_OF_CROWD : LAST_TIMER })
  const when = startTimes(times, bits)
  const silent = fc.boolean()
  const count = fc.integer({ min: 1, max: Math.max(1, crowd) })
  /** @param {Step['kind']} kind */
  const kind = kind => fc.constant(kind)
  const steps = [
    { weight: 8, arbitrary: fc.record({ kind: kind('start'), timer, when, silent }) },
    { weight: 5, arbitrary: fc.record({ kind: kind('reschedule'), timer, when, silent }) },
    { weight: 4, arbitrary: fc.record({ kind: kind('cancel'), timer }) },
    { weight: 6, arbitrary: fc.record({ kind: kind('advance'), when: times }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('wait'), when: times }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('drain') }) },
    { weight: release ? 5 : 0, arbitrary: fc.record({ kind: kind('release'), timer }) },
    { weight: release ? 1 : 0, arbitrary: fc.record({ kind: kind('churn') }) },
    { weight: crowd ? 1 : 0, arbitrary: fc.record({ kind: kind('crowd'), count }) }
  ]
  const action = fc.record({
    kind: fc.constantFrom(...(['none', 'restart', 'cancel', ...(release ? ['release'] : [])])),
    timer: fc.integer({ min: SELF, max: LAST_TIMER }),
    when,
    throws: throws ? fc.boolean() : fc.constant(false)
  })
  return /** @type {any} */ (fc.record({
    steps: fc.array(fc.oneof(...steps.filter(({ weight }) => weight > 0)), { maxLength: 30, size: 'max' }),
    actions: actions ? fc.array(action, { maxLength: 12, size: 'max' }) : fc.constant([]),
    attentive: fc.boolean()
  }))
}

/**
 * Simple families come first, so that their faults are not blamed on operations that only later families use.
 *
 * @type {Family[]}
 */
export const families = [
  { sequences: sequences({}), runs: 1000 },
  { sequences: sequences({ bits: 3, crowd: 120 }), runs: 400 },
  { sequences: sequences({ actions: true, release: true }), runs: 1500 },
  { sequences: sequences({ bits: 2, actions: true, crowd: 6 }), runs: 600 },
  { sequences: sequences({ bits: 4, actions: true, throws: true }), runs: 600 },
  { sequences: sequences({ bits: ALL_BITS }), runs: 1000 },
  ...VISIBLE_BITS.map(bits => ({ sequences: sequences({ times: lookalikes(bits) }), runs: 500 })),
  { sequences: sequences({ release: true, crowd: 120 }), runs: 400 }
]

/**
 * When the i-th timer of a crowd is due, in milliseconds after the first: as a function and as code.
 *
 * @param {Spread} spread
 * @param {number} count  Timers of the crowd.
 */
export function spreadOf (spread, count) {
  return {
    dense: { code: `i * 7 % ${count}`, offsetOf: (/** @type {number} */ i) => i * 7 % count },
    apart: { code: 'i * 7919 % 131072', offsetOf: (/** @type {number} */ i) => i * 7919 % 131_072 },
    together: { code: '0', offsetOf: () => 0 },
    wide: { code: 'i * 7919 % 2 ** (i % 31)', offsetOf: (/** @type {number} */ i) => i * 7919 % 2 ** (i % 31) },
    falling: { code: `${count} - i`, offsetOf: (/** @type {number} */ i) => count - i }
  }[spread]
}

/**
 * @param {When} when
 * @param {number} clock
 * @param {(timer: number) => number} deadlineOf
 */
export function instantOf ({ from, bits = 0, timer = 0, offset }, clock, deadlineOf) {
  const width = 2 ** bits
  const instant = {
    now: () => clock + (bits > 0 ? width : 0),
    edge: () => (Math.floor(clock / width) + 1) * width,
    past: () => clock - width,
    timer: () => deadlineOf(timer)
  }[from]() + offset
  return Math.min(Math.max(0, instant), Number.MAX_SAFE_INTEGER)
}
