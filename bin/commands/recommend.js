import path from 'node:path'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { loadQueueMeta } from '../../harness/load-queue.js'
import { readTrace } from '../../harness/record/trace-format.js'
import { describeTrace, recommend, roundsFor } from '../../harness/recommend.js'
import { runId, startRun } from '../../harness/run.js'
import { DEFAULT_RULES } from '../../harness/verdict.js'
import { queues } from '../../queues/index.js'
import { renderRecommendation, renderRecommendationMarkdown } from '../../reports/documents/recommendation.js'
import { interruptible } from '../interruptible.js'
import { planFromOptions } from '../planning.js'
import { CONTROL, GATE } from '../presets.js'
import { createProgress } from '../progress.js'
import { terminalStyle } from '../terminal-style.js'

export const command = 'recommend'
export const describe = "Rank the queues for a recorded program's timers: is there one worth changing to?"

const INCONCLUSIVE = 3
/** A trace is as long as it is. */
const TIMING = { ...GATE.micro, limitMs: 60_000, exactLimitMs: 60_000 }

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .option('trace', { type: 'string', requiresArg: true, describe: 'A file that timerq record wrote' })
  .option('queue', { type: 'string', requiresArg: true, describe: 'Queues: names, ./files.js, npm:packages (default: all own ones that are exact)' })
  .option('rounds', { type: 'string', requiresArg: true, describe: 'Samples a queue, each in a fresh process (default: 7 for two queues, 11 for fourteen)' })
  .option('seed', { type: 'string', requiresArg: true, describe: 'Of the order of measuring (default: by chance, and noted)' })
  .option('out', { type: 'string', requiresArg: true, describe: 'Results directory (default: results/recommend-<time>)' })
  .option('format', { choices: ['terminal', 'markdown', 'json'], default: 'terminal', describe: 'What to print' })
  .option('json', { type: 'boolean', describe: 'Print timerq-recommendation/1' })
  .example('$0 record --out app.trace -- node app.js', 'then: timerq recommend --trace app.trace')

/**
 * @param {any} argv
 * @returns {Promise<number>}
 */
export async function handler ({ trace: file, queue, rounds, seed, out, format, json, color, streams }) {
  if (file === undefined) throw new UsageError('recommend needs --trace: a file that timerq record wrote')
  const trace = readTrace(file)
  if (!trace.kinds.includes(0)) throw new UsageError(`${file} starts no timer: there is nothing to recommend a queue for`)
  const directory = out ?? path.join('results', `recommend-${runId(new Date())}`)
  const names = withNode(queue?.split(',') ?? await exactQueues())
  const enough = String(roundsFor(Math.max(1, names.length - 1), DEFAULT_RULES.alpha))
  const plan = await planFromOptions({ trace: file, queue: names, rounds: rounds ?? enough, seed, preset: 'quick', port: '0' })
  if (plan.cells.length < 2) throw new UsageError(`recommend compares queues with ${CONTROL.micro}: name another that has the contract`)
  const progress = createProgress(streams.stderr)
  return interruptible(async signal => {
    const results = await startRun({ ...plan, settings: { ...plan.settings, micro: TIMING } },
      { directory, command: ['timerq', ...process.argv.slice(2)], onProgress: progress.show, signal }).finally(progress.end)
    const recommendation = recommend(results, { trace: { file, ...describeTrace(trace) }, stand: CONTROL.micro, rules: DEFAULT_RULES })
    const { ranking, skipped } = recommendation
    const missing = skipped.find(skip => skip.queue === CONTROL.micro)
    if (missing) throw new MeasurementError(`${CONTROL.micro}, with which the others are compared, was not measured: ${missing.reason}`)
    if (ranking.length < 2) throw new MeasurementError(`no queue was measured beside ${CONTROL.micro}: ${skipped[0].reason}`)
    const render = {
      terminal: () => renderRecommendation(recommendation, terminalStyle(streams.stdout, color)),
      markdown: () => renderRecommendationMarkdown(recommendation),
      json: () => JSON.stringify(recommendation, null, 2) + '\n'
    }[/** @type {'terminal'} */ (json ? 'json' : format)]
    streams.stdout.write(render())
    return recommendation.verdict === 'unclear' ? INCONCLUSIVE : 0
  }, () => streams.stderr.write(`timerq: stopped; finished samples are kept in ${directory}\n`))
}

/**
 * What Node does is always among them, once.
 *
 * @param {string[]} names
 */
function withNode (names) {
  return [...new Set([...names, CONTROL.micro])]
}

/** A queue that fires late is no replacement for one that does not. */
async function exactQueues () {
  const own = queues.filter(({ origin }) => origin === 'own')
  const metas = await Promise.all(own.map(({ url }) => loadQueueMeta(url)))
  return own.filter((_, i) => metas[i]?.accuracy === 'exact').map(({ name }) => name)
}
