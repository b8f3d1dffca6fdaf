/**
 * Fast timers of the npm package undici: one native timer scans all of them every 499 ms. Durations of up to a second
 * are native timers.
 */
import timers from 'undici/lib/util/timers.js'

/** @type {import('../apis.js').CreateTimers} */
export const createTimers = onExpiry => ({
  start: duration => timers.setFastTimeout(onExpiry, duration),
  touch: timer => timer.refresh(),
  restart: (timer, duration) => {
    timers.clearFastTimeout(timer)
    return timers.setFastTimeout(onExpiry, duration)
  }
})
