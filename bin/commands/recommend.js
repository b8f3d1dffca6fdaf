import { existsSync } from 'node:fs'
import path from 'node:path'
import { loadOwnMeta, readResults, resumeRun, rooms, startRun } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { shellQuoted } from '../../harness/model/text.js'
import { queues } from '../../queues/index.js'
import { recommendationDocument } from '../../reports/documents/recommendation.js'
import { EXIT_CODES } from '../console.js'
import { measuringCommand } from '../measuring.js'
import { CONTROL, RECOMMEND } from '../presets.js'
import { resolveQueues } from '../request/catalogue.js'
import { RECORDED } from '../request/options.js'
import { planReplay } from '../request/plan.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { Request } from '../request/request.js' */

const { describeTrace, recommend } = await rooms.recommend()
const { readTrace } = await rooms.trace()

export const handler = measuringCommand({
  name: 'recommend',
  start: async (request, measurement, console) =>
    present(await startRun(await plan(request), measurement), request, console),
  resume: async (request, { directory, ...options }, console) => {
    const { plan } = readResults(directory).run
    if (!('gate' in plan) && !plan.settings.trace) {
      throw new UsageError(`${directory} replays no trace: continue it with timerq run --resume`)
    }
    return present(await resumeRun(directory, options), request, console)
  },
  stopped: (request, directory, console) => {
    const recommendation = rank(readResults(directory))
    const { ranking } = recommendation
    if (ranking.length > 1 && ranking.some(({ queue }) => queue === CONTROL.micro)) {
      show(recommendation, request, console)
    }
  }
})

/** @param {Request} request */
async function plan ({ trace = recordedHere(), seed, until, ...request }) {
  if (!readTrace(trace).kinds.includes(0)) {
    throw new UsageError(`${trace} starts no timer: there is nothing to recommend a queue for`)
  }
  const named = request.queue ?? resolveQueues(await exactQueues())
  const queue = named.some(({ name }) => name === CONTROL.micro) ? named : [...named, ...resolveQueues([CONTROL.micro])]
  const isByDefault = [request.rounds, request.budget, until].every(value => value === undefined)
  const { rounds, budget } = isByDefault ? { rounds: RECOMMEND.rounds, budget: RECOMMEND.budgetSeconds } : request
  const planned = await planReplay({ trace, queue, rounds, budget, until, seed })
  if (planned.cells.length < 2) {
    throw new UsageError(`recommend compares queues with ${CONTROL.micro} (name another queue that has the contract)`)
  }
  return { ...planned, settings: { ...planned.settings, hopeless: RECOMMEND.hopeless } }
}

/** The trace that `timerq record` has left in this directory. */
function recordedHere () {
  if (!existsSync(RECORDED)) {
    throw new UsageError(`recommend needs a trace, and there is no ${RECORDED} here (try timerq record -- node app.js)`)
  }
  return RECORDED
}

/** @type {(results: Results, request: Request, console: Console) => number} */
function present (results, request, console) {
  const recommendation = rank(results)
  const { ranking, skipped, verdict, rounds } = recommendation
  const missing = skipped.find(skip => skip.queue === CONTROL.micro)
  if (missing) {
    throw new MeasurementError(
      `${CONTROL.micro}, the control of all other queues, was ${missing.reason.replace(/^(?!not measured)/, 'not measured: ')} (try a longer --budget, fewer queues, or a shorter recording)`
    )
  }
  if (ranking.length < 2) {
    throw new MeasurementError(
      `no queue was measured beside ${CONTROL.micro}: ${skipped[0]?.reason ?? 'the budget was spent before (try a longer --budget)'}`
    )
  }
  show(recommendation, request, console)
  if (verdict !== 'unclear') return 0
  console.note(
    rounds.taken < rounds.planned
      ? `more rounds: timerq recommend --resume ${results.directory}${request.again}`
      : `more rounds: timerq recommend ${shellQuoted(recommendation.trace.file)}${queuesOf(request)} --rounds ${2 * rounds.planned}`
  )
  return EXIT_CODES.inconclusive
}

/** @param {Request} request */
const queuesOf = ({ queue }) => (queue ? ` --queue ${shellQuoted(queue.map(({ spec }) => spec).join(','))}` : '')

/** @type {(recommendation: ReturnType<typeof recommend>, request: Request, console: Console) => void} */
function show (recommendation, request, console) {
  console.show(request, { document: () => recommendationDocument(recommendation), value: recommendation })
}

/** @param {Results} results */
function rank (results) {
  const trace = String(results.run.plan.settings.trace)
  return recommend(results, { file: path.relative('', trace), ...describeTrace(readTrace(trace)) })
}

/** Queues that never fire late: others cannot replace Node's timers. */
async function exactQueues () {
  const timerqs = queues.filter(({ origin }) => origin === 'own')
  const metas = await Promise.all(timerqs.map(({ url }) => loadOwnMeta(url)))
  return timerqs.filter((_, i) => metas[i]?.accuracy === 'exact').map(({ name }) => name)
}
