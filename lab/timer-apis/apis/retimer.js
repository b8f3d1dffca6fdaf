/** The npm package retimer: a native timer that looks at its deadline again when it fires. */
import retimer from 'retimer'

/** @type {import('../apis.js').CreateTimers} */
export const createTimers = onExpiry => ({
  start: duration => retimer(onExpiry, duration),
  touch: timer => timer.reschedule(),
  restart: (timer, duration) => {
    timer.clear()
    return retimer(onExpiry, duration)
  }
})
