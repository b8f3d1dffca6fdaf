/** setTimeout of node:timers/promises, which can only be started. */
import { setTimeout as sleep } from 'node:timers/promises'

/** @type {(onExpiry: () => void) => Pick<import('../apis.js').Timers, 'start'>} */
export const createTimers = onExpiry => ({
  start: duration => sleep(duration).then(onExpiry)
})
