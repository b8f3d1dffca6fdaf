/**
 * The clocks of a measuring process, taken before any queue is loaded: a queue that replaces process.cpuUsage or
 * performance.now later does not change them.
 */
const { cpuUsage } = process

/** Milliseconds of wall time since the process started. */
export const wallMs = performance.now.bind(performance)

/** CPU time of this process so far, in milliseconds: what other programs do on the same core is not in it. */
export function cpuMs () {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/** The same in microseconds, in its own code and in the kernel. */
export function cpuMicros () {
  return cpuUsage()
}
