/** Another program that keeps a core busy. It ends with the process that started it. */
const SPIN_MS = 20

process.once('disconnect', () => process.exit())
keepBusy()

function keepBusy () {
  const end = performance.now() + SPIN_MS
  while (performance.now() < end);
  setImmediate(keepBusy)
}
