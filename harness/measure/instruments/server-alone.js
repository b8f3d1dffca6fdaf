/** One server by itself: a warm-up, then a window of load. */
import { describeSharedCore } from '../http/metrics.js'
import { withServer } from '../http/running-server.js'
import { measureWindow } from '../http/settle.js'
/** @import { MeasureCell } from '../instruments.js' */

/** @type {MeasureCell} */
export const measureCell = ({ httpJob, runtime }, { pins, signal }) =>
  withServer(httpJob, { runtime, pins, signal }, async server => {
    const { metrics, details, warnings } = await measureWindow(server)
    // A server on all cores shares them with the load.
    if (!httpJob.hasAllCores) warnings.push(...describeSharedCore(details.window))
    return { metrics, details, warnings }
  })
