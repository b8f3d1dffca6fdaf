/**
 * Summary of a run: for every cell and metric the median with an interval and the ratio to the control of the table;
 * the ranking. Format timerq-summary/1, see schema/summary.schema.json.
 */
import { tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { kindIn } from '../model/kinds.js'
import { machinesOf } from '../model/machine.js'
import { isRanked, metrics as knownMetrics } from '../model/metrics.js'
import { describeCell, formatCount, formatPercent, formatSome } from '../model/numbers.js'
import { secondsCovered } from '../model/seconds-covered.js'
import { isNothing } from '../model/warnings.js'
import { controlsOf, MOST_ROUNDS } from '../plan/plan.js'
import { warnOfGrowth } from './growing.js'
import { fatalFailure, ratioOf, samplesByCell, samplesOf } from './pairs.js'
import { findImprecise } from './precision.js'
import { rank } from './rank.js'
import { medianInterval } from './statistics/interval.js'
import { worthOf } from './worth.js'

/**
 * @import { Cell } from '../model/cell.js'
 * @import { Kind } from '../model/kinds.js'
 * @import { Warning } from '../model/warnings.js'
 * @import { PlannedQueue } from '../plan/plan.js'
 * @import { Results, Run, Sample } from '../store/results.js'
 * @import { CellSummary, MetricSummary, SkippedCell, Summary } from './records.js'
 */

/**
 * @typedef {{cell: Cell, samples: Sample[], summary: CellSummary}} MeasuredCell  `samples`: without those that failed.
 */

/**
 * @param {Results} results
 * @returns {Summary}
 */
export function summarise ({ directory, run, samples, warnings }) {
  const { plan } = run
  const { settings, end, of } = plan
  const samplesIn = samplesByCell(samples)
  const kindOf = kindIn(plan)
  /** @type {Map<string, MeasuredCell>} */
  const measured = new Map(
    plan.cells
      .flatMap(cell => summariseCell(cell, samplesIn(cell), kindOf(cell)) ?? [])
      .map(each => [each.cell.id, each])
  )
  const controls = controlsOf(plan)
  // A ratio to removed work would claim something.
  const timed = new Map([...measured].filter(([, { summary }]) => !isNothing(summary)))
  for (const [table, cells] of groupBy(timed.values(), ({ cell }) => tableId(cell))) {
    const control = controls.get(table)
    const isControlTimed = control && (timed.has(control.id) || !measured.has(control.id))
    const options = { table: cells, samplesIn }
    for (const cell of cells) addRatios(cell, { ...options, ...(isControlTimed && { control }) })
  }
  const cells = [...measured.values()].map(({ summary }) => summary)
  return {
    format: 'timerq-summary/1',
    run: directory,
    command: run.command,
    started: run.started,
    ended: run.ended,
    seconds: Math.round(secondsCovered(samples)),
    environment: run.environment,
    settings,
    end,
    of,
    queues: plan.queues.map(({ url, ...queue }) => queue),
    scenarios: plan.scenarios.map(({ url, values, ...scenario }) => scenario),
    cells,
    ...(of.program && {
      worth: worthOf(cells, { control: settings.control.http, usesTimers: of.program.usesTimers })
    }),
    ranking: rank({ cells, settings, scenarios: plan.scenarios }),
    skipped: plan.cells.flatMap(cell => skippedCell(cell, samplesIn(cell), run)),
    warnings: [
      ...warnings,
      ...plan.queues.flatMap(describeBreaches),
      ...describeProgress(run, samples),
      ...describeImprecise(run, samplesIn)
    ]
  }
}

/**
 * CPU time comes from heats, if any; throughput and latency from windows, where a queue has the machine to itself.
 * Without windows they come from heats and are marked.
 *
 * @param {Cell} cell
 * @param {Sample[]} taken
 * @param {Kind} kind  Calls of code may change what later calls meet.
 * @returns {MeasuredCell | undefined}
 */
function summariseCell (cell, taken, { isCode }) {
  const samples = taken.filter(({ failure }) => !failure)
  const fatal = fatalOf(taken)
  // Times of a queue that fires the wrong timers are not times of the same work.
  if (samples.length === 0 || fatal?.kind === 'wrong') return
  const names = [...new Set(samples.flatMap(({ metrics }) => Object.keys(metrics)))]
  const { id, ...place } = cell
  const warnings = [
    ...countWarnings(samples.flatMap(({ warnings }) => warnings)),
    ...(isCode ? warnOfGrowth(samples) : []),
    ...(fatal ? [] : warnOfLosses(taken))
  ]
  return {
    cell,
    samples,
    summary: {
      ...place,
      metrics: Object.fromEntries(names.map(name => [name, summariseMetric(name, samples)])),
      warnings
    }
  }
}

/**
 * @param {string} name
 * @param {Sample[]} samples
 * @returns {MetricSummary}
 */
function summariseMetric (name, samples) {
  const { unit, better, role } = knownMetrics[name]
  const measured = samples.filter(({ metrics }) => name in metrics)
  const compared = samplesOf(measured, name)
  const isShared = (role === 'service' || role === 'side') && compared.some(({ kind }) => kind === 'heat')
  const values = (compared.length > 0 ? compared : measured).map(({ metrics }) => metrics[name])
  return { unit, better, ...(isShared && { isShared }), ...medianInterval(values) }
}

/**
 * @param {Cell} cell
 * @param {Sample[]} taken
 * @param {Run} run
 * @returns {SkippedCell[]}
 */
function skippedCell ({ id, ...cell }, taken, run) {
  const fatal = fatalOf(taken)
  if (fatal) return [{ ...cell, kind: fatal.kind, reason: fatal.message }]
  return taken.length === 0 ? [{ ...cell, ...whyMissing(run) }] : []
}

/** @param {Run} run */
function whyMissing ({ ended, plan: { end: { budgetSeconds } } }) {
  return ended !== null && budgetSeconds !== null
    ? {
        kind: 'out-of-time',
        reason: `the time budget of ${budgetSeconds} s was used up (--budget)`
      }
    : { kind: 'missing', reason: 'the run ended before' }
}

/**
 * The failure that ended a cell or cost all its samples. A queue that is sometimes too slow keeps its other results.
 *
 * @param {Sample[]} taken  All samples of one cell, including failures.
 */
function fatalOf (taken) {
  const fatal = fatalFailure(taken)
  const isMeasured = taken.some(({ failure }) => !failure)
  if (fatal && (fatal.kind !== 'time-limit' || !isMeasured)) return fatal
  return isMeasured ? undefined : taken[0]?.failure
}

/** @param {CellSummary} summary */
const timesIn = ({ metrics }) => Object.entries(metrics).filter(([name]) => knownMetrics[name].role === 'time')

/**
 * Adds ratios of times to the control; of ranking times also ratios to other queues.
 *
 * @param {MeasuredCell} measured
 * @param {object} options
 * @param {MeasuredCell[]} options.table
 * @param {Cell} [options.control]
 * @param {(cell: Cell | undefined) => Sample[]} options.samplesIn
 */
function addRatios ({ cell, samples, summary }, { table, control, samplesIn }) {
  for (const [name, figures] of timesIn(summary)) {
    const ratio =
      control && control !== cell
        ? ratioOf(samplesIn(cell), { to: control.queue, samples: samplesIn(control) }, name)
        : null
    if (ratio) figures.ratio = ratio
    if (!isRanked(name)) continue
    const others = table
      .filter(other => other.cell !== cell && name in other.summary.metrics)
      .flatMap(
        other =>
          ratioOf(samples, { to: other.cell.queue, samples: other.samples, control: samplesIn(control) }, name) ?? []
      )
      .filter(({ by }) => by === 'heat')
    if (others.length > 0) figures.others = others
  }
}

/**
 * @param {PlannedQueue} queue
 * @returns {string[]}
 */
function describeBreaches ({ name, breaks = [] }) {
  return breaks.length === 0
    ? []
    : [
        `${name} breaks the contract, so its figures are for other work (timerq check shows how). ` +
          `Not kept: ${breaks.join('; ')}`
      ]
}

/**
 * @param {Run} run
 * @param {Iterable<Sample>} samples
 * @returns {string[]}
 */
function describeProgress (run, samples) {
  const { rounds: planned, budgetSeconds, until } = run.plan.end
  let rounds = 0
  // A failed cell gets no more rounds, so only other cells show that the budget ended the run.
  let couldGoOn = false
  for (const { round, kind, failure } of samples) {
    if (round >= rounds) [rounds, couldGoOn] = [round + 1, false]
    if (round + 1 === rounds && kind !== 'count' && !failure) couldGoOn = true
  }
  const isCutShort = rounds < planned && planned < MOST_ROUNDS && budgetSeconds !== null && couldGoOn && !until
  const machines = machinesOf(run)
  return [
    ...(run.ended === null ? ['the run did not end: more samples may be missing'] : []),
    ...(run.ended !== null && isCutShort
      ? [`${formatCount(rounds, 'round')} of ${planned}: the time budget of ${budgetSeconds} s was used up`]
      : []),
    ...(machines.length > 1
      ? [
          `tables come from different machines, compare within a table only: ${machines.join('; ')}`
        ]
      : [])
  ]
}

/**
 * @param {Run} run
 * @param {(cell: Cell) => Sample[]} samplesIn
 * @returns {string[]}
 */
function describeImprecise ({ plan }, samplesIn) {
  const { until } = plan.end
  const imprecise = until ? findImprecise(plan, samplesIn, until) : []
  if (!until || imprecise.length === 0) return []
  const named = imprecise
    .sort((a, b) => b.within - a.within)
    .map(
      ({ cell, within }) => `${describeCell(cell)} (${within === Infinity ? 'too few heats' : formatPercent(within)})`
    )
  return [
    `${formatCount(imprecise.length, 'ratio')} ${imprecise.length === 1 ? 'is' : 'are'} not known ` +
      `within ${formatPercent(until)} yet: ${formatSome(named)}`
  ]
}

/**
 * @param {Sample[]} samples
 * @returns {Warning[]}
 */
function warnOfLosses (samples) {
  return samples.flatMap(({ kind, failure }) =>
    failure ? [{ kind: kind === 'count' ? 'uncounted' : 'lost', text: failure.message }] : []
  )
}

/**
 * Keeps one warning of each kind, with the number of the others: their numbers differ.
 *
 * @param {Warning[]} warnings
 * @returns {CellSummary['warnings']}
 */
function countWarnings (warnings) {
  const kinds = groupBy(warnings, ({ kind }) => kind)
  return [...kinds.values()].map(([{ kind, text }, ...more]) => ({
    kind,
    text,
    ...(more.length > 0 && { more: more.length })
  }))
}
