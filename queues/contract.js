/**
 * The queue contract, as types. Every queue, ours or a package's, is a class with these methods; `timerq check`
 * verifies their promises. Deadlines are absolute integer milliseconds on a monotonic clock, from 0 to
 * Number.MAX_SAFE_INTEGER. Timers are opaque handles, objects or integers, so that a queue may keep its timers in typed
 * arrays. The integer of a released timer may be given out again, or never, as browsers do. Queues of a class share no
 * state.
 *
 * @typedef {any} Timer  Opaque outside the queue that made it.
 *
 * @typedef {object} TimerQueue
 * @property {(payload: unknown) => Timer} createTimer  An idle timer, made once and started many times. Any value is a
 *   payload, undefined and NaN, too.
 * @property {(timer: Timer) => void} releaseTimer  Gives an idle handle back. The caller never uses it again, and the
 *   queue keeps no reference to its payload. Entries of stopped timers may stay in a queue, but no more of them than a
 *   multiple of its pending timers, and a constant.
 * @property {(timer: Timer, deadline: number, duration?: number) => void} insert  Starts an idle timer. The caller
 *   passes the duration (deadline minus the present time), since a queue does not see the clock move between two
 *   advances. A queue that needs a duration and gets none counts from the `now` of the latest advance.
 * @property {(timer: Timer) => boolean} cancel  Stops a timer; true if it was pending. Cancelling twice is harmless.
 * @property {(timer: Timer, deadline: number, duration?: number) => void} reschedule  Restarts a timer, pending or not.
 * @property {() => number} nextExpiry  Time of the next work for advance(): never later than the earliest deadline, but
 *   earlier in a wheel that must cascade; Infinity when empty.
 * @property {(now: number, expire: (timer: Timer) => void) => void} advance  Removes every timer with deadline <= now
 *   and calls expire(timer) for each. `expire` may insert, cancel, reschedule or release any timer, and ask anything.
 *   If it throws, no other timer is lost or fired twice, and the next advance carries on. `now` never goes backwards.
 *   `expire` must not call advance. A timer that it starts when it is already due fires in this advance or in the next,
 *   as the queue likes: a callback that always starts one may keep an advance from ending.
 * @property {number} size  Pending timers.
 * @property {(timer: Timer) => number} deadlineOf
 * @property {(timer: Timer) => unknown} payloadOf
 * @property {(timer: Timer) => boolean} isPending
 *
 * @typedef {object} QueueMeta  Declarations of a queue; the conformance kit verifies them.
 * @property {string} name  Kebab case, as on the command line.
 * @property {string} title  One line of plain text.
 * @property {{insert: string, cancel: string, reschedule: string, nextExpiry: string, advance: string}} complexity
 *   Big-O in n pending timers; `advance` for k expired timers.
 * @property {'fifo' | 'deadline' | 'none'} order  Order of the timers of one advance: 'fifo' is by deadline with ties
 *   in the order started, 'deadline' is by deadline with ties in any order.
 * @property {'exact' | {relative: number}} accuracy  Exact, or late by at most this fraction of the duration.
 * @property {string} source  Paper, pull request or package.
 */

export {}
