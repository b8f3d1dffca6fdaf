import path from 'node:path'
import { rooms, startRun, summarise } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { watchDocument } from '../../reports/documents/watch.js'
import { measuringCommand } from '../measuring.js'
import { CONTROL, WATCH } from '../presets.js'
import { resolveQueues, resolveScenarios } from '../request/catalogue.js'
import { planRun } from '../request/plan.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { ResolvedQueue } from '../request/catalogue.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & {queue: ResolvedQueue[], against?: ResolvedQueue[]}} WatchRequest */

const { filesOf, lookAt, stateOf, untilChanged } = await rooms.watch()

/** Measures a queue again at every save, until Ctrl-C. */
export const handler = measuringCommand({ name: 'watch', isTemporary: true, start })

/** @type {(request: WatchRequest, measurement: Measurement, console: Console) => Promise<never>} */
async function start (request, { directory, ...options }, console) {
  const { queue: [queue] } = request
  if (queue.origin !== 'user') throw new UsageError(`watch follows a file that is being written, and ${queue.spec} is timerq's own (try watch ./my-queue.js)`)
  /** @type {Results | null} */
  let before = null
  let files = [queue.url]
  for (let save = 1; ; save++) {
    let state = stateOf(files)
    console.note(`\n${new Date().toLocaleTimeString('sv')} ${queue.spec}`)
    try {
      const plan = await planRun(planRequest(request))
      files = [...new Set([queue.url, ...await filesOf(plan, queue.name, options.signal)])]
      state = stateOf(files)
      const results = await startRun(plan, { ...options, directory: path.join(directory, String(save)), isResumable: false })
      console.show({}, { document: () => watchDocument(summarise(results), { queue: queue.name, looks: lookAt(results, before, queue.name) }), value: null })
      before = results
    } catch (error) {
      // A file that is being written is often broken: report the error, and wait for the next save.
      if (!(error instanceof UsageError || error instanceof MeasurementError)) throw error
      console.note(`timerq: ${error.message}`)
    }
    console.note('waiting for the next save (Ctrl-C ends)')
    await untilChanged(files, state, options.signal)
  }
}

/** @param {WatchRequest} request */
function planRequest ({ queue, against = [], scenario, size }) {
  const references = [...resolveQueues([CONTROL.micro]), ...against.filter(({ name }) => name !== CONTROL.micro)]
  return {
    preset: /** @type {const} */ ('quick'),
    queue: [...references, ...queue],
    scenario: scenario ?? resolveScenarios(WATCH.scenarios),
    size: size ?? [WATCH.size],
    rounds: WATCH.rounds,
    seed: WATCH.seed
  }
}
