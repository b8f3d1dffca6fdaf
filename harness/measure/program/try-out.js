/** A user's program is started once and loaded briefly, before heats are spent on one that cannot be measured. */
import { MeasurementError, SampleError } from '../../model/errors.js'
import { choosePins } from '../../processes/pinning.js'
import { measureHttp } from '../http/measure-alone.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { HttpTask } from '../http/running-server.js' */

/** A second of load shows most faults. */
const SECONDS = 1

/**
 * @param {HttpTask} task
 * @param {Runtime} runtime
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} whether any of its sockets has started an idle timer
 * @throws {MeasurementError} when the program dies, does not answer, or refuses the load
 */
export async function tryOut (task, runtime, signal) {
  try {
    const { details } = await measureHttp(
      { ...task, queueUrl: null, countsIdleTimers: true, params: { ...task.params, seconds: SECONDS } },
      runtime,
      choosePins(),
      signal
    )
    return details.window.idleTimers > 0
  } catch (error) {
    if (error instanceof SampleError) throw new MeasurementError(error.message)
    throw error
  }
}
