/**
 * Runs a function before the program ends, by itself or by a signal.
 *
 * @param {() => void} write  May be called more than once.
 */
export function atEnd (write) {
  process.once('exit', write)
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      write()
      // Without another listener, the signal would have ended the program.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
    })
  }
}
