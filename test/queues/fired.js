/** Starts timers and lists what fires. */
import assert from 'node:assert/strict'

/**
 * @param {any} queue
 * @param {number} now
 */
export function advanceTo (queue, now) {
  /** @type {unknown[]} */
  const fired = []
  queue.advance(now, (/** @type {any} */ timer) => fired.push(queue.payloadOf(timer)))
  return fired
}

/**
 * Advances from one nextExpiry to the next until the queue is empty.
 *
 * @param {any} queue
 * @param {number} [most] how many advances may be needed
 */
export function drain (queue, most = 1000) {
  /** @type {{payload: unknown, at: number}[]} */
  const fired = []
  for (let advances = 0; queue.size > 0; advances++) {
    assert.ok(advances < most, `still ${queue.size} pending after ${most} advances`)
    const now = queue.nextExpiry()
    queue.advance(now, (/** @type {any} */ timer) => fired.push({ payload: queue.payloadOf(timer), at: now }))
  }
  return fired
}

/**
 * @param {any} queue
 * @param {number} deadline
 * @param {unknown} [payload]
 */
export function start (queue, deadline, payload = deadline) {
  const timer = queue.createTimer(payload)
  queue.insert(timer, deadline)
  return timer
}
