/**
 * timerq for programs: the commands without a command line.
 *
 *     import { run } from 'timerq'
 *
 *     const { cells } = await run({ queues: ['lazy-wheel', './my-queue.js'], scenarios: ['start-cancel'], parameters: { size: [1000] } })
 *     for (const { queue, metrics } of cells) console.log(queue, metrics.nsPerOp.median)
 *
 * `timerq/conformance` checks a queue and loads less; `timerq/queues/lazy-wheel` is a queue to use.
 */
import path from 'node:path'
import { readResults, rooms, runId, startRun, summarise } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { scenarios } from '../scenarios/index.js'
import { presets } from './presets.js'
import { resolveQueues, resolveScenarios } from './request/catalogue.js'
import { planRun } from './request/plan.js'
import { didYouMean } from './request/suggest.js'
import { integer, oneOf, SEEDS } from './request/values.js'

const { compareQueues, compareRuns, DEFAULT_RULES } = await rooms.compare()
const { checkQueue } = await rooms.conformance()

export { queues } from '../queues/index.js'
export { checkQueue, scenarios }

/** @import { Progress } from '../harness/run/progress.js' */

/**
 * @typedef {import('../queues/contract.js').TimerQueue} TimerQueue
 * @typedef {import('../queues/contract.js').Timer} Timer
 * @typedef {import('../queues/contract.js').QueueMeta} QueueMeta
 * @typedef {import('../queues/index.js').QueueEntry} QueueEntry
 * @typedef {import('../scenarios/index.js').ScenarioEntry} ScenarioEntry
 * @typedef {import('../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../harness/judge/compare.js').ComparisonRecord} Comparison
 * @typedef {import('../harness/judge/verdict.js').Rules} Rules
 *
 * @typedef {object} RunOptions  Defaults are those of `timerq run`.
 * @property {string[]} [queues]  Names, './files.js' or 'npm:packages'.
 * @property {string[]} [scenarios]  Names or './files.js'.
 * @property {Record<string, number[]>} [parameters]  Values to measure: size, connections and so on. Scenarios without such a
 *   parameter ignore it.
 * @property {'quick' | 'documented' | 'ci'} [preset]
 * @property {number} [rounds]
 * @property {number} [seed]  Seed of all random draws.
 * @property {string} [directory]  New results directory. Default: results/<time>.
 * @property {AbortSignal} [signal]  Ends the run; finished samples are kept.
 * @property {(progress: Progress) => void} [onProgress]
 */

/** @type {Record<keyof RunOptions, true>} */
const RUN_OPTIONS = { queues: true, scenarios: true, parameters: true, preset: true, rounds: true, seed: true, directory: true, signal: true, onProgress: true }

/**
 * Measures queues on scenarios, each in fresh processes. Cells that failed are in `skipped`.
 *
 * @param {RunOptions} [options]
 * @returns {Promise<Summary>} the object that `timerq run --json` prints
 * @throws {UsageError} for unknown names and invalid values
 */
export async function run (options = {}) {
  const { directory = path.join('results', runId(new Date())), signal, onProgress } = options
  const plan = await planRun(requestOf(options))
  return summarise(await startRun(plan, { directory, command: ['node', ...process.argv.slice(1)], signal, onProgress }))
}

/**
 * @param {string} directory  Results of a run.
 * @returns {Summary}
 * @throws {UsageError} when it holds no results
 */
export function readSummary (directory) {
  return summarise(readResults(directory))
}

/**
 * Compares two runs, or two queues of one run. Only counts decide between two runs, since they were not measured at the same
 * time; times decide between two queues of one run, too.
 *
 * @param {string} baseline  Results directory.
 * @param {string | {from: string, to: string}} candidate  Another results directory, or two queues of the baseline.
 * @param {Partial<Rules>} [rules]
 * @returns {Comparison} the object that `timerq compare --json` prints
 * @throws {UsageError} when there is nothing to compare
 */
export function compare (baseline, candidate, rules = {}) {
  const base = readResults(baseline)
  const options = { rules: { ...DEFAULT_RULES, ...rules }, command: ['node', ...process.argv.slice(1)] }
  return typeof candidate === 'string'
    ? compareRuns(base, readResults(candidate), options)
    : compareQueues(base, candidate.from, candidate.to, options)
}

/** @param {RunOptions} options */
function requestOf (options) {
  const { queues, scenarios: names, parameters = {}, preset = 'quick', rounds, seed } = options
  const unknown = Object.keys(options).find(option => !(option in RUN_OPTIONS))
  if (unknown !== undefined) throw new UsageError(`run: unknown option "${unknown}"${didYouMean(unknown, Object.keys(RUN_OPTIONS))}`)
  oneOf(Object.keys(presets))('preset', preset)
  for (const [name, values] of Object.entries(parameters)) values.forEach(value => integer(name, String(value), 0))
  return {
    preset,
    queue: queues && resolveQueues(queues),
    scenario: names && resolveScenarios(names),
    sweep: Object.keys(parameters).length > 0 ? parameters : undefined,
    rounds: rounds && integer('rounds', String(rounds), 1),
    seed: seed === undefined ? undefined : integer('seed', String(seed), 0, SEEDS - 1)
  }
}
