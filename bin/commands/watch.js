/** `timerq watch`: checks and measures a queue again at every save, until Ctrl-C. */
import path from 'node:path'
import { rooms, startRun, summarise } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { contractDocument, lookDocument } from '../../reports/documents/watch.js'
import { measuring } from '../measuring.js'
import { planWatch } from '../plans/run.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { Document } from '../../reports/blocks.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { ResolvedQueue } from '../request/catalogue.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & {queue: ResolvedQueue[], against?: ResolvedQueue[]}} WatchRequest */

const { checkBriefly } = await rooms.conformance()
const { filesOf, lookAt, stateOf, unlessSaved, untilChanged } = await rooms.watch()

/** @type {(request: WatchRequest, console: Console) => Promise<number>} */
export const handler = (request, console) =>
  measuring({ name: 'watch', request, console, isTemporary: true }, measurement => watch(request, measurement, console))

/** @type {(request: WatchRequest, measurement: Measurement, console: Console) => Promise<never>} */
async function watch (request, { directory, ...options }, console) {
  const [{ name, origin, spec, url }] = request.queue
  if (origin !== 'user') {
    throw new UsageError(
      `watch follows a file that is being written, and ${spec} is timerq's own (try watch ./my-queue.js)`
    )
  }
  const { signal } = options
  const show = (/** @type {() => Document} */ document) => console.show({}, { document, value: null })
  /** @type {Results | null} */
  let before = null
  let files = [url]
  for (let save = 1; ; save++) {
    let state = stateOf(files)
    console.note(`\n${new Date().toLocaleTimeString('sv')} ${spec}`)
    try {
      const breaks = await checkBriefly(url, options)
      show(() => contractDocument(name, breaks))
      const plan = await planWatch(request)
      const isSame = stateOf(files) === state
      files = [...new Set([url, ...(await filesOf(plan, name, signal))])]
      if (isSame) state = stateOf(files)
      const queues = plan.queues.map(queue => (queue.name === name ? { ...queue, breaks } : queue))
      const results = await unlessSaved(files, state, signal, signal =>
        startRun(
          { ...plan, queues },
          { ...options, signal, directory: path.join(directory, String(save)), isResumable: false }
        )
      )
      if (results === null) {
        console.note('saved while it was measured: this result is discarded')
        continue
      }
      show(() => lookDocument(summarise(results), { queue: name, looks: lookAt(results, before, name) }))
      before = results
    } catch (error) {
      // A file that is being written is often broken: report the error, and wait for the next save.
      if (!(error instanceof UsageError || error instanceof MeasurementError)) throw error
      console.note(`timerq: ${error.message}`)
    }
    console.note('waiting for the next save (Ctrl-C ends)')
    await untilChanged(files, state, signal)
  }
}
