/**
 * A run in figures: for every cell and metric the median over its samples, with an interval, the ratio to the control of
 * its table, and how costs grow along a swept parameter. Format timerq-summary/1, see schema/summary.schema.json.
 */
import { growthOf } from './growth.js'
import { tableId } from './model/cell.js'
import { groupBy } from './model/group-by.js'
import { machinesOf } from './model/machine.js'
import { metrics as knownMetrics } from './model/metrics.js'
import { fatalFailure, pairedRatios, samplesOf } from './pairs.js'
import { medianInterval } from './statistics/median-interval.js'
import { pseudoMedian } from './statistics/pseudo-median.js'
import { tInterval } from './statistics/t-interval.js'

/** From as many values on, the interval by ranks covers 95 %. */
const ENOUGH_FOR_RANKS = 6
/** Two values say next to nothing about how much they scatter. */
const FEWEST_FOR_T = 3

/**
 * @typedef {object} MetricSummary
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {number} median
 * @property {number} low
 * @property {number} high
 * @property {number} n  Samples: fresh processes.
 * @property {number} coverage  Probability that the interval from low to high holds the true median.
 * @property {Ratio} [ratio]  To the control of its table; of what is timed, where both were measured.
 * @property {Ratio[]} [others]  To each other queue of its table, where they ran in the same heats: two queues that are close
 *   to each other may both be far from the control, and scatter with it.
 *
 * @typedef {object} Ratio  From pairs, so it is more certain than the two medians are.
 * @property {string} to  Queue.
 * @property {'heat' | 'round'} by  What was paired: samples taken at the same time, or in the same round one after the other.
 * @property {number} median  Hodges-Lehmann estimate of the ratios of all pairs.
 * @property {number} low
 * @property {number} high
 * @property {number} n  Pairs: heats or rounds in which both were measured.
 * @property {number} coverage
 *
 * @typedef {object} CellSummary
 * @property {string} scenario
 * @property {Record<string, number>} params
 * @property {string} queue
 * @property {string} runtime
 * @property {Record<string, MetricSummary>} metrics
 * @property {string[]} warnings
 *
 * @typedef {{scenario: string, params: Record<string, number>, queue: string, runtime: string, kind: string, reason: string}} SkippedCell
 *
 * @typedef {object} Summary
 * @property {'timerq-summary/1'} format
 * @property {string} run  The results directory.
 * @property {string[]} command
 * @property {string} started
 * @property {string | null} ended
 * @property {import('./environment.js').Environment} environment
 * @property {import('./plan.js').Settings} settings
 * @property {Omit<import('./plan.js').PlannedQueue, 'url'>[]} queues
 * @property {Omit<import('./plan.js').PlannedScenario, 'url' | 'values'>[]} scenarios
 * @property {CellSummary[]} cells
 * @property {import('./growth.js').GrowthSummary[]} growth
 * @property {SkippedCell[]} skipped
 * @property {string[]} warnings
 */

/**
 * @param {import('./results.js').Results} results
 * @returns {Summary}
 */
export function summarise ({ directory, run, samples, warnings }) {
  const { plan } = run
  const takenOf = groupBy(samples, ({ cell }) => cell)
  const controlOf = controlsOf(plan)
  /** @type {import('./growth.js').MeasuredCell[]} */
  const measured = []
  /** @type {SkippedCell[]} */
  const skipped = []

  for (const { id, ...cell } of plan.cells) {
    const taken = takenOf.get(id) ?? []
    const valid = taken.filter(({ failure }) => !failure)
    const fatal = fatalOf(taken)
    if (fatal) skipped.push({ ...cell, kind: fatal.kind, reason: fatal.message })
    else if (taken.length === 0) skipped.push({ ...cell, kind: 'missing', reason: 'not measured: the run ended before' })
    // Times of a queue that fires the wrong timers are not times of the same work.
    if (valid.length > 0 && fatal?.kind !== 'wrong') {
      const control = controlOf.get(tableId(cell))
      const { metrics, warnings } = summariseSamples(valid)
      if (control && control.id !== id) addRatios(metrics, taken, { to: control.queue, samples: takenOf.get(control.id) ?? [] })
      measured.push({ cell: { ...cell, metrics, warnings: [...warnings, ...(fatal ? [] : lostSamples(taken))] }, samples: valid })
    }
  }

  for (const table of groupBy(measured, ({ cell }) => tableId(cell)).values()) addOthers(table)

  return {
    format: 'timerq-summary/1',
    run: directory,
    command: run.command,
    started: run.started,
    ended: run.ended,
    environment: run.environment,
    settings: plan.settings,
    queues: plan.queues.map(({ url, ...queue }) => queue),
    scenarios: plan.scenarios.map(({ url, values, ...scenario }) => scenario),
    cells: measured.map(({ cell }) => cell),
    growth: growthOf(measured),
    skipped,
    warnings: [...warnings, ...plan.queues.flatMap(describeBreaches), ...runWarnings(run, samples)]
  }
}

/**
 * @param {import('./plan.js').PlannedQueue} queue
 * @returns {string[]}
 */
function describeBreaches ({ name, breaks = [] }) {
  return breaks.length === 0 ? [] : [`${name} breaks the contract, so its figures are not of the same work (timerq check shows how): ${breaks.join('; ')}`]
}

/**
 * Why a cell has no figures, or should have more: it was given up, or all its samples were lost. A queue that is too slow
 * now and then has the figures of the other times.
 *
 * @param {import('./results.js').Sample[]} taken  Of one cell.
 */
function fatalOf (taken) {
  const fatal = fatalFailure(taken)
  const isMeasured = taken.some(({ failure }) => !failure)
  if (fatal && (fatal.kind !== 'time-limit' || !isMeasured)) return fatal
  return isMeasured ? undefined : taken[0]?.failure
}

