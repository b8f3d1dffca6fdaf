import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { startRun } from '../../harness/run/run.js'
import { summarise } from '../../harness/judge/summary.js'
import { filesOf, lookAt, stateOf, untilChanged } from '../../harness/run/watch.js'
import { watchDocument } from '../../reports/documents/watch.js'
import { stepProgress } from '../console.js'
import { CONTROL, WATCH } from '../presets.js'
import { pickByName, resolveQueues } from '../request/catalogue.js'
import { planRun } from '../request/plan.js'
import { scenarios } from '../../scenarios/index.js'

/**
 * @typedef {import('../request/catalogue.js').ResolvedQueue} ResolvedQueue
 * @typedef {import('../../harness/store/results.js').Results} Results
 * @typedef {import('../request/options.js').CommonRequest &
 *   {queue: ResolvedQueue[], against?: ResolvedQueue[], scenario?: import('../../scenarios/index.js').ScenarioEntry[], size?: number[]}} WatchRequest
 */

/**
 * Looks at a queue again whenever it is saved, until Ctrl-C.
 *
 * @param {WatchRequest} request
 * @param {import('../console.js').Console} console
 */
export async function handler (request, console) {
  const { queue: [queue], commandLine: command } = request
  if (queue.origin !== 'user') throw new UsageError(`watch follows a file that is being written, and ${queue.spec} is timerq's own`)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-watch-'))
  return console.interruptible(async signal => {
    /** @type {Results | null} */
    let before = null
    let files = [queue.url]
    try {
      for (let look = 1; ; look++) {
        let state = stateOf(files)
        console.note(`\n${new Date().toLocaleTimeString('sv')} ${queue.spec}`)
        try {
          const plan = await planRun(planRequest(request))
          files = [...new Set([queue.url, ...await filesOf(plan, queue.name, signal)])]
          state = stateOf(files)
          const results = await startRun(plan, {
            directory: path.join(folder, String(look)), command, isResumable: false, signal, onProgress: progress => console.showProgress(stepProgress(progress))
          })
          console.show({}, { document: () => watchDocument(summarise(results), { queue: queue.name, looks: lookAt(results, before, queue.name) }), value: null })
          before = results
        } catch (error) {
          // What is being written is often broken: say how, and wait for the next save.
          if (!(error instanceof UsageError || error instanceof MeasurementError)) throw error
          console.note(`timerq: ${error.message}`)
        }
        console.note('waiting for the next save (Ctrl-C ends)')
        await untilChanged(files, state, signal)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/**
 * @param {WatchRequest} request
 * @returns {import('../request/options.js').PlanRequest}
 */
function planRequest ({ queue, against = [], scenario, size }) {
  const control = resolveQueues([CONTROL.micro])
  const others = [...control, ...against].filter(({ name }, i, all) => all.findIndex(other => other.name === name) === i)
  return {
    preset: 'quick',
    queue: [...others, ...queue],
    scenario: scenario ?? WATCH.scenarios.map(name => pickByName('scenario', scenarios, name)),
    size: size ?? [WATCH.size],
    rounds: WATCH.rounds,
    seed: WATCH.seed
  }
}
