/**
 * A run in figures: for every cell and metric the median over its samples, with an interval, the ratio to the control of
 * its table, and how costs grow along a swept parameter. Format timerq-summary/1, see schema/summary.schema.json.
 */
import { costsOf, growthOf } from './growth.js'
import { tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { machinesOf, placeOfCells } from '../model/machine.js'
import { metrics as knownMetrics } from '../model/metrics.js'
import { describeCell, formatCount, formatPercent, formatSome } from '../model/numbers.js'
import { fatalFailure, samplesOf } from './pairs.js'
import { controlsOf, exactControlsOf, MOST_ROUNDS } from '../plan/plan.js'
import { findImprecise } from './precision.js'
import { rank } from './rank.js'
import { ratioOf } from './ratio.js'
import { atFullSpeed, SlowCores } from './slow-cores.js'
import { medianInterval } from './statistics/median-interval.js'

/**
 * @typedef {object} MetricSummary
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {number} median
 * @property {number} low
 * @property {number} high
 * @property {number} n  Samples: fresh processes.
 * @property {number} coverage  Probability that the interval from low to high holds the true median.
 * @property {boolean} [isShared]  Measured in heats, for lack of windows, though it makes sense only alone.
 * @property {Ratio} [ratio]  To the control of its table; of what is timed, where both were measured.
 * @property {Ratio[]} [others]  To each other queue of its table, where they ran in heats: two queues that are close to each
 *   other may both be far from the control, and scatter with it.
 * @property {Ratio} [toExact]  With slack: to the control without it, where they ran in the same heats.
 *
 * @typedef {import('./ratio.js').Ratio} Ratio
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
 * @property {import('../processes/environment.js').Environment} environment
 * @property {import('../plan/plan.js').Settings} settings
 * @property {Omit<import('../plan/plan.js').PlannedQueue, 'url'>[]} queues
 * @property {Omit<import('../plan/plan.js').PlannedScenario, 'url' | 'values'>[]} scenarios
 * @property {CellSummary[]} cells
 * @property {import('./growth.js').GrowthSummary[]} growth
 * @property {import('./rank.js').Ranking} ranking
 * @property {SkippedCell[]} skipped
 * @property {string[]} warnings
 */

/**
 * @param {import('../store/results.js').Results} results
 * @returns {Summary}
 */
export function summarise ({ directory, run, samples, warnings }) {
  const { plan } = run
  const controlOf = controlsOf(plan)
  const exactControlOf = exactControlsOf(controlOf)
  const progress = new Progress(run)
  const slowCores = new SlowCores()
  /** By cell. @type {Map<string, ReturnType<typeof summariseCell>>} */
  const summaries = new Map()

  // Table by table: a long run has more samples than fit into memory.
  for (const [table, cells] of groupBy(plan.cells, tableId)) {
    const control = controlOf.get(table)
    const exactControl = exactControlOf.get(table)
    const takenOf = samples.byCell(exactControl ? [...cells, exactControl] : cells)
    const controlled = { control, taken: takenOf.get(control?.id ?? '') ?? [] }
    for (const cell of cells) summaries.set(cell.id, summariseCell(cell, takenOf.get(cell.id) ?? [], controlled, run))
    const measured = cells.flatMap(({ id }) => summaries.get(id)?.measured ?? [])
    addOthers(measured, takenOf, controlled.taken)
    if (exactControl) addExact(measured, takenOf, exactControl)
    progress.see(cells, takenOf)
    slowCores.see(cells, cells.map(({ id }) => takenOf.get(id) ?? []), controlled.taken)
  }

  const inOrder = plan.cells.map(({ id }) => /** @type {ReturnType<typeof summariseCell>} */ (summaries.get(id)))
  const measured = inOrder.flatMap(({ measured }) => measured ?? [])
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
    growth: growthOf(measured, placeOfCells(run)),
    ranking: rank({ cells: measured.map(({ cell }) => cell), settings: plan.settings, scenarios: plan.scenarios }),
    skipped: inOrder.flatMap(({ skipped }) => skipped ?? []),
    warnings: [...warnings, ...plan.queues.flatMap(describeBreaches), ...progress.describe(), ...slowCores.describe()]
  }
}

