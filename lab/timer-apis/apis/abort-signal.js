/** AbortSignal.timeout, which times out a request of fetch. A signal can only be started. */

/** @type {(onExpiry: () => void) => Pick<import('../apis.js').Timers, 'start'>} */
export const createTimers = onExpiry => ({
  start (duration) {
    const signal = AbortSignal.timeout(duration)
    signal.onabort = onExpiry
    return signal
  }
})
