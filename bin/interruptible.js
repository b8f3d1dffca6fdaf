/** As a shell expects of a command that was stopped by Ctrl-C. */
const INTERRUPTED = 130

/**
 * Work that Ctrl-C stops, leaving what is finished behind.
 *
 * @param {(signal: AbortSignal) => Promise<number>} work
 * @param {() => void} onStopped
 * @returns {Promise<number>} the exit code
 */
export async function interruptible (work, onStopped) {
  const interrupt = new AbortController()
  const onSignal = () => interrupt.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    return await work(interrupt.signal)
  } catch (error) {
    if (!interrupt.signal.aborted) throw error
    onStopped()
    return INTERRUPTED
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}
