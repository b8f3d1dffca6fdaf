/** V8's sampling profile of a server, with the share of its queue and the error of the profile. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { withServer } from '../../measure/http/running-server.js'
import { assertRequests } from '../../measure/http/settle.js'
import { lookUp } from '../../measure/look-up.js'
import { buildTree, countTicks, isIdle } from '../analysis/cpu-profile.js'
import { restoreInlined } from '../analysis/inlined.js'
import { computeShares, countQueueTicks, measureFidelity, ownersIn, warnOfError } from '../analysis/shares.js'
/** @import { RunningServer } from '../../measure/http/running-server.js' */
/** @import { RawProfile } from '../analysis/cpu-profile.js' */
/** @import { Window } from '../analysis/shares.js' */
/** @import { Tool } from '../tools.js' */

/**
 * @typedef {{profile: RawProfile, window: Window, requests: number, fired?: number}} Profiled  `fired`: unknown for
 *   Node's own timers.
 */

const RECORDER = new URL('../subject/recorder.js', import.meta.url).href
const PRELOAD = new URL('../subject/preload.js', import.meta.url).href
/** Times the CPU of a request: large enough to be measured well, small enough not to change the server's behaviour. */
const BUSY_WORK = 0.5

/** @type {Tool} */
export const tool = {
  name: 'cpu',

  async record ({ plan, cell, pins, folder, fileName, isCalibrated, samplingMicros, signal }) {
    const { httpJob, runtime } = lookUp(plan, cell)
    const options = { runtime, flags: ['--import', PRELOAD], pins, signal }
    const { plain, calibration } = await withServer(httpJob, options, server =>
      profileServer(server, { seconds: httpJob.params.seconds, isCalibrated, samplingMicros })
    )
    const file = `${fileName}.cpuprofile`
    writeFileSync(path.join(folder, file), JSON.stringify(plain.profile))
    const tree = buildTree(plain.profile)
    const ownerOf = ownersIn(httpJob)
    const shares = computeShares(tree, plain.window, ownerOf)
    const { window, requests, fired } = plain
    const fidelity =
      calibration && measureFidelity(buildTree(calibration.profile), calibration.window, calibration.busyMicros)
    return {
      metrics: { queueShare: shares.queue.inclusive, ...(fidelity && { fidelityError: fidelity.error }) },
      warnings: fidelity ? warnOfError(fidelity) : [],
      details: {
        tool: 'cpu',
        files: [file],
        shares,
        ...(fidelity && { fidelity }),
        window,
        ticks: countTicks(tree, frame => !isIdle(frame)),
        queueTicks: countQueueTicks(tree, ownerOf),
        requests,
        fired
      }
    }
  }
}

/**
 * Profiles a server under load. A calibrated profile is followed by another with a function of known cost in every
 * request, which shows how far the profile can be trusted.
 *
 * @param {RunningServer} server
 * @param {{seconds: number, isCalibrated: boolean, samplingMicros?: number}} options
 * @returns {Promise<{plain: Profiled, calibration: Profiled & {busyMicros: number} | null}>}
 */
async function profileServer (server, { seconds, isCalibrated, samplingMicros }) {
  const call = (/** @type {string} */ name, options = {}) =>
    server.ask({ type: 'call', moduleUrl: RECORDER, name, ...options })
  const plain = await profileWindow()
  if (!isCalibrated) return { plain, calibration: null }
  await call('startBusyWork', { micros: (BUSY_WORK * plain.window.cpuMicros) / plain.requests })
  const calibration = await profileWindow()
  return { plain, calibration: { ...calibration, ...(await call('countBusyWork')) } }

  async function profileWindow () {
    await server.ask({ type: 'open' })
    await call('startProfile', { samplingMicros })
    await server.load(seconds)
    const { profile, modules, window } = await call('stopProfile')
    const served = await server.ask({ type: 'close' })
    assertRequests(served)
    return {
      profile: restoreInlined(profile, modules),
      window,
      requests: served.requests,
      fired: served.timers?.fired
    }
  }
}
