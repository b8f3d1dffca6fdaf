/**
 * A workload without a queue: code whose speed matters. Here, the numbers in lines of text.
 *
 *   timerq run --scenario ./my-workload.js                   how fast is it?
 *   timerq gate --base main --scenario ./my-workload.js is my working tree slower than main? The exit code says it.
 */

// Your own code goes into modules that this file imports. A gate compares all of them with those of main.
const sumOf = (/** @type {string} */ line) => line.split(' ').reduce((sum, word) => sum + Number(word), 0)

/** @type {import('timerq').CodeScenario} */
export const scenario = {
  name: 'my-workload',
  title: 'sums of numbers in lines of text',
  kind: 'code',
  source: 'this file',
  // Values to measure, which --sweep lines=10,1000 replaces.
  parameters: { lines: { title: 'lines of text', minimum: 1 } },
  presets: { quick: { lines: [1000] }, documented: { lines: [1000] }, ci: { lines: [1000] } },

  /** Everything is prepared here, before the clock starts. `random(limit)` draws an integer from 0 to limit - 1. */
  createWorkload ({ lines }, random) {
    const texts = Array.from({ length: lines }, () => `${random(100)} ${random(10_000)} ${random(1_000_000)}`)
    const outcome = { checksum: 0 }
    return {
      // The same for the same draws, so that a change that does other work is noticed. Using the results keeps V8 from leaving the work out.
      outcome,
      // Timed. Several phases have names of their own, readNsPerOp and writeNsPerOp; an async function is awaited.
      phases: [
        {
          metric: 'nsPerOp',
          operations: lines,
          run () {
            let sum = 0
            for (const text of texts) sum += sumOf(text)
            outcome.checksum = sum
          }
        }
      ]
    }
  }
}
