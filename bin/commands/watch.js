import path from 'node:path'
import { rooms, startRun, summarise } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { contractDocument, lookDocument } from '../../reports/documents/watch.js'
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

const { checkBriefly } = await rooms.conformance()
const { filesOf, lookAt, stateOf, untilChanged } = await rooms.watch()

/** Measures a queue again at every save, until Ctrl-C. */
export const handler = measuringCommand({ name: 'watch', isTemporary: true, start })

/** @type {(request: WatchRequest, measurement: Measurement, console: Console) => Promise<never>} */
async function start (request, { directory, ...options }, console) {
  const {
    queue: [queue]
  } = request
  if (queue.origin !== 'user') {
    throw new UsageError(
      `watch follows a file that is being written, and ${queue.spec} is timerq's own (try watch ./my-queue.js)`
    )
  }
  /** @type {Results | null} */
  let before = null
  let files = [queue.url]
  for (let save = 1; ; save++) {
    let state = stateOf(files)
    console.note(`\n${new Date().toLocaleTimeString('sv')} ${queue.spec}`)
    try {
      const breaks = await checkBriefly(queue.url, options)
      console.show({}, { document: () => contractDocument(queue.name, breaks), value: null })
      const plan = await planRun(planRequest(request))
      const isSame = stateOf(files) === state
      files = [...new Set([queue.url, ...(await filesOf(plan, queue.name, options.signal))])]
      if (isSame) state = stateOf(files)
      const checked = {
        ...plan,
        queues: plan.queues.map(planned => (planned.name === queue.name ? { ...planned, breaks } : planned))
      }
      const results = await unlessSaved(files, state, options.signal, signal =>
        startRun(checked, { ...options, signal, directory: path.join(directory, String(save)), isResumable: false })
      )
      if (results === null) {
        console.note('saved while it was measured: this look is thrown away')
        continue
      }
      console.show(
        {},
        {
          document: () =>
            lookDocument(summarise(results), { queue: queue.name, looks: lookAt(results, before, queue.name) }),
          value: null
        }
      )
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

/**
 * A look that is under way when a file changes would mix two versions. It ends, and is null.
 *
 * @param {string[]} files
 * @param {string} state  Before they were read.
 * @param {AbortSignal} signal
 * @param {(signal: AbortSignal) => Promise<Results>} look
 * @returns {Promise<Results | null>}
 */
async function unlessSaved (files, state, signal, look) {
  const [saved, over] = [new AbortController(), new AbortController()]
  const watching = untilChanged(files, state, AbortSignal.any([signal, over.signal])).then(
    () => saved.abort(),
    () => {}
  )
  try {
    const results = await look(AbortSignal.any([signal, saved.signal]))
    return stateOf(files) === state ? results : null
  } catch (error) {
    if (signal.aborted || stateOf(files) === state) throw error
    return null
  } finally {
    over.abort()
    await watching
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
