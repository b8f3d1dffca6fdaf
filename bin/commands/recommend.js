/** `timerq recommend`: replays a recorded program with each queue, and says whether one is worth a change. */
import { existsSync } from 'node:fs'
import { readResults, rooms, startRun } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { answer } from '../answers/recommend.js'
import { EXIT_CODES } from '../console.js'
import { continueMeasuring, measuring } from '../measuring.js'
import { planRecommend } from '../plans/run.js'
import { RECORDED } from '../presets.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

const { giveUpHopeless } = await rooms.recommend()

/** @type {(request: Request, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const onStopped = (/** @type {string} */ directory) => {
    try {
      console.show(request, answer(readResults(directory)))
    } catch (error) {
      // Stopped before anything could be compared.
      if (!(error instanceof MeasurementError)) throw error
    }
  }
  const named = { ...request, trace: request.trace ?? RECORDED }
  const answered = answer(await measure(request, await measuring(named, console, onStopped)))
  console.show(request, answered)
  for (const note of answered.notes) console.note(note)
  return answered.verdict === 'unclear' ? EXIT_CODES.inconclusive : 0
}

/** @type {(request: Request, measurement: Measurement) => Promise<Results>} */
async function measure (request, measurement) {
  const { resume, trace = RECORDED } = request
  if (resume === undefined) {
    if (request.trace === undefined && !existsSync(RECORDED)) {
      throw new UsageError(
        `recommend needs a trace, and there is no ${RECORDED} here (try timerq record -- node app.js)`
      )
    }
    const plan = await planRecommend({ ...request, trace })
    return startRun(plan, { ...measurement, stopRule: giveUpHopeless(plan) })
  }
  const planOf = (/** @type {Request} */ chosen) => planRecommend({ trace: RECORDED, ...chosen })
  return continueMeasuring(request, measurement, planOf, plan => ({ stopRule: giveUpHopeless(plan) }))
}
