/**
 * A timer service in virtual time that may fire some timers late, by less than its slack. Deadlines are rounded up to a
 * multiple of the slack. Timers of about the same deadline then fire together, and a refresh that would not move a
 * timer to another multiple never reaches the queue.
 *
 * Slack is a choice of the code that starts a timer, not of the data structure, so every queue can have it. Linux
 * rounds in the same way (round_jiffies, 2006; apply_slack in mod_timer, 2010). ratas leaves a timer alone that is
 * already pending within the range (schedule_in_range, 2016).
 */
import { VirtualService } from './virtual-service.js'

/** @import { Lateness } from './contract.js' */

class SlackService extends VirtualService {
  #queue
  #slack

  /**
   * @param {any} queue
   * @param {{slack: number, onExpire?: (timer: any) => void}} options  `slack`: milliseconds; 0 and 1 are exact.
   */
  constructor (queue, { slack, onExpire }) {
    super(queue, onExpire)
    this.#queue = queue
    this.#slack = slack
  }

  /**
   * Restarts a timer, pending or not, to fire late by less than the slack.
   *
   * @param {any} timer
   * @param {number} duration
   */
  refresh (timer, duration) {
    if (this.#slack <= 1) return this.restart(timer, duration)
    const deadline = Math.ceil((this.now + duration) / this.#slack) * this.#slack
    if (this.#queue.isPending(timer) && this.#queue.deadlineOf(timer) === deadline) return
    this.restart(timer, deadline - this.now)
  }
}

/** Reports lateness as well. Used only where nothing is timed. */
class RecordingService extends SlackService {
  #lateness

  /**
   * @param {any} queue
   * @param {{slack: number, onExpire?: (timer: any) => void}} options
   * @param {Lateness} lateness
   */
  constructor (queue, { slack, onExpire = () => {} }, lateness) {
    super(queue, {
      slack,
      onExpire: timer => {
        lateness.expired(timer, this.now)
        onExpire(timer)
      }
    })
    this.#lateness = lateness
  }

  /**
   * @override
   * @param {any} timer
   * @param {number} duration
   */
  refresh (timer, duration) {
    this.#lateness.wanted(timer, this.now + duration)
    super.refresh(timer, duration)
  }
}

/**
 * @param {any} queue
 * @param {{slack: number, onExpire?: (timer: any) => void}} options
 * @param {Lateness} [lateness]
 */
export function createSlackService (queue, options, lateness) {
  return lateness ? new RecordingService(queue, options, lateness) : new SlackService(queue, options)
}
