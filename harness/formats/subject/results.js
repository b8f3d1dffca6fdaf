/**
 * Results that shims make up, as nothing is measured while a file is read: files print them, and nothing that they
 * print may fail. A file that expects something of them, such as a task that is twice as fast as another, may fail all
 * the same: it is then read again with other figures, which grow from task to task, or shrink.
 */
import { GROWTH } from '../made-up.js'

/** One for each statistic that any version of the libraries has. */
const STATISTICS = [
  'aad', 'avg', 'critical', 'df', 'deviation', 'mad', 'max', 'mean', 'min', 'moe', 'p25', 'p50', 'p75', 'p99', 'p995',
  'p999', 'rme', 'samplesCount', 'sd', 'sem', 'ticks', 'variance'
]

const MOST = 1e300

let growth = 1
let figure = 1

/** @param {number} variant */
export function makeUp (variant) {
  growth = GROWTH[variant]
}

/**
 * Figures of another task.
 *
 * @returns {any}
 */
export function statistics () {
  figure = Math.min(MOST, Math.max(1 / MOST, figure * growth))
  return { ...Object.fromEntries(STATISTICS.map(name => [name, figure])), samples: [figure], sample: [figure] }
}
