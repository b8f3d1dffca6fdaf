/** Node's own timers: setTimeout, refresh and clearTimeout. */
/** @type {import('../apis.js').CreateTimers} */
export const createTimers = onExpiry => ({
  start: duration => setTimeout(onExpiry, duration),
  touch: timer => timer.refresh(),
  restart: (timer, duration) => {
    clearTimeout(timer)
    return setTimeout(onExpiry, duration)
  }
})
