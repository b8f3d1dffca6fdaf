/**
 * Long lives of a queue: many pending timers, or few timers started very often. They find faults that show only when an
 * array grows, a table is resized, a slot of many timers cascades or a counter wraps around.
 *
 * A life is a list of loops. The body of a loop is code in `queue`, `timers`, `expire` and the iteration `i`, for trial
 * and counter-example. Statements end in '; ' and call the queue once each.
 *
 * @import { Step } from './programs.js'
 *
 * @typedef {object} Life
 * @property {number} largest  The largest n to try.
 * @property {(n: number) => Step[]} steps
 * @property {string} [inside]  Code of every callback, in terms of `timer` and the number `i` of the firing, too.
 */

/** Each life is tried at all sizes up to its largest. The small sizes show how fast the queue is. */
export const SIZES = [200, 2000, 20_000, 200_000]

/** Timers that are started again and again. */
const FEW = 50

// eslint-disable-next-line no-template-curly-in-string
const CREATE = 'timers.push(queue.createTimer(`timers[${timers.length}]`))'

/**
 * @param {string} body
 * @param {number} [times]  One per timer by default.
 * @returns {Step}
 */
const repeat = (body, times) => ({ kind: 'repeat', body, times })

/**
 * @param {number} count
 * @param {string} deadline
 */
const start = (count, deadline) => repeat(`${CREATE}; queue.insert(timers.at(-1), ${deadline})`, count)

/**
 * @param {string} deadline
 * @param {string} [condition]
 */
const move = (deadline, condition = '') =>
  repeat(`${condition && `if (${condition}) `}queue.reschedule(timers[i], ${deadline})`)

/**
 * @param {number} count  Advances.
 * @param {number} first
 * @param {number} ms  Milliseconds from one advance to the next.
 */
const stride = (count, first, ms) => repeat(`queue.nextExpiry(); queue.advance(${first} + ${ms} * i, expire)`, count)

/** @param {number} count */
const wakeUps = count => repeat('if (queue.size > 0) queue.advance(queue.nextExpiry(), expire)', count)

const release = [repeat('queue.cancel(timers[i]); queue.releaseTimer(timers[i])'), repeat('timers.length = 0', 1)]

const APART = 'i * 7919 % 16384 * 8'
const WIDE = 'i * 7919 % 2 ** (i % 31)'
/** Later than the deadlines of all starts before it, of which none may fire. */
const LAST = [repeat('queue.reschedule(timers[1], 1000)', 1), stride(3, 5, 50)]
const COME_AND_GO = 'queue.insert(timers[0], 9 + i % 64); queue.cancel(timers[0])'
const NEXT = 'timers[i % timers.length]'
/** A millisecond passes every 25 moves. */
const NOW = '(i - i % 25) / 25'
const REUSE = `${CREATE}; ${COME_AND_GO}; queue.releaseTimer(timers.pop())`

/** @type {Life[]} */
export const lives = [
  {
    // Every kind of operation on n timers.
    largest: 20_000,
    steps: n => [
      start(n / 8, `1 + ${APART}`),
      start(n / 4, `1 + i * 7 % ${n / 4}`),
      start((n * 5) / 8, `1 + ${APART}`),
      move(`1 + i * 7 % ${n}`, 'i % 3 === 0'),
      repeat('if (i % 4 !== 0) queue.cancel(timers[i])'),
      stride(8, 1009, 1009),
      move(`8073 + ${APART}`, 'i % 2 === 0'),
      stride(64, 10_000, 2048)
    ]
  },
  {
    // Arrays grow, with a deadline for each timer. Then some are removed from the middle, some expire, and all others
    // form a crowd that is due far ahead and close together.
    largest: 200_000,
    steps: n => [
      repeat(`${CREATE}; queue.insert(timers.at(-1), 2 ** 22 + i * 7919 % ${n}); queue.nextExpiry()`, n),
      repeat('if (i % 4 === 0) queue.cancel(timers[i])'),
      stride(4, 2 ** 22, Math.ceil(n / 16)),
      move('2 ** 23 + i * 7919 % 4096', 'i % 4 > 0'),
      stride(2, 2 ** 22 + 2 ** 20, 2 ** 20),
      stride(5, 2 ** 23, 1024)
    ]
  },
  {
    // Durations of all magnitudes: timers cascade through the levels of a wheel by the thousand.
    largest: 20_000,
    steps: n => [
      start(n, `1 + ${WIDE}`),
      stride(20, 97, 97),
      move(`2000 + ${WIDE}`, 'i % 2 === 0'),
      stride(64, 3000, 1021),
      stride(33, 2 ** 25, 2 ** 25)
    ]
  },
  {
    // Woken by nextExpiry alone.
    largest: 2000,
    steps: n => [start(n, `1 + ${WIDE}`), wakeUps(20 * n), move(`2 ** 30 + ${n} - i`), wakeUps(20 * n)]
  },
  {
    // Few timers, moved one after the other, n times in all. Some expire before.
    largest: 200_000,
    steps: n => [
      start(FEW, '1 + i'),
      repeat(
        `queue.reschedule(${NEXT}, ${NOW} + 1 + i % 3); queue.deadlineOf(${NEXT}); queue.advance(${NOW}, expire)`,
        n
      )
    ]
  },
  {
    // Handles that are released one by one, and by the thousand.
    largest: 200_000,
    steps: n => [
      repeat(REUSE, n / 2),
      ...[n / 20, n / 20].flatMap(count => [start(count, `9 + ${APART}`), ...release]),
      start(n / 20, `9 + ${APART}`),
      stride(8, 16_384, 16_384)
    ]
  },
  {
    // Callbacks that start their own timer again, stop another one, move a third and make a fourth.
    largest: 20_000,
    inside: [
      'if (i % 4 === 0) queue.insert(timer, queue.deadlineOf(timer) + 1 + i % 500)',
      'queue.cancel(timers[i * 7 % timers.length])',
      'if (i % 8 === 1) queue.reschedule(timers[i * 13 % timers.length], queue.deadlineOf(timer) + i % 70)',
      `if (i % 8 === 2) { ${CREATE}; queue.insert(timers.at(-1), queue.deadlineOf(timer) + i % 9) }`
    ].join('; '),
    steps: n => [start(n, `1 + ${APART}`), stride(64, 2048, 2048)]
  },
  ...['queue.reschedule(timers[1], 10 + i % 64)', 'queue.insert(timers[1], 10 + i % 64); queue.cancel(timers[1])'].map(
    restart => ({
      // One timer, started n times behind an earlier one: entries of old starts may be left behind, and numbers of
      // starts come again. Only the last start may fire.
      largest: 200_000,
      steps: (/** @type {number} */ n) => [start(1, '5'), repeat(CREATE, 1), repeat(restart, n), ...LAST]
    })
  ),
  {
    // The same, of a timer that is released and made again.
    largest: 200_000,
    steps: n => [
      start(1, '5'),
      repeat(
        `${CREATE}; queue.insert(timers[1], 10 + i % 64); queue.cancel(timers[1]); queue.releaseTimer(timers.pop())`,
        n
      ),
      repeat(CREATE, 1),
      ...LAST
    ]
  },
  {
    // Ties of three timers, n times: numbers of starts, which break ties, wrap around between any two of them.
    largest: 200_000,
    steps: n => [
      start(3, '1'),
      repeat(
        `${[0, 1, 2].map(k => `queue.reschedule(timers[${k}], 2 + i)`).join('; ')}; queue.advance(2 + i, expire)`,
        n / 2
      )
    ]
  }
]
