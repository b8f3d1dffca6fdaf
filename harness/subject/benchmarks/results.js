/** Results that shims return from run(): files print them, and nothing that they print may fail. */

/** One for each statistic that any version of the libraries has. */
const STATISTICS = [
  'aad', 'avg', 'critical', 'df', 'deviation', 'mad', 'max', 'mean', 'min', 'moe', 'p25', 'p50', 'p75', 'p99', 'p995',
  'p999', 'rme', 'samplesCount', 'sd', 'sem', 'ticks', 'variance'
]

/** @returns {any} */
export const statistics = () => ({ ...Object.fromEntries(STATISTICS.map(name => [name, 1])), samples: [1] })
