/** What metrics are called in reports, where the reader has not read the list of them. */

/** @type {Map<string, {title: string, axis: string, of: string}>}  `of`: as in "the least time an operation". */
const NAMES = new Map(Object.entries({
  nsPerOp: { title: 'time per operation', axis: 'ns per operation', of: 'an operation' },
  startNsPerTimer: { title: 'time to start a timer', axis: 'ns per started timer', of: 'starting a timer' },
  expireNsPerTimer: { title: 'time to expire a timer', axis: 'ns per expired timer', of: 'expiring a timer' },
  workPerOp: { title: 'work per operation', axis: 'basic blocks executed per operation', of: 'work' },
  bytesPerTimer: { title: 'memory per pending timer', axis: 'bytes per pending timer', of: 'memory' },
  cpuMicrosPerRequest: { title: 'server CPU per request', axis: 'µs of server CPU per request', of: 'a request' },
  requestsPerSecond: { title: 'requests per second', axis: 'requests per second', of: 'throughput' },
  latencyP50Ms: { title: 'median latency', axis: 'ms', of: 'median latency' },
  latencyP99Ms: { title: '99th percentile of latency', axis: 'ms', of: 'latency' },
  latenessP99Ms: { title: 'lateness of expiries, 99th percentile', axis: 'ms after the deadline', of: 'lateness' },
  gcPauseMs: { title: 'garbage collection pauses', axis: 'ms', of: 'garbage collection' },
  queueShare: { title: 'share of busy CPU spent in the queue', axis: 'share of busy CPU', of: 'CPU share' }
}))

/** @param {string} metric */
export function metricTitle (metric) {
  return NAMES.get(metric)?.title ?? metric
}

/** @param {string} metric */
export function metricAxis (metric) {
  return NAMES.get(metric)?.axis ?? metric
}
