import path from 'node:path'
import { loadQueueMeta } from '../../harness/load-queue.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { describeTrace, recommend, roundsFor } from '../../harness/recommend.js'
import { readTrace } from '../../harness/record/trace-format.js'
import { runId, startRun } from '../../harness/run.js'
import { DEFAULT_RULES } from '../../harness/verdict.js'
import { queues } from '../../queues/index.js'
import { recommendationDocument } from '../../reports/documents/recommendation.js'
import { EXIT_CODES, stepProgress } from '../console.js'
import { CONTROL } from '../presets.js'
import { resolveQueues } from '../request/catalogue.js'
import { planReplay } from '../request/plan.js'

/**
 * @typedef {import('../request/catalogue.js').ResolvedQueue} ResolvedQueue
 * @typedef {import('../request/options.js').CommonRequest & import('../request/options.js').FormatRequest &
 *   {trace?: string, queue?: ResolvedQueue[], rounds?: number, seed?: number, out?: string}} RecommendRequest
 *
 * @param {RecommendRequest} request
 * @param {import('../console.js').Console} console
 */
export async function handler (request, console) {
  const { trace: file, seed, commandLine: command } = request
  if (file === undefined) throw new UsageError('recommend needs --trace: a file that timerq record wrote')
  const trace = readTrace(file)
  if (!trace.kinds.includes(0)) throw new UsageError(`${file} starts no timer: there is nothing to recommend a queue for`)
  const queue = withControl(request.queue ?? resolveQueues(await exactQueues()))
  const { rounds = roundsFor(Math.max(1, queue.length - 1), DEFAULT_RULES.alpha) } = request
  const plan = await planReplay({ trace: file, queue, rounds, seed })
  if (plan.cells.length < 2) throw new UsageError(`recommend compares queues with ${CONTROL.micro}: name another that has the contract`)
  const directory = request.out ?? path.join('results', `recommend-${runId(new Date())}`)
  return console.interruptible(async signal => {
    const results = await startRun(plan, { directory, command, signal, onProgress: progress => console.showProgress(stepProgress(progress)) })
    const recommendation = recommend(results, { trace: { file, ...describeTrace(trace) }, stand: CONTROL.micro, rules: DEFAULT_RULES })
    const { ranking, skipped } = recommendation
    const missing = skipped.find(skip => skip.queue === CONTROL.micro)
    if (missing) throw new MeasurementError(`${CONTROL.micro}, with which the other queues are compared, was not measured: ${missing.reason}`)
    if (ranking.length < 2) throw new MeasurementError(`no queue was measured beside ${CONTROL.micro}: ${skipped[0].reason}`)
    console.show(request, { document: () => recommendationDocument(recommendation), value: recommendation })
    return recommendation.verdict === 'unclear' ? EXIT_CODES.inconclusive : 0
  }, `finished samples are kept in ${directory}`)
}

/**
 * Adds the queue that does as Node does, unless it is there.
 *
 * @param {ResolvedQueue[]} named
 */
function withControl (named) {
  const control = resolveQueues([CONTROL.micro])
  return named.some(({ name }) => name === CONTROL.micro) ? named : [...named, ...control]
}

/** A queue that fires late cannot replace one that does not. */
async function exactQueues () {
  const own = queues.filter(({ origin }) => origin === 'own')
  const metas = await Promise.all(own.map(({ url }) => loadQueueMeta(url)))
  return own.filter((_, i) => metas[i]?.accuracy === 'exact').map(({ name }) => name)
}
