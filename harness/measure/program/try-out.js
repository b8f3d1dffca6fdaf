/** A user's program is started once and loaded briefly, before heats are spent on one that cannot be measured. */
import { MeasurementError, SampleError } from '../../model/errors.js'
import { choosePins } from '../../processes/pinning.js'
import { withServer } from '../http/running-server.js'
import { measureWindow } from '../http/settle.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { HttpJob } from '../http/running-server.js' */

/** A second of load shows most faults. */
const SECONDS = 1

/**
 * @typedef {object} Trial
 * @property {boolean} usesTimers  Whether any of its sockets has started an idle timer.
 * @property {number} requestsPerSecond  0: it counts none.
 * @property {number} [askedPort]  Port that the program asked for, of the server that took the load.
 */

/**
 * @param {HttpJob} job
 * @param {Runtime} runtime
 * @param {AbortSignal} [signal]
 * @returns {Promise<Trial>}
 * @throws {MeasurementError} when the program dies, does not answer, or refuses the load
 */
export async function tryOut (job, runtime, signal) {
  try {
    const trial = { ...job, queueUrl: null, countsIdleTimers: true, params: { ...job.params, seconds: SECONDS } }
    return await withServer(trial, { runtime, pins: choosePins(), signal }, async server => {
      const { idleTimers, requests, windowMs } = (await measureWindow(server, trial)).details.window
      const { asked = 0 } = server.listening
      const figures = { usesTimers: idleTimers > 0, requestsPerSecond: (1000 * requests) / windowMs }
      return asked > 0 ? { ...figures, askedPort: asked } : figures
    })
  } catch (error) {
    if (error instanceof SampleError) throw new MeasurementError(error.message)
    throw error
  }
}
