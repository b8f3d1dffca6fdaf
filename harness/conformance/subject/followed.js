/** A timer that the follower follows, and the judgement of its firings. */

/**
 * @import { QueueMeta } from '../../../queues/contract.js'
 *
 * @typedef {{name: string, payload: unknown, deadline: number, started: number}} Firing
 */

/** Stands for the advance of calls outside callbacks. */
export const NONE = -1

export class Followed {
  /** Deadline of the latest start. */
  deadline = 0
  /** Number of the latest start. */
  started = 0
  /** Advance in whose callback the timer was last started. */
  startedIn = NONE
  /** Advance in whose callback the timer was last cancelled. */
  cancelledIn = NONE
  cancelled = false
  /** Whether the latest start found the timer pending. */
  moved = false
  /** Whether the timer was due when it was started. */
  overdue = false
  firings = 0

  /**
   * @param {string} name
   * @param {any} handle
   * @param {any} model  The model's timer.
   * @param {unknown} payload  Different from that of every other timer of a test.
   */
  constructor (name, handle, model, payload) {
    this.name = name
    this.handle = handle
    this.model = model
    this.payload = payload
    model.payload = this
  }

  get pending () {
    return this.model.pending
  }
}

/**
 * @param {Followed} timer  Just fired; its state is that before the firing.
 * @param {{now: number, advance: number, last: Firing | null, order: QueueMeta['order']}} situation  `last`: the firing
 *   before, if the order between the two is promised.
 * @returns {{clause: string, message: string, assertion: string} | null}
 */
export function judgeFiring (timer, { now, advance, last, order }) {
  const { name, deadline, startedIn, moved, firings } = timer
  const unexpected = (/** @type {string} */ clause, /** @type {string} */ message) => ({
    clause,
    message: `${name} fired ${message}`,
    assertion: timesFired(timer, firings)
  })
  if (timer.cancelled) {
    return timer.cancelledIn === advance
      ? unexpected('same-batch', 'though an earlier callback had cancelled it')
      : unexpected('cancel', 'though it had been cancelled')
  }
  if (!timer.pending) return unexpected('once', `${firings > 0 ? 'again ' : ''}without having been started`)
  if (deadline > now) {
    const clause = !moved ? 'never-early' : startedIn === advance ? 'same-batch' : 'reschedule'
    return unexpected(clause, `at ${now}, before its deadline of ${deadline}`)
  }
  return last === null || startedIn === advance ? null : judgeOrder(timer, last, order)
}

/**
 * @param {Followed} timer
 * @param {Firing} last
 * @param {QueueMeta['order']} order
 */
function judgeOrder ({ name, deadline, started, payload }, last, order) {
  if (order === 'none' || deadline > last.deadline) return null
  const isTie = deadline === last.deadline
  if (isTie && (order === 'deadline' || started > last.started)) return null
  const message = isTie
    ? `${name} fired after ${last.name}, which is also due at ${deadline} but was started later`
    : `${name}, due at ${deadline}, fired after ${last.name}, due at ${last.deadline}`
  return {
    clause: 'order',
    message,
    assertion: `assert.ok(${codeOfLast(payload)} < ${codeOfLast(last.payload)})`
  }
}

/**
 * @param {Followed} timer
 * @param {number} times
 * @returns {string} code that asserts how often a timer has fired
 */
export function timesFired ({ name, payload }, times) {
  const isIts = payload === name ? `name => name === '${name}'` : `payload => Object.is(payload, ${codeOf(payload)})`
  return `assert.equal(fired.filter(${isIts}).length, ${times})`
}

/** @param {unknown} payload */
const codeOfLast = payload =>
  Object.is(payload, NaN) ? 'fired.findLastIndex(Number.isNaN)' : `fired.lastIndexOf(${codeOf(payload)})`

/** @param {unknown} value */
export const codeOf = value => (typeof value === 'string' ? `'${value}'` : String(value))
