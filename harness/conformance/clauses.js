/**
 * The queue contract, sentence by sentence. `timerq check` shows a line a clause: the broken ones first, the others in
 * this order.
 *
 * @typedef {object} ClauseVerdict
 * @property {string} clause  Name of the clause.
 * @property {string} sentence
 * @property {boolean} holds
 * @property {string | null} counterexample  Shortest failing test, counts of work, or why nothing was counted; null if
 *   the clause holds.
 */

/** Operations whose complexity a queue declares. */
export const OPERATIONS = /** @type {const} */ (['insert', 'cancel', 'reschedule', 'nextExpiry', 'advance'])

/** Complexity that every queue promises, declared or not. */
export const HANDLE_COMPLEXITY = /** @type {const} */ ({
  createTimer: 'O(1) amortised',
  releaseTimer: 'O(1) amortised',
  isPending: 'O(1)',
  deadlineOf: 'O(1)',
  payloadOf: 'O(1)'
})

const HANDLES = 'complexity-handles'
export const COMPLEXITY_CLAUSES = [...OPERATIONS.map(operation => `complexity-${operation}`), HANDLES]

/** Verdict on these clauses where some call is endless. */
export const NOT_COUNTED = 'not counted, because not every operation returns'

/**
 * Clause that limits the work of an operation.
 *
 * @param {string} operation  One of OPERATIONS, or a method that makes or reads handles.
 */
export const complexityClauseOf = operation => (operation in HANDLE_COMPLEXITY ? HANDLES : `complexity-${operation}`)

/** @type {{name: string, sentence: string}[]} */
export const clauses = [
  { name: 'meta', sentence: 'The queue declares name, title, complexity, order, accuracy and source' },
  { name: 'returns', sentence: 'Every operation returns' },
  { name: 'throws-nothing', sentence: 'No operation throws an error of its own' },
  { name: 'instances', sentence: 'Two queues at the same time do not affect each other' },
  { name: 'create', sentence: 'createTimer returns an idle timer that is not in use' },
  { name: 'payload', sentence: 'Any value can be a payload, also undefined, null, 0, false and NaN' },
  { name: 'release', sentence: 'Released handles, reused or not, affect no other timer' },
  { name: 'state', sentence: 'isPending, deadlineOf and payloadOf return what was last set' },
  { name: 'size', sentence: 'size is the number of pending timers' },
  { name: 'cancel', sentence: 'cancel stops a timer and returns whether it was pending; again: false' },
  { name: 'reschedule', sentence: 'reschedule restarts a timer, pending or not, at its new deadline' },
  { name: 'never-early', sentence: 'Nothing fires early' },
  { name: 'on-time', sentence: 'A timer fires on time, or late by no more than the declared accuracy' },
  { name: 'overdue', sentence: 'A timer that is already due when started fires at the next advance' },
  { name: 'once', sentence: 'A timer fires once each time it is started' },
  { name: 'order', sentence: 'The timers of one advance fire in the declared order' },
  { name: 'inside-expire', sentence: 'Inside expire the fired timer is neither pending nor counted' },
  { name: 're-entrant', sentence: 'expire may insert, cancel, reschedule and release any timer' },
  { name: 'due-again', sentence: 'A timer that expire starts when it is due fires by the next advance' },
  { name: 'same-batch', sentence: 'A timer that expire cancels or postpones does not fire in that advance' },
  { name: 'throwing', sentence: 'When expire throws, no other timer is lost or fired twice' },
  { name: 'next-expiry', sentence: 'nextExpiry is never too late, and Infinity when nothing is pending' },
  { name: 'drain', sentence: 'Advancing to nextExpiry again and again empties the queue' },
  { name: 'far-deadlines', sentence: 'Deadlines up to Number.MAX_SAFE_INTEGER and long jumps in time work' },
  ...OPERATIONS.map((operation, i) => ({
    name: COMPLEXITY_CLAUSES[i],
    sentence: `The work of ${operation} grows no faster than declared`
  })),
  { name: HANDLES, sentence: 'Creating, releasing and reading timers costs the same at every size' },
  { name: 'retained', sentence: 'Timers that fired, were cancelled or were released hold no memory' }
]

/** @param {string} clause  Name of the clause. */
export function sentenceOf (clause) {
  const { sentence } = clauses.find(({ name }) => name === clause) ?? { sentence: clause }
  return sentence
}

/**
 * Broken clauses come before the others, and the shortest test first: it explains most.
 *
 * @param {ClauseVerdict[]} verdicts
 */
export function shortestFirst (verdicts) {
  const linesOf = (/** @type {ClauseVerdict} */ { counterexample }) => counterexample?.split('\n').length ?? 0
  const isTest = (/** @type {ClauseVerdict} */ { counterexample }) => counterexample?.includes('\ntest(') ?? false
  const [tests, others] = [verdicts.filter(isTest), verdicts.filter(verdict => !isTest(verdict))]
  return [
    ...tests.sort((a, b) => linesOf(a) - linesOf(b)),
    ...others.filter(({ holds }) => !holds),
    ...others.filter(({ holds }) => holds)
  ]
}
