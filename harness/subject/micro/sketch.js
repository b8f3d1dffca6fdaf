/** The queues of a table under tinybench, one after the other in this process: its clock, its statistics. */
import { Bench } from 'tinybench'
import { addQueues } from './bench-queues.js'
/** @import { SketchedTable } from './bench-queues.js' */

/**
 * @typedef {object} SketchedRow
 * @property {string} queue
 * @property {number} opsPerSecond  Mean.
 * @property {number} margin  Relative margin of error of the mean.
 * @property {number} nsPerOp  Median.
 * @property {number} samples
 */

/** Fewest samples: one has no margin of error. Queues with long cycles get no more. */
const LEAST_SAMPLES = 3

/**
 * @param {SketchedTable & {warmupMs: number, timeMs: number}} table
 * @returns {Promise<{rows: SketchedRow[]}>}
 */
export async function sketch ({ warmupMs, timeMs, ...table }) {
  const bench = await addQueues(
    new Bench({ warmupTime: warmupMs, time: timeMs, warmupIterations: 1, iterations: LEAST_SAMPLES, throws: true }),
    table
  )
  await bench.run()
  return {
    rows: bench.tasks.map(({ name, result }) => {
      const { throughput, latency } = /** @type {Extract<typeof result, {latency: object}>} */ (result)
      return {
        queue: name,
        opsPerSecond: throughput.mean,
        margin: throughput.rme / 100,
        nsPerOp: 1e6 * latency.p50,
        samples: latency.samplesCount
      }
    })
  }
}
