/** Metrics of an HTTP sample, from the server's window and the load generator's result. */
import { sum } from 'simple-statistics'
/** @import { Warning } from '../../model/warnings.js' */
/** @import { LoadResult } from '../load/wrk.js' */

/**
 * @typedef {object} BusyTime  Figures of a process, or the sum of several.
 * @property {number} userMicros
 * @property {number} systemMicros
 * @property {number} windowMs
 * @property {number} eventLoopUtilization
 */

/** A process with a smaller share of its busy time did not have its core to itself. */
const UNDISTURBED = 0.9

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
      ? { cpuMicrosPerRequest: (userMicros + systemMicros) / requests }
      : { cpuMillisPerSecond: (userMicros + systemMicros) / windowMs }),
    // A client of another protocol prints no figures.
    ...(client.requests > 0 && { requestsPerSecond: client.requests / client.seconds }),
    // A server that never answers has no latency, and not every load generator prints one.
    ...(client.requests > 0 && p50 !== undefined && p99 !== undefined ? { latencyP50Ms: p50, latencyP99Ms: p99 } : {}),
    errors: sum(Object.values(client.errors)),
    gcPauseMs: sum(kinds.map(({ pauseMs }) => pauseMs)),
    gcCount: sum(kinds.map(({ count }) => count)),
    rssBytes: window.rssBytes
  }
  if (timers) {
    metrics.timerOperationsPerSecond = (1000 * (timers.started + timers.refreshed)) / windowMs
    if (timers.fired > 0) metrics.latenessP99Ms = timers.latenessP99Ms
  }
  return metrics
}

/** @type {(window: BusyTime) => number}  CPU time per time in which event loops were busy. */
const shareOfCore = ({ userMicros, systemMicros, windowMs, eventLoopUtilization }) =>
  (userMicros + systemMicros) / 1000 / (windowMs * eventLoopUtilization)

/** @type {(window: BusyTime) => boolean}  Whether event loops had a core whenever they were busy. */
export const hadCores = window => shareOfCore(window) >= UNDISTURBED

/** @type {(window: BusyTime) => Warning[]}  One warning or none. */
export function describeSharedCore (window) {
  return hadCores(window)
    ? []
    : [
        {
          kind: 'shared-core',
          text: `the server had it for ${Math.round(shareOfCore(window) * 100)} % of its busy time`
        }
      ]
}
