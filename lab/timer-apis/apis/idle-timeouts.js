/** IdleTimeouts of timerq-timers. Each item may have another timeout. */
import { IdleTimeouts } from '../../../timers/index.js'

/** @type {import('../apis.js').CreateTimers} */
export const createTimers = (onExpiry, { resolution }) => {
  const idle = new IdleTimeouts({ timeout: 120_000, onIdle: onExpiry, resolution })
  return {
    start: duration => idle.add(idle, duration),
    touch: handle => idle.touch(handle),
    restart: (handle, duration) => {
      idle.delete(handle)
      return idle.add(idle, duration)
    }
  }
}
