/** V8's sampling profile of a server, with the share of its queue and the error of the profile. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { lookUp } from '../../measure/look-up.js'
import { buildTree, countTicks, isIdle } from '../analysis/cpu-profile.js'
import { measureFidelity, warnOfError } from '../analysis/fidelity.js'
import { profileServer } from '../measure-profiled.js'
import { computeShares, countQueueTicks, ownersIn } from '../analysis/shares.js'
/** @import { Tool } from './index.js' */

/** @type {Tool} */
export const cpu = {
  name: 'cpu',
  kinds: ['http'],
  assertAvailable () {},

  async record ({ plan, cell, pins, folder, fileName, isCalibrated, samplingMicros, signal }) {
    const { httpTask, runtime } = lookUp(plan, cell)
    const { plain, calibration } = await profileServer(httpTask, runtime, {
      isCalibrated,
      samplingMicros,
      pins,
      signal
    })
    const file = `${fileName}.cpuprofile`
    writeFileSync(path.join(folder, file), JSON.stringify(plain.profile))
    const tree = buildTree(plain.profile)
    const ownerOf = ownersIn(httpTask)
    const shares = computeShares(tree, plain.window, ownerOf)
    const { requests, fired } = plain
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
        window: plain.window,
        ticks: countTicks(tree, frame => !isIdle(frame)),
        queueTicks: countQueueTicks(tree, ownerOf),
        requests,
        fired
      }
    }
  }
}
