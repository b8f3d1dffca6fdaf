/** One server by itself: a warm-up, then a window of load. */
import { clusterMetricsOf, describeSharedCore } from './metrics.js'
import { withServer } from './running-server.js'
import { settle } from './settle.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Pins } from '../../processes/pinning.js' */
/** @import { HttpJob, RunningServer } from './running-server.js' */

/**
 * @param {HttpJob} job
 * @param {Runtime} runtime
 * @param {Pins} pins
 * @param {AbortSignal} [signal]
 * @throws {SampleError} when the server dies or does wrong, or the load generator fails
 */
export async function measureHttp (job, runtime, pins, signal) {
  return withServer(job, { runtime, pins, signal }, async server => {
    const { needs } = server
    const { metrics, details, warnings } = await measureWindow(server, job)
    // A server on all cores shares them with the load.
    if (!needs.usesAllCores) warnings.push(...describeSharedCore(details.window))
    return { metrics: { ...metrics, ...(needs.workers ? clusterMetricsOf(details.window) : {}) }, details, warnings }
  })
}

/**
 * Measures from the first request of a load to the last.
 *
 * @param {RunningServer} server
 * @param {HttpJob} job
 */
export async function measureWindow (server, job) {
  const { ask, load } = server
  await ask({ type: 'open' })
  const client = await load(job.params.seconds)
  const window = await ask({ type: 'close' })
  return settle(server, job, { client, window })
}