/**
 * @param {import('../plan/plan.js').Cell} cell
 * @param {import('../store/results.js').Sample[]} taken
 * @param {{control: import('../plan/plan.js').Cell | undefined, taken: import('../store/results.js').Sample[]}} controlled  Of its table.
 * @param {import('../store/results.js').Run} run
 * @returns {{measured?: import('./growth.js').MeasuredCell, skipped?: SkippedCell}}
 */
function summariseCell ({ id, ...cell }, taken, { control, taken: takenOfControl }, run) {
  const valid = taken.filter(({ failure }) => !failure)
  const fatal = fatalOf(taken)
  const reason = fatal ? { kind: fatal.kind, reason: fatal.message } : taken.length === 0 ? whyMissing(run) : null
  const skipped = reason ? { ...cell, ...reason } : undefined
  // Times of a queue that fires the wrong timers are not times of the same work.
  if (valid.length === 0 || fatal?.kind === 'wrong') return { skipped }
  const { metrics, warnings } = summariseSamples(valid)
  if (control && control.id !== id) addRatios(metrics, taken, { to: control.queue, samples: takenOfControl })
  return { measured: { id, cell: { ...cell, metrics, warnings: [...warnings, ...(fatal ? [] : lostSamples(taken))] }, costs: costsOf(atFullSpeed(valid)) }, skipped }
}

/**
 * @param {import('../plan/plan.js').PlannedQueue} queue
 * @returns {string[]}
 */
function describeBreaches ({ name, breaks = [] }) {
  return breaks.length === 0 ? [] : [`${name} breaks the contract, so its figures are not of the same work (timerq check shows how). Not kept: ${breaks.join('; ')}`]
}

/**
 * Why a cell has no samples at all.
 *
 * @param {import('../store/results.js').Run} run
 */
function whyMissing ({ ended, plan: { settings: { budgetSeconds } } }) {
  const isOutOfTime = ended !== null && budgetSeconds !== null
  return isOutOfTime
    ? { kind: 'out-of-time', reason: `not measured: the time budget of ${budgetSeconds} s was used up (--budget)` }
    : { kind: 'missing', reason: 'not measured: the run ended before' }
}

/**
 * Why a cell has no figures, or should have more: it was given up, or all its samples were lost. A queue that is too slow
 * now and then has the figures of the other times.
 *
 * @param {import('../store/results.js').Sample[]} taken  Of one cell.
 */
function fatalOf (taken) {
  const fatal = fatalFailure(taken)
  const isMeasured = taken.some(({ failure }) => !failure)
  if (fatal && (fatal.kind !== 'time-limit' || !isMeasured)) return fatal
  return isMeasured ? undefined : taken[0]?.failure
}

/**
 * CPU time is summarised from heats, where there are any; throughput, latency and what else depends on having the machine
 * for oneself, from windows. Where there are none, it comes from heats, and is marked.
 *
 * @param {import('../store/results.js').Sample[]} samples
 */
function summariseSamples (samples) {
  const names = new Set(samples.flatMap(sample => Object.keys(sample.metrics)))
  /** @type {Record<string, MetricSummary>} */
  const metrics = {}
  for (const name of names) {
    const { unit, better, role } = knownMetrics[name]
    const measured = samples.filter(sample => name in sample.metrics)
    const timed = atFullSpeed(samplesOf(measured, name))
    const isShared = (role === 'service' || role === 'side') && timed.some(({ channel }) => channel === 'heat')
    metrics[name] = { unit, better, ...(isShared && { isShared }), ...medianInterval((timed.length > 0 ? timed : measured).map(sample => sample.metrics[name])) }
  }
  return { metrics, warnings: countWarnings(samples.flatMap(sample => sample.warnings)) }
}

/**
 * @param {Record<string, MetricSummary>} metrics
 * @param {import('../store/results.js').Sample[]} samples
 * @param {{to: string, samples: import('../store/results.js').Sample[]}} control
 */
function addRatios (metrics, samples, control) {
  for (const name of Object.keys(metrics).filter(name => knownMetrics[name].role === 'time')) {
    const ratio = ratioOf(samples, control, name)
    if (ratio) metrics[name].ratio = ratio
  }
}

