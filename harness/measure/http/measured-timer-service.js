/** The timer service of a measured server: counts what it does, and how late. */
import { createHistogram } from 'node:perf_hooks'
import { TimerService } from '../../../timers/timer-service.js'
import { wallMs } from '../trust/clock.js'
/** @import { TimerQueue } from '../../../queues/contract.js' */
/** @import { Item } from '../../../timers/timer-service.js' */

export class MeasuredTimerService extends TimerService {
  /** Timer operations by kind since the last reset. A wake-up is spurious when nothing is due. */
  counts = newCounts()
  /** Lateness of the expiries since the last reset, in microseconds, plus 1: a histogram accepts no 0. */
  lateness = createHistogram()
  pendingPeak = 0

  #clock

  /** @param {TimerQueue} queue @param {() => number} [clock]  Monotonic milliseconds, with or without fractions. */
  constructor (queue, clock = wallMs) {
    super(queue, clock)
    this.#clock = clock
  }

  resetCounts () {
    this.counts = newCounts()
    this.lateness.reset()
    this.pendingPeak = this.pending
  }

  /** @override @param {any} item @param {number} duration */
  enroll (item, duration) {
    this.counts.started++
    super.enroll(item, duration)
    if (this.pending > this.pendingPeak) this.pendingPeak = this.pending
  }

  /** @override @param {any} item */
  unrefActive (item) {
    const restarted = super.unrefActive(item)
    if (restarted) this.counts.refreshed++
    return restarted
  }

  /** @override @param {any} item */
  unenroll (item) {
    const stopped = super.unenroll(item)
    if (stopped) this.counts.cancelled++
    return stopped
  }

  /** @protected @override */
  wake () {
    const firedBefore = this.counts.fired
    try {
      super.wake()
    } finally {
      if (this.counts.fired === firedBefore) this.counts.spuriousWakeups++
    }
  }

  /** @protected @override @param {Item} item @param {number} deadline */
  expire (item, deadline) {
    this.counts.fired++
    this.lateness.record(1 + Math.max(0, Math.floor(1000 * (this.#clock() - deadline))))
    super.expire(item, deadline)
  }
}

function newCounts () {
  return { started: 0, refreshed: 0, cancelled: 0, fired: 0, spuriousWakeups: 0 }
}
