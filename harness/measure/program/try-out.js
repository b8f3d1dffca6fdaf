/** A user's program is started once and loaded briefly, before heats are spent on one that cannot be measured. */
import { MeasurementError, SampleError } from '../../model/errors.js'
import { choosePins } from '../../processes/pinning.js'
import { measureHttp } from '../http/measure-alone.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { HttpJob } from '../http/running-server.js' */

/** A second of load shows most faults. */
const SECONDS = 1

/**
 * @typedef {object} Trial
 * @property {boolean} usesTimers  Whether any of its sockets has started an idle timer.
 * @property {number} requestsPerSecond  0: it counts none.
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
    const { details } = await measureHttp(
      { ...job, queueUrl: null, countsIdleTimers: true, params: { ...job.params, seconds: SECONDS } },
      runtime,
      choosePins(),
      signal
    )
    const { idleTimers, requests, windowMs } = details.window
    return { usesTimers: idleTimers > 0, requestsPerSecond: (1000 * requests) / windowMs }
  } catch (error) {
    if (error instanceof SampleError) throw new MeasurementError(error.message)
    throw error
  }
}
