/**
 * Every metric: its unit, which direction is better, what it says.
 *
 * @typedef {{unit: string, better: 'lower' | 'higher', title: string}} Metric
 * @type {Record<string, Metric>}
 */
export const metrics = {
  nsPerOp: { unit: 'ns', better: 'lower', title: 'time per operation' },
  startNsPerTimer: { unit: 'ns', better: 'lower', title: 'time to start a timer' },
  expireNsPerTimer: { unit: 'ns', better: 'lower', title: 'time to expire a timer' },
  nextExpiryNsPerCall: { unit: 'ns', better: 'lower', title: 'time to ask when the next timer is due' },
  advanceNsPerCall: { unit: 'ns', better: 'lower', title: 'time to look for due timers' },
  workPerOp: { unit: 'blocks', better: 'lower', title: 'basic blocks executed per operation' },
  bytesPerTimer: { unit: 'bytes', better: 'lower', title: 'memory per pending timer' },
  cpuMicrosPerRequest: { unit: 'µs', better: 'lower', title: 'server CPU per request' },
  userMicrosPerRequest: { unit: 'µs', better: 'lower', title: 'server CPU per request, user' },
  systemMicrosPerRequest: { unit: 'µs', better: 'lower', title: 'server CPU per request, system' },
  requestsPerSecond: { unit: '1/s', better: 'higher', title: 'requests per second' },
  latencyP50Ms: { unit: 'ms', better: 'lower', title: 'latency, median' },
  latencyP99Ms: { unit: 'ms', better: 'lower', title: 'latency, 99th percentile' },
  getLatencyP50Ms: { unit: 'ms', better: 'lower', title: 'latency of GET, median' },
  getLatencyP99Ms: { unit: 'ms', better: 'lower', title: 'latency of GET, 99th percentile' },
  getLatencyMaxMs: { unit: 'ms', better: 'lower', title: 'latency of GET, worst' },
  postLatencyP50Ms: { unit: 'ms', better: 'lower', title: 'latency of POST, median' },
  postLatencyP99Ms: { unit: 'ms', better: 'lower', title: 'latency of POST, 99th percentile' },
  postLatencyMaxMs: { unit: 'ms', better: 'lower', title: 'latency of POST, worst' },
  busyMicrosPerRequest: { unit: 'µs', better: 'lower', title: 'time a process is busy with a request' },
  busyProcesses: { unit: 'processes', better: 'lower', title: 'processes busy on average' },
  errors: { unit: '', better: 'lower', title: 'errors seen by the client' },
  queueShare: { unit: '', better: 'lower', title: 'share of busy CPU spent in the queue' },
  fidelityError: { unit: '', better: 'lower', title: 'error of the profile' },
  gcPauseMs: { unit: 'ms', better: 'lower', title: 'garbage collection pauses' },
  gcShare: { unit: '', better: 'lower', title: 'share of busy CPU spent in garbage collection' },
  allocatedBytesPerRequest: { unit: 'bytes', better: 'lower', title: 'heap allocated per request' },
  allocatedBytesPerOp: { unit: 'bytes', better: 'lower', title: 'heap allocated per operation' },
  gcCount: { unit: '', better: 'lower', title: 'garbage collections' },
  latenessP99Ms: { unit: 'ms', better: 'lower', title: 'lateness of expiries, 99th percentile' },
  pendingPeak: { unit: 'timers', better: 'lower', title: 'most timers pending at once' },
  rssBytes: { unit: 'bytes', better: 'lower', title: 'resident memory of the server' },
  spuriousWakeups: { unit: '', better: 'lower', title: 'wake-ups that fired nothing' }
}
