/** The ranking of queues for the recorded program of stored results. */
import path from 'node:path'
import { rooms } from '../harness/index.js'

/** @import { Results } from '../harness/store/results.js' */

const { describeTrace, recommend } = await rooms.recommend()
const { readTrace } = await rooms.trace()

/** @param {Results} results */
export function rank (results) {
  const trace = String(results.run.plan.of.trace.file)
  return recommend(results, { file: path.relative('', trace), ...describeTrace(readTrace(trace)) })
}
