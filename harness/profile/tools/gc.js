/** Garbage collections on a queue's hot path. Nothing else is recorded, because profilers make garbage, too. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { withServer } from '../../measure/http/running-server.js'
import { lookUp } from '../../measure/look-up.js'
import { askOnce } from '../../processes/child.js'
import { PROCESS } from '../../processes/entries.js'
import { summariseGarbage } from '../analysis/garbage.js'
import { recordWindow } from './record-window.js'
/** @import { ServerOptions } from '../../measure/http/running-server.js' */
/** @import { CellJob } from '../../measure/look-up.js' */
/** @import { CollectionTrace } from '../analysis/garbage.js' */
/** @import { Tool } from './index.js' */

const COLLECTION_TRACE = new URL('../subject/collection-trace.js', import.meta.url).href
/** Long enough for any queue that allocates to fill its new space several times. */
const MICRO_TRACE = { warmupMs: 100, measureMs: 1000 }

/** @type {Tool} */
export const gc = {
  name: 'gc',
  kinds: ['http', 'micro'],

  async record ({ plan, cell, pins, folder, fileName, signal }) {
    const job = lookUp(plan, cell)
    const traceCell = job.scenario.kind === 'http' ? traceServer : traceQueue
    const { trace, count, metric } = await traceCell(job, { runtime: job.runtime, pins, signal })
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
  }
}

/**
 * @typedef {{trace: CollectionTrace, count: number, metric: string}} Traced  `count`: requests or operations, which
 *   share the allocated bytes in the metric.
 */

/** @type {(job: CellJob, options: ServerOptions) => Promise<Traced>} */
function traceServer ({ httpJob }, options) {
  const calls = { moduleUrl: COLLECTION_TRACE, start: 'startCollectionTrace', stop: 'stopCollectionTrace' }
  return withServer(httpJob, options, async server => {
    const { recorded, requests } = await recordWindow(server, httpJob.params.seconds, calls)
    return { trace: recorded, count: requests, metric: 'allocatedBytesPerRequest' }
  })
}

/** @type {(job: CellJob, options: ServerOptions) => Promise<Traced>} */
async function traceQueue ({ microJob }, { runtime, pins, signal }) {
  const request = { type: 'call', moduleUrl: COLLECTION_TRACE, name: 'traceWorkload', ...microJob, ...MICRO_TRACE }
  const limitMs = microJob.timing.limitMs + MICRO_TRACE.measureMs
  const { trace, operations } = await askOnce(PROCESS, request, { runtime, pin: pins.subject, limitMs, signal })
  return { trace, count: operations, metric: 'allocatedBytesPerOp' }
}
