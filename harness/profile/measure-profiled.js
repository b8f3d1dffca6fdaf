/** Profiles and traces of a cell, made in the process that is measured by modules of this folder. */
import { withServer } from '../measure/http/running-server.js'
import { assertRequests } from '../measure/http/settle.js'
import { askOnce } from '../processes/child.js'
import { restoreInlined } from './analysis/inlined.js'
/** @import { HttpTask, ServerOptions } from '../measure/http/running-server.js' */
/** @import { MicroTask, TurnTimes } from '../measure/micro/queue-process.js' */
/** @import { Runtime } from '../processes/child.js' */
/** @import { Pins } from '../processes/pinning.js' */
/** @import { RawProfile } from './analysis/cpu-profile.js' */
/** @import { CollectionTrace } from './analysis/garbage.js' */
/** @import { Window } from './analysis/shares.js' */

/**
 * @typedef {{profile: RawProfile, window: Window, requests: number, fired?: number}} Profiled `fired`: unknown for
 *   Node's own timers.
 */

/** @param {string} file */
const moduleOf = file => ({ type: 'call', moduleUrl: new URL(file, import.meta.url).href })
const PRELOAD = moduleOf('./subject/preload.js').moduleUrl
const PROCESS = new URL('../subject/process.js', import.meta.url)
/** Long enough for any queue that allocates to fill its new space several times. */
const MICRO_TRACE = { warmupMs: 100, measureMs: 1000 }
/** Times the CPU of a request: large enough to be measured well, small enough not to change the server's behaviour. */
const BUSY_WORK = 0.5

/**
 * Profiles a server under load. A calibrated profile is followed by another with a function of known cost in every
 * request, which shows how far the profile can be trusted.
 *
 * @param {HttpTask} task
 * @param {Runtime} runtime
 * @param {{isCalibrated: boolean, samplingMicros?: number, pins: Pins, signal?: AbortSignal}} options
 * @returns {Promise<{plain: Profiled, calibration: Profiled & {busyMicros: number} | null}>}
 * @throws {SampleError} when the server dies or the load generator fails
 */
export async function profileServer (task, runtime, { isCalibrated, samplingMicros, pins, signal }) {
  return withServer(task, { runtime, flags: ['--import', PRELOAD], pins, signal }, async ({ ask, load }) => {
    const call = (/** @type {string} */ name, options = {}) =>
      ask({ ...moduleOf('./subject/recorder.js'), name, ...options })

    async function profileWindow () {
      await ask({ type: 'open' })
      await call('startProfile', { samplingMicros })
      await load(task.params.seconds)
      const { profile, modules, window } = await call('stopProfile')
      const { requests, timers } = await ask({ type: 'close' })
      assertRequests({ requests })
      return { profile: restoreInlined(profile, modules), window, requests, fired: timers?.fired }
    }

    const plain = await profileWindow()
    if (!isCalibrated) return { plain, calibration: null }
    await call('startBusyWork', { micros: (BUSY_WORK * plain.window.cpuMicros) / plain.requests })
    const calibration = await profileWindow()
    return { plain, calibration: { ...calibration, ...(await call('countBusyWork')) } }
  })
}

/**
 * Traces the garbage collections of a server under load. Nothing else is recorded: profiles make garbage of their own.
 *
 * @type {(task: HttpTask, options: ServerOptions) => Promise<{trace: CollectionTrace, requests: number}>}
 */
export async function traceServer (task, options) {
  return withServer(task, options, async ({ ask, load }) => {
    await ask({ type: 'open' })
    await ask({ ...moduleOf('./subject/collection-trace.js'), name: 'startCollectionTrace' })
    await load(task.params.seconds)
    const trace = await ask({ ...moduleOf('./subject/collection-trace.js'), name: 'stopCollectionTrace' })
    const { requests } = await ask({ type: 'close' })
    assertRequests({ requests })
    return { trace, requests }
  })
}

/**
 * @param {MicroTask & {timing: TurnTimes}} task
 * @param {ServerOptions} options
 * @returns {Promise<{trace: CollectionTrace, operations: number}>}
 */
export function traceWorkload (task, { runtime, pins, signal }) {
  const request = { ...moduleOf('./subject/trace-workload.js'), name: 'traceWorkload', ...task, ...MICRO_TRACE }
  const limitMs = task.timing.limitMs + MICRO_TRACE.measureMs
  return askOnce(PROCESS, request, { runtime, pin: pins.subject, limitMs, signal })
}
