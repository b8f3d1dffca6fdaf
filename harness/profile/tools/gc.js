/** Garbage collections on a queue's hot path. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { lookUp } from '../../measure/look-up.js'
import { summariseGarbage } from '../analysis/garbage.js'
import { traceServer, traceWorkload } from '../measure-profiled.js'
/** @import { Tool } from './index.js' */

/** @type {Tool} */
export const gc = {
  name: 'gc',
  kinds: ['http', 'micro'],
  assertAvailable () {},

  async record ({ plan, cell, pins, folder, fileName, signal }) {
    const { scenario, runtime, httpTask, microTask } = lookUp(plan, cell)
    const { trace, count, metric } = scenario.kind === 'http' ? await ofServer() : await ofWorkload()
    const file = `${fileName}.gc.json`
    writeFileSync(path.join(folder, file), JSON.stringify(trace, null, 1))
    const garbage = summariseGarbage(trace)
    return {
      metrics: {
        gcCount: garbage.all.count,
        gcPauseMs: garbage.all.pauseMs,
        gcShare: garbage.shareOfCpu,
        [metric]: garbage.allocatedBytes / count
      },
      warnings: [],
      details: { tool: 'gc', files: [file], garbage, windowMicros: trace.windowMicros }
    }

    async function ofServer () {
      const { trace, requests } = await traceServer(httpTask, { runtime, pins, signal })
      return { trace, count: requests, metric: 'allocatedBytesPerRequest' }
    }

    async function ofWorkload () {
      const { trace, operations } = await traceWorkload(microTask, { runtime, pins, signal })
      return { trace, count: operations, metric: 'allocatedBytesPerOp' }
    }
  }
}
