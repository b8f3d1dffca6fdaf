import { resumeRun, startRun } from '../../harness/index.js'
import { EXIT_CODES } from '../console.js'
import { measuringCommand } from '../measuring.js'
import { stopRuleOf } from '../request/plan.js'
import { planTry } from '../request/try-plan.js'
import { present } from './run.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

export const handler = measuringCommand({
  name: 'try',
  start: async (request, measurement, console) =>
    conclude(await startRun(await planTry(request), measurement), request, measurement, console),
  resume: async (request, measurement, console) => {
    const { directory, ...options } = measurement
    return conclude(
      await resumeRun(directory, { kind: 'try', ...options, change: settings => stopRuleOf(request, settings) }),
      request,
      measurement,
      console
    )
  }
})

/** @type {(results: Results, request: Request, measurement: Measurement, console: Console) => Promise<number>} */
async function conclude (results, request, measurement, console) {
  const { worth } = await present(results, request, measurement, console)
  return worth?.verdict === 'unclear' ? EXIT_CODES.inconclusive : 0
}
