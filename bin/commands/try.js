/** `timerq try`: other timers under the sockets of a user's server, and whether they are worth it. */
import { startRun } from '../../harness/index.js'
import { EXIT_CODES } from '../console.js'
import { continueMeasuring, measuring } from '../measuring.js'
import { planTry } from '../plans/program.js'
import { finish } from '../run-results.js'

/** @import { Console } from '../console.js' */
/** @import { Request } from '../request/request.js' */

/** @type {(request: Request & {path?: string, connections?: number}, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const { resume } = request
  const measurement = await measuring(request, console)
  const results = await (resume === undefined
    ? startRun(await planTry(request), measurement)
    : continueMeasuring(request, measurement, planTry))
  const { worth } = await finish(results, request, measurement, console)
  if (!worth) return EXIT_CODES.invalid
  return worth.verdict === 'unclear' ? EXIT_CODES.inconclusive : EXIT_CODES.pass
}
