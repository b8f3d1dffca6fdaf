/** Restarts of pending timeouts by refresh(), as a socket does at each byte: of one duration, or of many. */
'use strict'

const common = require('../common.js')

const bench = common.createBenchmark(main, {
  n: [1e6],
  timers: [1000],
  durations: [1, 100]
})

function main ({ n, timers, durations }) {
  const pending = Array.from({ length: timers }, (_, i) => setTimeout(() => {}, 60_000 + 1000 * (i % durations)))
  bench.start()
  for (let i = 0; i < n; i++) pending[i % timers].refresh()
  bench.end(n)
  for (const timer of pending) clearTimeout(timer)
}
