/** setTimeout, refresh and clearTimeout of timerq-timers. */
import { clearTimeout, setTimeout } from '../../../timers/timers.js'

/** @type {import('../apis.js').CreateTimers} */
export const createTimers = onExpiry => ({
  start: duration => setTimeout(onExpiry, duration),
  touch: timer => timer.refresh(),
  restart: (timer, duration) => {
    clearTimeout(timer)
    return setTimeout(onExpiry, duration)
  }
})
