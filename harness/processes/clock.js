/**
 * The clocks of a measured process, taken before any queue is loaded: a queue that replaces process.cpuUsage or
 * performance.now later changes no figure.
 */
const { cpuUsage } = process

/** Milliseconds of wall time since the process started. */
export const wallMs = performance.now.bind(performance)

/**
 * Microseconds of CPU time of this process, in its own code and in the kernel. Other programs on the core do not count.
 */
export const cpuMicros = () => cpuUsage()

/** The sum of both, in milliseconds. */
export function cpuMs () {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}
