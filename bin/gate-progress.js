import { describeCell } from '../reports/documents/comparison-words.js'

/** How often a line is printed where there is no terminal. */
const LINE_EVERY_MS = 10_000

/**
 * @param {import('./main.js').Streams['stderr']} stream
 */
export function createGateProgress (stream) {
  let last = -Infinity
  let shown = false
  return {
    /** @param {import('../harness/gate/run.js').GateProgress} progress */
    show ({ pair, open, total, rounds, secondsLeft }) {
      const line = `pair ${pair.round + 1} of at most ${rounds}, ${open} of ${total} cells undecided, ${Math.max(0, Math.round(secondsLeft))} s of the budget left, ${describeCell(pair.cell)}`
      if (stream.isTTY) {
        stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
        shown = true
      } else if (performance.now() - last >= LINE_EVERY_MS) {
        stream.write(`${line}\n`)
        last = performance.now()
      }
    },

    end () {
      if (shown) stream.write('\r\u001b[2K')
    }
  }
}
