/** Results that shims make up: nothing is measured while a file is read, and files print their results. */

/** One for each statistic that any version of the libraries has. */
const STATISTICS = [
  'aad', 'avg', 'critical', 'df', 'deviation', 'mad', 'max', 'mean', 'min', 'moe', 'p25', 'p50', 'p75', 'p99', 'p995',
  'p999', 'rme', 'samplesCount', 'sd', 'sem', 'ticks', 'variance'
]

/** @returns {any} */
export const statistics = () => ({
  ...Object.fromEntries(STATISTICS.map(name => [name, 1])),
  samples: [1],
  sample: [1]
})

/** Remark on an error of a file that has run tasks. */
export const MADE_UP = ' (after a run, whose results timerq makes up: a file that checks them is not supported)'
