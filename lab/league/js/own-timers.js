/**
 * The runtime's own setTimeout behind the contract. It follows the real clock, and the driver never returns to the
 * event loop: nothing fires, and time passes for nothing.
 */

/** Factor that makes durations so long that nothing is due within a run. */
const MS_PER_MS = 1000

export class OwnTimers {
  createTimer () {
    return { timeout: undefined, ms: 0 }
  }

  insert (timer, deadline, ms) {
    timer.ms = ms
    timer.timeout = setTimeout(expire, ms * MS_PER_MS)
  }

  reschedule (timer, deadline, ms) {
    // A server restarts an idle timer like this, where the runtime can.
    if (ms === timer.ms && timer.timeout.refresh) {
      timer.timeout.refresh()
    } else {
      clearTimeout(timer.timeout)
      this.insert(timer, deadline, ms)
    }
  }

  cancel (timer) {
    clearTimeout(timer.timeout)
  }

  advance () {}
}

function expire () {}
