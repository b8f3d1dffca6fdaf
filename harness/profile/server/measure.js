import { Child } from '../../processes/child.js'
import { withServer } from '../../measure/http/running-server.js'
import { assertRequests } from '../../measure/http/settle.js'
import { restoreInlined } from '../analysis/inlined.js'

/**
 * @typedef {object} Profiled
 * @property {import('../analysis/cpu-profile.js').RawProfile} profile
 * @property {import('../analysis/shares.js').Window} window
 * @property {number} requests
 * @property {number} [fired]  Timers that expired; of Node's own, it is not known.
 */

const PRELOAD = new URL('./preload.js', import.meta.url)
const COLLECTION_TRACE = new URL('./collection-trace.js', import.meta.url)
const MICRO_CHILD = new URL('./micro-child.js', import.meta.url)
const IN_SERVER = new URL('./in-server.js', import.meta.url)
/** Long enough for any queue that allocates to fill its new space several times. */
const MICRO_TRACE = { warmupMs: 100, measureMs: 1000 }
/** Times the CPU of a request: large enough to be measured well, small enough not to change the server's behaviour. */
const BUSY_WORK = 0.5

/**
 * Profiles a server under load: as it is, and if asked to once more with a function of known cost in every request, which
 * shows how far the profile can be trusted.
 *
 * @param {import('../../measure/http/running-server.js').HttpTask} task
 * @param {import('../../processes/child.js').Runtime} runtime
 * @param {{isCalibrated: boolean, samplingMicros?: number, pins: import('../../processes/pinning.js').Pins, signal?: AbortSignal}} options
 * @returns {Promise<{plain: Profiled, calibration: Profiled & {busyMicros: number} | null}>}
 * @throws {import('../../processes/child.js').SampleError} when the server dies or the load generator fails
 */
export async function profileServer (task, runtime, { isCalibrated, samplingMicros, pins, signal }) {
  const flags = ['--import', PRELOAD.href]
  return withServer(task, { runtime, flags, pins, signal }, async ({ ask, load }) => {
    const call = (/** @type {string} */ name, options = {}) => ask({ type: 'call', moduleUrl: IN_SERVER.href, name, ...options })

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
    await call('startBusyWork', { micros: BUSY_WORK * plain.window.cpuMicros / plain.requests })
    const calibration = await profileWindow()
    return { plain, calibration: { ...calibration, ...await call('countBusyWork') } }
  })
}

/**
 * Traces the garbage collections of a server under load. Nothing else is recorded: profiles make garbage of their own.
 *
 * @param {import('../../measure/http/running-server.js').HttpTask} task
 * @param {import('../../processes/child.js').Runtime} runtime
 * @param {import('../../processes/pinning.js').Pins} pins
 * @param {AbortSignal} [signal]
 * @returns {Promise<{trace: import('../analysis/garbage.js').CollectionTrace, requests: number}>}
 */
export async function traceServer (task, runtime, pins, signal) {
  return withServer(task, { runtime, pins, signal }, async ({ ask, load }) => {
    const call = (/** @type {string} */ name) => ask({ type: 'call', moduleUrl: COLLECTION_TRACE.href, name })
    await ask({ type: 'open' })
    await call('startCollectionTrace')
    await load(task.params.seconds)
    const trace = await call('stopCollectionTrace')
    const { requests } = await ask({ type: 'close' })
    assertRequests({ requests })
    return { trace, requests }
  })
}

/**
 * Traces the garbage collections of a micro workload.
 *
 * @param {import('../../measure/micro/measure.js').MicroTask & {timing: import('../../measure/micro/measure.js').Timing}} task
 * @param {import('../../processes/child.js').Runtime} runtime
 * @param {import('../../processes/pinning.js').Pins} pins
 * @param {AbortSignal} [signal]
 * @returns {Promise<{trace: import('../analysis/garbage.js').CollectionTrace, operations: number}>}
 */
export async function traceWorkload (task, runtime, pins, signal) {
  const child = new Child(MICRO_CHILD, { runtime, pin: pins.subject })
  try {
    return await child.ask({ type: 'trace', ...task, ...MICRO_TRACE }, task.timing.limitMs + MICRO_TRACE.measureMs, signal)
  } finally {
    await child.end()
  }
}
