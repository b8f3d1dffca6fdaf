/** Metrics of an HTTP sample, from the server's window and the load generator's result. */

/** @import { LoadResult } from '../load/wrk.js' */

/**
 * @param {any} window
 * @param {LoadResult} client
 */
export function metricsOf (window, client) {
  const { windowMs, requests, userMicros, systemMicros, collections, timers } = window
  const { p50, p99 } = client.latencyMs
  const kinds = /** @type {{count: number, pauseMs: number}[]} */ (Object.values(collections))
  /** @type {Record<string, number>} */
  const metrics = {
    ...(requests > 0
      ? {
          cpuMicrosPerRequest: (userMicros + systemMicros) / requests,
          userMicrosPerRequest: userMicros / requests,
          systemMicrosPerRequest: systemMicros / requests
        }
      : { cpuMillisPerSecond: (userMicros + systemMicros) / windowMs }),
    // A client of another protocol prints no figures.
    ...(client.requests > 0 && { requestsPerSecond: client.requests / client.seconds }),
    // A server that never answers has no latency, and not every load generator prints one.
    ...(client.requests > 0 && p50 !== undefined && p99 !== undefined ? { latencyP50Ms: p50, latencyP99Ms: p99 } : {}),
    ...latenciesByMethod(client),
    errors: Object.values(client.errors).reduce((sum, count) => sum + count, 0),
    gcPauseMs: kinds.reduce((sum, { pauseMs }) => sum + pauseMs, 0),
    gcCount: kinds.reduce((sum, { count }) => sum + count, 0),
    rssBytes: window.rssBytes
  }
  if (timers) {
    metrics.timerOperationsPerSecond = (1000 * (timers.started + timers.refreshed)) / windowMs
    metrics.pendingPeak = timers.pendingPeak
    metrics.spuriousWakeups = timers.spuriousWakeups
    if (timers.fired > 0) metrics.latenessP99Ms = timers.latenessP99Ms
  }
  return metrics
}

/** @param {LoadResult} client */
function latenciesByMethod ({ operations }) {
  return Object.fromEntries(
    Object.entries(operations)
      .sort()
      .flatMap(
        ([
          method,
          {
            latencyMs: { p50, p99, max }
          }
        ]) => {
          const name = `${method.toLowerCase()}Latency`
          return [
            [`${name}P50Ms`, p50],
            [`${name}P99Ms`, p99],
            [`${name}MaxMs`, max]
          ]
        }
      )
  )
}

/**
 * The terms of Little's law: how many processes are busy on average, and how long each request keeps one busy.
 *
 * @param {any} window
 */
export function clusterMetricsOf ({ windowMs, eventLoopUtilization, requests }) {
  return {
    busyMicrosPerRequest: (1000 * windowMs * eventLoopUtilization) / requests,
    busyProcesses: eventLoopUtilization
  }
}
