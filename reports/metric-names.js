/** What metrics are called in reports, where the reader has not read the list of them. */

/** @type {Map<string, {title: string, axis: string}>} */
const NAMES = new Map(Object.entries({
  nsPerOp: { title: 'time per operation', axis: 'ns per operation' },
  startNsPerTimer: { title: 'time to start a timer', axis: 'ns per started timer' },
  expireNsPerTimer: { title: 'time to expire a timer', axis: 'ns per expired timer' },
  startAndExpire: { title: 'time to start and expire a timer', axis: 'ns per timer' },
  nextExpiryNsPerCall: { title: 'time to ask when the next timer is due', axis: 'ns per call of nextExpiry' },
  advanceNsPerCall: { title: 'time to look for due timers', axis: 'ns per call of advance' },
  nextExpiryAndAdvance: { title: 'time to ask when the next timer is due and to look for due ones', axis: 'ns per poll' },
  workPerOp: { title: 'work per operation', axis: 'basic blocks executed per operation' },
  bytesPerTimer: { title: 'memory per pending timer', axis: 'bytes per pending timer' },
  cpuMicrosPerRequest: { title: 'server CPU per request', axis: 'µs of server CPU per request' },
  requestsPerSecond: { title: 'requests per second', axis: 'requests per second' },
  latencyP50Ms: { title: 'median latency', axis: 'ms' },
  latencyP99Ms: { title: '99th percentile of latency', axis: 'ms' },
  latenessP99Ms: { title: 'lateness of expiries, 99th percentile', axis: 'ms after the deadline' },
  gcPauseMs: { title: 'garbage collection pauses', axis: 'ms' },
  queueShare: { title: 'share of busy CPU spent in the queue', axis: 'share of busy CPU' }
}))

/** @param {string} metric */
export function metricTitle (metric) {
  return NAMES.get(metric)?.title ?? metric
}

/** @param {string} metric */
export function metricAxis (metric) {
  return NAMES.get(metric)?.axis ?? metric
}
