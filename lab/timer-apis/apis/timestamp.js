/**
 * The pattern that libraries write by hand (compare socket.io's pull request 5524): a touch stores the time, and a
 * native timer that fires too soon is started again for the rest.
 */
class LazyTimer {
  /**
   * @param {() => void} onExpiry
   * @param {number} duration
   */
  constructor (onExpiry, duration) {
    this.onExpiry = onExpiry
    this.duration = duration
    this.touchedAt = Date.now()
    this.native = setTimeout(LazyTimer.check, duration, this)
  }

  /** @param {LazyTimer} timer */
  static check (timer) {
    const rest = timer.touchedAt + timer.duration - Date.now()
    if (rest > 0) timer.native = setTimeout(LazyTimer.check, rest, timer)
    else timer.onExpiry()
  }
}

/** @type {import('../apis.js').CreateTimers} */
export const createTimers = onExpiry => ({
  start: duration => new LazyTimer(onExpiry, duration),
  touch: timer => {
    timer.touchedAt = Date.now()
  },
  restart: (timer, duration) => {
    clearTimeout(timer.native)
    return new LazyTimer(onExpiry, duration)
  }
})
