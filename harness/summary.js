/**
 * A run in figures: for every cell and metric the median over its samples, with an interval, and how costs grow along
 * what was swept. Format timerq-summary/1, see schema/summary.schema.json.
 */
import { groupBy } from './model/group-by.js'
import { growthOf } from './growth.js'
import { metrics as knownMetrics } from './model/metrics.js'
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
  const samplesOf = groupBy(samples, ({ cell }) => cell)
  /** @type {import('./growth.js').MeasuredCell[]} */
  const measured = []
  /** @type {SkippedCell[]} */
  const skipped = []

  for (const { id, ...cell } of plan.cells) {
    const taken = samplesOf.get(id) ?? []
    const valid = taken.filter(({ failure }) => !failure)
    const fatal = taken.find(({ failure }) => failure && (failure.kind !== 'time-limit' || valid.length === 0))?.failure
    if (fatal) skipped.push({ ...cell, kind: fatal.kind, reason: fatal.message })
    else if (taken.length === 0) skipped.push({ ...cell, kind: 'missing', reason: 'not measured: the run ended before' })
    // Times of a queue that fires the wrong timers are times of something else.
    if (valid.length > 0 && fatal?.kind !== 'wrong') {
      const { metrics, warnings } = summariseSamples(valid)
      measured.push({ cell: { ...cell, metrics, warnings: [...warnings, ...(fatal ? [] : lostSamples(taken))] }, samples: valid })
    }
  }

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
    warnings: [...warnings, ...runWarnings(run, samples)]
  }
}

/** @param {import('./results.js').Sample[]} samples */
function summariseSamples (samples) {
  const measured = groupBy(samples.flatMap(sample => Object.entries(sample.metrics)), ([name]) => name)
  /** @type {Record<string, MetricSummary>} */
  const metrics = {}
  for (const [name, entries] of measured) {
    const { unit, better } = knownMetrics[name]
    metrics[name] = { unit, better, ...medianInterval(entries.map(([, value]) => value)) }
  }
  return { metrics, warnings: countWarnings(samples.flatMap(sample => sample.warnings)) }
}

/**
 * @param {import('./results.js').Run} run
 * @param {import('./results.js').Sample[]} samples
 */
function runWarnings ({ ended, parts = [], plan: { settings: { rounds: planned, budgetSeconds } } }, samples) {
  const rounds = 1 + Math.max(-1, ...samples.map(({ round }) => round))
  // A cell that failed gets no more rounds, whatever the time; one that did not would have gone on.
  const couldGoOn = samples.some(({ round, channel, failure }) => round === rounds - 1 && channel === 'time' && !failure)
  const machines = new Set(parts.map(({ environment: { cpu, cores } }) => `${cores} x ${cpu}`))
  return [
    ...(ended === null ? ['the run did not end: more samples may be missing'] : []),
    ...(ended !== null && rounds < planned && budgetSeconds !== null && couldGoOn
      ? [`${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${planned}: the time budget of ${budgetSeconds} s was used up`]
      : []),
    ...(machines.size > 1 ? [`tables come from different machines, compare within a table only: ${[...machines].join('; ')}`] : [])
  ]
}

/** @param {import('./results.js').Sample[]} samples */
function lostSamples (samples) {
  return samples.flatMap(({ channel, failure }) =>
    failure ? [`${channel === 'exact' ? 'work not counted' : 'a sample was lost'}: ${failure.message}`] : [])
}

/**
 * Warnings with figures in them differ from sample to sample: one of each kind, with how often it was given.
 *
 * @param {string[]} warnings
 */
function countWarnings (warnings) {
  const kinds = groupBy(warnings, warning => warning.split(':')[0])
  return [...kinds.values()].map(([first, ...more]) => more.length === 0 ? first : `${first} (and ${more.length} more like it)`)
}
