/** Judges each claim of the source documents by its own predicate, on the figures of a run. */
import os from 'node:os'
import { median } from 'simple-statistics'
import { cellId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { metrics as knownMetrics } from '../model/metrics.js'
import { formatCount } from '../model/numbers.js'
import { samplesOf } from '../judge/pairs.js'
import { hadCores } from '../processes/shared-core.js'
import { cpuPerTime } from '../profile/analysis/shares.js'
import { medianInterval } from '../judge/statistics/interval.js'
import { summarise } from '../judge/summary.js'
import { exactly, isDecisive, SAMPLES_TO_DECIDE } from './figures.js'

/**
 * @typedef {import('./figures.js').Figure} Figure
 *
 * @typedef {'quick' | 'documented'} Preset
 *
 * @typedef {object} CellsOf  All queues on one scenario, with every combination of the parameters and flags: what a claim
 *   compares with each other. They are measured together, and as one group even where several claims use them.
 * @property {string} scenario
 * @property {string[]} queues
 * @property {Record<Preset, Record<string, number[]>>} params  The others are the scenario's own for the preset.
 * @property {string} [nodeFlags]
 * @property {string} [group]  All of one name are measured together. Without it these cells are a group of their own.
 * @property {boolean} [alone]  One right after the other instead of at the same time.
 * @property {boolean} [profiled]  Only under a CPU profiler, for the queues' shares.
 * @property {boolean} [counted]  Only their work is counted.
 * @property {number} [repeat]  Times as many heats, windows or profiles as the settings say: for what is hard to decide.
 *
 * @typedef {(scenario: string, queue: string, metric: string, where?: Record<string, number | string>) => Figure} FigureOf
 *   Throws where there is no such figure. `where`: parameters; `runtime` is the end of the runtime's name.
 *
 * @typedef {object} Claim  What a source document says, as cells to measure and a predicate that can fail.
 * @property {string} id
 * @property {string} claim  In a sentence.
 * @property {string} documented  What its author saw.
 * @property {CellsOf[]} cells
 * @property {CellsOf[]} [open]  Those of them that are measured again while the claim is undecided, if not all. The others leave no
 *   doubt.
 * @property {(figureOf: FigureOf, run: {preset: Preset, cores: number}) => {measured: string, holds: boolean | null}} [judge]
 *   `holds` is null for undecided.
 * @property {string} [whyNot]  If it does not hold: why, as far as it is known.
 * @property {string} [excluded]  In place of a judge: why it cannot be measured here.
 *
 * @typedef {'held' | 'not held' | 'undecided' | 'not measured' | 'excluded'} RowVerdict
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {string} claim
 * @property {string} documented
 * @property {string} measured
 * @property {boolean | null} holds
 * @property {RowVerdict} verdict
 * @property {string} command  Repeats it.
 *
 * @typedef {Omit<import('../judge/summary.js').CellSummary, 'metrics'> & {metrics: Record<string, Figure>}} MeasuredCell
 * @typedef {import('../store/results.js').Sample} Sample
 */

/**
 * @param {Claim} claim
 * @param {MeasuredCell[]} cells
 * @param {Preset} preset
 * @param {number} [cores]
 * @returns {Row}
 */
export function judgeClaim ({ id, claim, documented, judge, whyNot, excluded }, cells, preset, cores = os.availableParallelism()) {
  const command = `timerq reproduce --only ${id}${preset === 'quick' ? '' : ` --preset ${preset}`}`
  const row = (/** @type {RowVerdict} */ verdict, /** @type {string} */ measured, /** @type {boolean | null} */ holds = null) =>
    ({ id, claim, documented, measured, holds, verdict, command })
  if (!judge) return row('excluded', `excluded: ${excluded}`)

  const { figureOf, used } = lookIn(cells)
  try {
    const { measured, holds } = judge(figureOf, { preset, cores })
    if (holds === null) return row('undecided', measured + describeFew(used))
    return holds ? row('held', measured, holds) : row('not held', measured + (whyNot ? `. ${whyNot}` : ''), holds)
  } catch (error) {
    return row('not measured', `could not be measured: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * @param {Row[]} rows
 * @returns {Row[]} the claims that were decided and do not hold: with --strict, they fail the command
 */
export const contradicted = rows => rows.filter(({ holds }) => holds === false)

/** @param {Figure[]} used */
function describeFew (used) {
  const few = used.filter(figure => !isDecisive(figure)).map(({ n }) => n)
  return few.length === 0 ? '' : `; ${formatCount(Math.min(...few), 'sample')} a cell cannot decide it, it takes ${SAMPLES_TO_DECIDE} or more`
}

/**
 * @param {MeasuredCell[]} cells
 * @returns {{figureOf: FigureOf, used: Figure[]}}  `used`: every figure that was asked for.
 */
function lookIn (cells) {
  /** @type {Figure[]} */
  const used = []

  /** @type {FigureOf} */
  const figureOf = (scenario, queue, metric, { runtime = '', ...params } = {}) => {
    const found = cells.filter(cell => cell.scenario === scenario && cell.queue === queue && cell.runtime.endsWith(String(runtime)) &&
      Object.entries(params).every(([name, value]) => cell.params[name] === value))
    // The lowest value of whatever was swept, where the claim does not name one.
    const [cell] = found.sort((a, b) => Object.values(a.params)[0] - Object.values(b.params)[0])
    if (!cell?.metrics[metric]) throw new Error(`no ${metric} of ${queue} on ${scenario}`)
    const figure = cell.metrics[metric]
    used.push(figure)
    return figure
  }
  return { figureOf, used }
}

/**
 * What a server counts in its window and only claims ask for. `busyLoops`: event loops that are busy on average, of all
 * processes.
 *
 * @type {Record<string, (window: any) => number>}
 */
const COUNTERS = {
  scavengesPerThousandRequests: ({ collections, requests }) => 1000 * (collections.minor?.count ?? 0) / requests,
  servedPerSecond: ({ requests, windowMs }) => 1000 * requests / windowMs,
  busyLoops: ({ eventLoopUtilization }) => eventLoopUtilization
}

/** An event loop that waits for its core counts as busy: where other programs ran, these say nothing of a process. */
const OF_BUSY_PROCESSES = ['busyLoops', 'busyMicrosPerRequest']

/**
 * The cells of a run with all figures that claims ask for, and the observations behind each.
 *
 * @param {import('../store/results.js').Results} results
 * @param {number} [confidence]  Of all intervals.
 * @returns {MeasuredCell[]}
 */
export function measuredCells (results, confidence = 0.95) {
  const taken = groupBy(results.samples, ({ cell }) => cell)
  return summarise(results).cells.map(cell => {
    const samples = (taken.get(cellId(cell)) ?? []).filter(({ kind, failure }) => kind !== 'count' && !failure)
    const metrics = Object.entries(cell.metrics).map(([metric, figure]) => {
      if (knownMetrics[metric].role === 'count') return [metric, exactly(figure.median)]
      const measured = samples.filter(sample => metric in sample.metrics)
      const timed = samplesOf(measured, metric)
      return [metric, { ...figure, ...figureThatTells(metric, timed.length > 0 ? timed : measured, sample => ({ value: sample.metrics[metric], sliced: { metric, sample } }), confidence) }]
    })
    return { ...cell, metrics: { ...Object.fromEntries(metrics), ...countersOf(samples, confidence), ...profiledOf(samples, confidence) } }
  })
}

/**
 * What profiles say of a queue. `queueShare`: of the CPU that the server used. The other two are what this share takes of it.
 *
 * @type {Record<string, (share: number, profile: any) => number>}
 */
const SHARES = {
  queueShare: share => share,
  queueMicrosPerRequest: (share, { window, requests }) => share * window.cpuMicros / requests,
  queueMicrosPerTimeout: (share, { window, fired }) => share * window.cpuMicros / fired
}

/**
 * @param {Sample[]} samples  Of one cell.
 * @param {number} confidence
 * @returns {Record<string, Figure>}
 */
function profiledOf (samples, confidence) {
  const profiles = samples.filter(({ details }) => details?.queueTicks !== undefined)
  if (profiles.length === 0) return {}
  const ticks = median(profiles.map(({ details }) => details.ticks))
  return Object.fromEntries(Object.entries(SHARES).map(([name, read]) =>
    [name, { ...figureOfSamples(profiles, ({ details }) => ({ value: read(shareByTicks(details), details) }), confidence), ticks }]))
}

/**
 * The queue's share of all ticks in which the server was busy, of the CPU that it used for them. A tick before a collection or
 * before another program has the core stands for much more time than others, and a queue that takes 1 % has few: by time, as
 * a report of profiles has it, its share would depend on where they fall.
 *
 * @param {any} details  Of a profile.
 */
function shareByTicks ({ ticks, queueTicks, shares, window }) {
  return queueTicks / ticks * (1 - shares.idleByProfile) * cpuPerTime(window)
}

/**
 * @param {Sample[]} samples  Of one cell.
 * @param {number} confidence
 * @returns {Record<string, Figure>}
 */
function countersOf (samples, confidence) {
  const heats = samples.filter(({ kind }) => kind === 'heat')
  const windows = (heats.length > 0 ? heats : samples.filter(({ kind }) => kind === 'alone')).filter(({ details }) => details?.window)
  if (windows.length === 0) return {}
  return Object.fromEntries(Object.entries(COUNTERS).map(([name, count]) =>
    [name, figureThatTells(name, windows, ({ details }) => ({ value: count(details.window) }), confidence)]))
}

/**
 * @param {Sample} sample
 * @returns {import('./figures.js').Observations['by']}
 */
function pairingOf ({ kind, heat }) {
  if (kind === 'profile') return 'process'
  return heat === undefined ? 'round' : 'heat'
}

/**
 * Of the samples that say anything about it. Where none does, it decides nothing.
 *
 * @param {string} name
 * @param {Sample[]} samples  Of one cell, all of one kind.
 * @param {(sample: Sample) => import('./figures.js').Observation} read
 * @param {number} confidence
 * @returns {Figure}
 */
function figureThatTells (name, samples, read, confidence) {
  const telling = OF_BUSY_PROCESSES.includes(name) ? samples.filter(({ details }) => hadCores(details.window)) : samples
  if (telling.length > 0) return figureOfSamples(telling, read, confidence)
  return { ...figureOfSamples(samples, read, confidence), n: 0, coverage: 0, observations: undefined }
}

/**
 * @param {Sample[]} samples  Of one cell, all of one kind.
 * @param {(sample: Sample) => import('./figures.js').Observation} read
 * @param {number} confidence
 * @returns {Figure}
 */
function figureOfSamples (samples, read, confidence) {
  const values = new Map(samples.map(sample => [sample.heat ?? sample.round, read(sample)]))
  return {
    ...medianInterval([...values.values()].map(({ value }) => value), confidence),
    observations: { by: pairingOf(samples[0]), values, confidence }
  }
}
