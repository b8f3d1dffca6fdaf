import { describeSharedCore } from '../../processes/shared-core.js'
import { clusterMetricsOf, metricsOf } from './metrics.js'
import { withServer } from './running-server.js'
import { settle } from './settle.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Pins } from '../../processes/pinning.js' */
/** @import { HttpTask } from './running-server.js' */

/**
 * Measures a server alone: a warm-up, then a window of load.
 *
 * @param {HttpTask} task
 * @param {Runtime} runtime
 * @param {Pins} pins
 * @param {AbortSignal} [signal]
 * @throws {SampleError} when the server dies or does wrong, or the load generator fails
 */
export async function measureHttp (task, runtime, pins, signal) {
  return withServer(task, { runtime, pins, signal }, async server => {
    const { needs, ask, load } = server
    await ask({ type: 'open' })
    const client = await load(task.params.seconds)
    const window = await ask({ type: 'close' })
    const warnings = await settle(server, task, { client, window })
    // A server on all cores shares them with the load.
    if (!needs.usesAllCores) warnings.push(...describeSharedCore(window))
    return {
      metrics: { ...metricsOf(window, client), ...(needs.workers ? clusterMetricsOf(window) : {}) },
      details: { client, window },
      warnings
    }
  })
}
