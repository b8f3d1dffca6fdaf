import { existsSync } from 'node:fs'
import path from 'node:path'
import { loadQueueMeta } from '../../harness/measure/modules/load-queue.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { describeTrace, recommend } from '../../harness/trace/recommend.js'
import { readTrace } from '../../harness/trace/trace-format.js'
import { readResults } from '../../harness/store/results.js'
import { resumeRun, runId, startRun } from '../../harness/run/run.js'
import { queues } from '../../queues/index.js'
import { recommendationDocument } from '../../reports/documents/recommendation.js'
import { EXIT_CODES, stepProgress } from '../console.js'
import { CONTROL, RECOMMEND } from '../presets.js'
import { resolveQueues } from '../request/catalogue.js'
import { planReplay } from '../request/plan.js'
import { nameAgain, refusePlanned, whatIsNamed } from '../request/resume.js'

/** By performance.now(): a budget includes the time to start. */
const PROCESS_STARTED_MS = 0

/** @import { RunOptions } from '../../harness/run/run.js' */
/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { ResolvedQueue } from '../request/catalogue.js' */
/** @import { CommonRequest, FormatRequest } from '../request/options.js' */

/**
 * @typedef {CommonRequest & FormatRequest & {trace?: string, queue?: ResolvedQueue[], rounds?: number, until?: number, budget?: number,
 *   seed?: number, out?: string, resume?: string}} RecommendRequest
 *
 * @param {RecommendRequest} request
 * @param {Console} console
 */
export async function handler (request, console) {
  const directory = request.resume ?? request.out ?? path.join('results', `recommend-${runId(new Date())}`)
  const runFile = path.join(directory, 'run.json')
  const measure = request.resume === undefined ? await planMeasuring(request, directory) : planContinuing(request, directory, console)
  return console.interruptible(async signal => {
    const results = await measure({ signal, startedMs: PROCESS_STARTED_MS, onProgress: progress => console.showProgress(stepProgress(progress)) })
      .catch(error => {
        // After Ctrl-C, the samples so far are ranked.
        if (signal.aborted && existsSync(runFile)) rankPartly(readResults(directory), request, console)
        throw error
      })
    return present(results, request, console)
  }, `finished samples are kept, continue with: timerq recommend --resume ${directory}${nameAgain(request)}`, runFile)
}

/**
 * @param {RecommendRequest} request
 * @param {string} directory
 * @returns {Promise<(options: RunOptions) => Promise<Results>>}
 */
async function planMeasuring ({ trace, commandLine: command, seed, until, ...request }, directory) {
  if (trace === undefined) throw new UsageError('recommend needs --trace: a file that timerq record wrote')
  if (!readTrace(trace).kinds.includes(0)) throw new UsageError(`${trace} starts no timer, so there is nothing to recommend a queue for`)
  const queue = withControl(request.queue ?? resolveQueues(await exactQueues()))
  const isByDefault = [request.rounds, request.budget, until].every(value => value === undefined)
  const { rounds, budget } = isByDefault ? { rounds: RECOMMEND.rounds, budget: RECOMMEND.budgetSeconds } : request
  const plan = await planReplay({ trace, queue, rounds, budget, until, seed })
  if (plan.cells.length < 2) throw new UsageError(`recommend compares queues with ${CONTROL.micro}: name another queue that has the contract`)
  return options => startRun(plan, { directory, command, ...options })
}

/**
 * @param {RecommendRequest} request
 * @param {string} directory
 * @param {Console} console
 * @returns {(options: RunOptions) => Promise<Results>}
 */
function planContinuing (request, directory, console) {
  refusePlanned(request, ['trace', 'rounds', 'until', 'budget', 'seed', 'out'])
  const { plan } = readResults(directory).run
  if (!('gate' in plan) && !plan.settings.trace) throw new UsageError(`${directory} replays no trace: continue it with timerq run --resume`)
  return async options => resumeRun(directory, { ...options, named: await whatIsNamed(request), onNote: note => console.note(note) })
}

/**
 * @param {Results} results
 * @param {RecommendRequest} request
 * @param {Console} console
 * @returns {number} the exit code
 */
function present (results, request, console) {
  const recommendation = rank(results)
  const { ranking, skipped, verdict, rounds } = recommendation
  const missing = skipped.find(skip => skip.queue === CONTROL.micro)
  if (missing) throw new MeasurementError(`${CONTROL.micro}, the control of all ratios, was not measured: ${missing.reason}`)
  if (ranking.length < 2) throw new MeasurementError(`no queue was measured beside ${CONTROL.micro}: ${skipped[0]?.reason ?? 'the budget was spent before (try a longer --budget)'}`)
  console.show(request, { document: () => recommendationDocument(recommendation), value: recommendation })
  if (verdict !== 'unclear') return 0
  console.note(rounds.taken < rounds.planned
    ? `more rounds: timerq recommend --resume ${results.directory}${nameAgain(request)}`
    : `more rounds: timerq recommend --trace ${recommendation.trace.file} --rounds ${2 * rounds.planned}`)
  return EXIT_CODES.inconclusive
}

/**
 * @param {Results} results
 * @param {RecommendRequest} request
 * @param {Console} console
 */
function rankPartly (results, request, console) {
  const recommendation = rank(results)
  if (recommendation.ranking.some(({ queue }) => queue === CONTROL.micro) && recommendation.ranking.length > 1) {
    console.show(request, { document: () => recommendationDocument(recommendation), value: recommendation })
  }
}

/** @param {Results} results */
function rank (results) {
  const { trace } = results.run.plan.settings
  const file = path.relative('', String(trace))
  return recommend(results, { file, ...describeTrace(readTrace(String(trace))) })
}

/** @param {ResolvedQueue[]} queues */
const withControl = queues => queues.some(({ name }) => name === CONTROL.micro) ? queues : [...queues, ...resolveQueues([CONTROL.micro])]

/** A queue that fires late cannot replace Node's timers. */
async function exactQueues () {
  const own = queues.filter(({ origin }) => origin === 'own')
  const metas = await Promise.all(own.map(({ url }) => loadQueueMeta(url)))
  return own.filter((_, i) => metas[i]?.accuracy === 'exact').map(({ name }) => name)
}