/**
 * The cell that the others of its table are compared with, by table.
 *
 * @param {import('./plan.js').Plan} plan
 */
function controlsOf ({ cells, scenarios, settings: { control = {} } }) {
  const kinds = new Map(scenarios.map(({ name, kind }) => [name, kind]))
  return new Map(cells.filter(({ scenario, queue }) => queue === control[kinds.get(scenario) ?? '']).map(cell => [tableId(cell), cell]))
}

/**
 * CPU time is summarised from heats, where there are any; throughput, latency and what else depends on having the machine
 * for oneself, from windows alone.
 *
 * @param {import('./results.js').Sample[]} samples
 */
function summariseSamples (samples) {
  const names = new Set(samples.flatMap(sample => Object.keys(sample.metrics)))
  /** @type {Record<string, MetricSummary>} */
  const metrics = {}
  for (const name of names) {
    const { unit, better } = knownMetrics[name]
    const measured = samples.filter(sample => name in sample.metrics)
    const timed = samplesOf(measured, name)
    metrics[name] = { unit, better, ...medianInterval((timed.length > 0 ? timed : measured).map(sample => sample.metrics[name])) }
  }
  return { metrics, warnings: countWarnings(samples.flatMap(sample => sample.warnings)) }
}

/**
 * @param {Record<string, MetricSummary>} metrics
 * @param {import('./results.js').Sample[]} samples
 * @param {{to: string, samples: import('./results.js').Sample[]}} control
 */
function addRatios (metrics, samples, control) {
  for (const name of Object.keys(metrics).filter(name => knownMetrics[name].role === 'time')) {
    const ratio = ratioOf(samples, control, name)
    if (ratio) metrics[name].ratio = ratio
  }
}

/** @param {import('./growth.js').MeasuredCell[]} table */
function addOthers (table) {
  for (const { cell, samples } of table) {
    for (const [name, figures] of Object.entries(cell.metrics).filter(([name]) => isRanked(name))) {
      const others = table.filter(other => other.cell !== cell && name in other.cell.metrics)
        .flatMap(other => ratioOf(samples, { to: other.cell.queue, samples: other.samples }, name) ?? [])
        .filter(({ by }) => by === 'heat')
      if (others.length > 0) figures.others = others
    }
  }
}

/**
 * What queues are ranked by.
 *
 * @param {string} name
 */
function isRanked (name) {
  const { role, table } = knownMetrics[name]
  return role === 'time' && table === 'always'
}

/**
 * @param {import('./results.js').Sample[]} samples
 * @param {{to: string, samples: import('./results.js').Sample[]}} other
 * @param {string} name
 * @returns {Ratio | null}
 */
function ratioOf (samples, other, name) {
  const ratios = pairedRatios(other.samples, samples, name).map(({ ratio }) => ratio).filter(ratio => ratio > 0 && ratio < Infinity)
  if (ratios.length === 0) return null
  const by = samplesOf([...other.samples, ...samples], name).some(({ channel }) => channel === 'heat') ? 'heat' : 'round'
  const { estimate, low, high, coverage } = intervalOf(ratios.map(Math.log), by)
  const [median, ...ends] = [estimate, low, high].map(Math.exp)
  return { to: other.to, by, median, low: ends[0], high: ends[1], n: ratios.length, coverage }
}

/**
 * By ranks, which assumes next to nothing, wherever that can cover 95 %. The range of three to five values covers 75 to 94 %;
 * for heats Student's t does better: the log ratio of a heat is a median over its slices, and medians of many values are about
 * normal, whatever their values are. Rounds have no such slices, and two heats do not show how much heats scatter: there it
 * is the range, and its coverage.
 *
 * @param {number[]} logs  Logarithms of ratios.
 * @param {Ratio['by']} by
 */
function intervalOf (logs, by) {
  const byRanks = pseudoMedian(logs)
  const isForT = by === 'heat' && logs.length >= FEWEST_FOR_T && logs.length < ENOUGH_FOR_RANKS
  return isForT ? { ...byRanks, ...tInterval(logs) } : byRanks
}

/**
 * @param {import('./results.js').Run} run
 * @param {import('./results.js').Sample[]} samples
 */
function runWarnings (run, samples) {
  const { ended, parts = [], plan: { settings: { rounds: planned, budgetSeconds } } } = run
  const rounds = 1 + Math.max(-1, ...samples.map(({ round }) => round))
  // A cell that failed gets no more rounds, whatever the time; one that did not would have gone on.
  const couldGoOn = samples.some(({ round, channel, failure }) => round === rounds - 1 && channel !== 'exact' && !failure)
  const machines = parts.length > 0 ? machinesOf(run) : []
  return [
    ...(ended === null ? ['the run did not end: more samples may be missing'] : []),
    ...(ended !== null && rounds < planned && budgetSeconds !== null && couldGoOn
      ? [`${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${planned}: the time budget of ${budgetSeconds} s was used up`]
      : []),
    ...(machines.length > 1 ? [`tables come from different machines, compare within a table only: ${machines.join('; ')}`] : [])
  ]
}

/** @param {import('./results.js').Sample[]} samples */
function lostSamples (samples) {
  return samples.flatMap(({ channel, failure }) =>
    failure ? [`${channel === 'exact' ? 'work not counted' : 'a sample was lost'}: ${failure.message}`] : [])
}

/**
 * Warnings with figures in them differ from sample to sample: keeps one of each kind, with how often it was given.
 *
 * @param {string[]} warnings
 */
function countWarnings (warnings) {
  const kinds = groupBy(warnings, warning => warning.split(':')[0])
  return [...kinds.values()].map(([first, ...more]) => more.length === 0 ? first : `${first} (and ${more.length} more like it)`)
}