/**
 * @param {import('./growth.js').MeasuredCell[]} table
 * @param {Map<string, import('../store/results.js').Sample[]>} takenOf  By cell.
 * @param {import('../store/results.js').Sample[]} control
 */
function addOthers (table, takenOf, control) {
  const validOf = new Map(table.map(({ id }) => [id, (takenOf.get(id) ?? []).filter(({ failure }) => !failure)]))
  const samplesIn = (/** @type {string} */ id) => validOf.get(id) ?? []
  for (const { id, cell } of table) {
    for (const [name, figures] of Object.entries(cell.metrics).filter(([name]) => isRanked(name))) {
      const others = table.filter(other => other.cell !== cell && name in other.cell.metrics)
        .flatMap(other => ratioOf(samplesIn(id), { to: other.cell.queue, samples: samplesIn(other.id), control }, name) ?? [])
        .filter(({ by }) => by === 'heat')
      if (others.length > 0) figures.others = others
    }
  }
}

/**
 * @param {import('./growth.js').MeasuredCell[]} table  With slack.
 * @param {Map<string, import('../store/results.js').Sample[]>} takenOf  By cell.
 * @param {import('../plan/plan.js').Cell} exactControl
 */
function addExact (table, takenOf, exactControl) {
  const standard = { to: exactControl.queue, samples: takenOf.get(exactControl.id) ?? [] }
  for (const { id, cell } of table) {
    for (const [name, figures] of Object.entries(cell.metrics).filter(([name]) => isRanked(name))) {
      const ratio = ratioOf(takenOf.get(id) ?? [], standard, name)
      if (ratio?.by === 'heat') figures.toExact = ratio
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

/** How far a run got. */
class Progress {
  #run
  #rounds = 0
  /** A cell that failed gets no more rounds, whatever the time; one that did not would have gone on. */
  #couldGoOn = false
  /** @type {import('./precision.js').Imprecise[]} */
  #imprecise = []

  /** @param {import('../store/results.js').Run} run */
  constructor (run) {
    this.#run = run
  }

  /**
   * @param {import('../plan/plan.js').Cell[]} cells  Of a table.
   * @param {Map<string, import('../store/results.js').Sample[]>} takenOf  By cell.
   */
  see (cells, takenOf) {
    const { plan, plan: { settings: { until } } } = this.#run
    for (const { round, channel, failure } of [...takenOf.values()].flat()) {
      if (round >= this.#rounds) [this.#rounds, this.#couldGoOn] = [round + 1, false]
      if (round + 1 === this.#rounds && channel !== 'exact' && !failure) this.#couldGoOn = true
    }
    if (until) this.#imprecise.push(...findImprecise({ ...plan, cells }, takenOf, until))
  }

  /** @returns {string[]} warnings */
  describe () {
    const { ended, parts = [], plan: { settings: { rounds: planned, budgetSeconds, until } } } = this.#run
    const rounds = this.#rounds
    const isCutShort = ended !== null && rounds < planned && planned < MOST_ROUNDS && budgetSeconds !== null && this.#couldGoOn && !until
    const machines = parts.length > 0 ? machinesOf(this.#run) : []
    return [
      ...(ended === null ? ['the run did not end: more samples may be missing'] : []),
      ...(isCutShort ? [`${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${planned}: the time budget of ${budgetSeconds} s was used up`] : []),
      ...(until ? describeImprecise(this.#imprecise, until) : []),
      ...(machines.length > 1 ? [`tables come from different machines, compare within a table only: ${machines.join('; ')} (how times grow is only shown for sizes that one of them measured)`] : [])
    ]
  }
}

/**
 * @param {import('./precision.js').Imprecise[]} imprecise
 * @param {number} until
 * @returns {string[]}
 */
function describeImprecise (imprecise, until) {
  if (imprecise.length === 0) return []
  const named = [...imprecise].sort((a, b) => b.within - a.within).map(({ cell, within }) =>
    `${describeCell(cell)} (${within === Infinity ? 'too few heats' : formatPercent(within)})`)
  return [`${formatCount(imprecise.length, 'ratio')} ${imprecise.length === 1 ? 'is' : 'are'} not known within ${formatPercent(until)} yet: ${formatSome(named)}`]
}

/** @param {import('../store/results.js').Sample[]} samples */
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
