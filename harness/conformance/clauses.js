/**
 * The queue contract, sentence by sentence: what `timerq check` shows a line for, in this order.
 *
 * @typedef {{name: string, sentence: string}} Clause
 *
 * @typedef {object} Verdict
 * @property {string} clause  Its name.
 * @property {string} sentence
 * @property {boolean} holds
 * @property {string | null} counterexample  What was seen, then the shortest way to see it again as a test.
 */

/** The operations whose complexity a queue declares. */
export const OPERATIONS = /** @type {const} */ (['insert', 'cancel', 'reschedule', 'nextExpiry', 'advance'])

/** @type {Clause[]} */
export const clauses = [
  { name: 'meta', sentence: 'The queue declares name, title, complexity, order, accuracy and source' },
  { name: 'returns', sentence: 'Every operation returns' },
  { name: 'throws-nothing', sentence: 'No operation throws of its own accord' },
  { name: 'create', sentence: 'createTimer gives an idle timer that is no other one in use' },
  { name: 'release', sentence: 'A released handle may be given out again, and no other timer notices' },
  { name: 'state', sentence: 'isPending, deadlineOf and payloadOf tell what was last asked for' },
  { name: 'size', sentence: 'size is the number of pending timers' },
  { name: 'cancel', sentence: 'cancel says whether the timer was pending, a cancelled timer does not fire, cancelling twice is harmless' },
  { name: 'reschedule', sentence: 'reschedule restarts a timer, pending or not: its last deadline alone counts' },
  { name: 'never-early', sentence: 'Nothing fires early' },
  { name: 'on-time', sentence: 'A timer fires at the first advance from its deadline on, or as late as declared' },
  { name: 'overdue', sentence: 'A timer already due when started fires at the next advance' },
  { name: 'once', sentence: 'A timer fires once each time it is started' },
  { name: 'order', sentence: 'The timers of one advance fire in the declared order' },
  { name: 'inside-expire', sentence: 'Inside expire the fired timer is neither pending nor counted, and may be restarted or released' },
  { name: 're-entrant', sentence: 'expire may insert, cancel or reschedule any timer, the fired one included' },
  { name: 'same-batch', sentence: 'A timer cancelled or moved later by an earlier callback of the same batch does not fire' },
  { name: 'throwing', sentence: 'When expire throws, the caller sees it, no other timer is lost or fired twice, and the next advance carries on' },
  { name: 'next-expiry', sentence: 'nextExpiry is never later than the next timer may fire, and Infinity when none is pending' },
  { name: 'drain', sentence: 'while (queue.size) queue.advance(queue.nextExpiry(), expire) ends' },
  { name: 'far-deadlines', sentence: 'Deadlines up to Number.MAX_SAFE_INTEGER and jumps of any length work' },
  ...OPERATIONS.map(operation => ({
    name: `complexity-${operation}`,
    sentence: `The work of ${operation} grows no faster than declared`
  }))
]

/** @param {string} name */
export function sentenceOf (name) {
  return /** @type {Clause} */ (clauses.find(clause => clause.name === name)).sentence
}
