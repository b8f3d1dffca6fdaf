/**
 * A user's program is started and loaded briefly, before heats are spent on one that cannot be measured. Copies of it
 * run side by side in heats, so a second one is started beside the first.
 */
import { MeasurementError, SampleError } from '../../model/errors.js'
import { choosePins } from '../../processes/pinning.js'
import { withServer } from '../http/running-server.js'
import { measureWindow } from '../http/settle.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { HttpJob } from '../http/running-server.js' */
/** @import { ProgramSettings } from './program.js' */

/** A second of load shows most faults. */
const SECONDS = 1
/** Seconds in which a second copy starts: so many more than the first, or this multiple, as they share the cores. */
const START = { more: 2, times: 4 }

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
    const start = performance.now()
    const options = { runtime, pins: choosePins(), signal }
    return await withServer(trial, options, async server => {
      const startSeconds = START.more + Math.ceil((START.times * (performance.now() - start)) / 1000)
      const settings = /** @type {ProgramSettings} */ (job.program)
      const program = { ...settings, startSeconds: Math.min(startSeconds, settings.startSeconds) }
      await withServer({ ...trial, program, warmupMs: 0 }, options, async () => {}).catch(explainCopy)
      const { idleTimers, requests, windowMs } = (await measureWindow(server)).details.window
      const { asked = 0 } = server.listening
      const figures = { usesTimers: idleTimers > 0, requestsPerSecond: (1000 * requests) / windowMs }
      return asked > 0 ? { ...figures, askedPort: asked } : figures
    })
  } catch (error) {
    if (error instanceof SampleError) throw new MeasurementError(error.message)
    throw error
  }
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function explainCopy (error) {
  if (!(error instanceof SampleError)) throw error
  throw new MeasurementError(
    `copies of the program run side by side, and a second one could not start: ${error.message}; let it have no UDP ` +
      'port, lock or pid file that only one process can hold'
  )
}
