/**
 * Trends of each cell and metric over runs: the change in the latest run, and the drift since the first ones. Ratios to
 * the control and counts travel between machines; a time without a ratio is compared on one machine only.
 */
import { median } from 'simple-statistics'
import { cellId, placeOfCell } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { machinesOf } from '../model/machine.js'
import { countedMetrics, metrics, rankedMetrics } from '../model/metrics.js'
import { differenceInterval } from './statistics/interval.js'
import { summarise } from './summary.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { Results } from '../store/results.js'
 * @import { MetricSummary, Summary } from './summary.js'
 *
 * @typedef {object} HistoryRun
 * @property {string} directory
 * @property {string} started
 * @property {string | null} gitCommit
 * @property {string} machine
 * @property {number} [countSeed]  Seed of the counted workloads.
 *
 * @typedef {{run: number, median: number, low: number, high: number}} TrendPoint  `run`: index of the run.
 *
 * @typedef {object} TrendLine
 * @property {string} metric
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {boolean} exact
 * @property {boolean} toControl  The points are ratios to the control.
 * @property {TrendPoint[]} points
 *
 * @typedef {CellPlace & TrendLine} Line
 *
 * @typedef {Line & {latest: Latest | null, drift: Drift | null}} Trend  `latest`: null if the latest run, or every
 *   earlier run, lacks the metric.
 *
 * @typedef {object} Drift  The latest ten runs against the first ten, since small steps pass every gate.
 * @property {number} ratio
 * @property {number} low  95 % interval.
 * @property {number} high
 * @property {boolean} changed  Same rule as for the latest run.
 *
 * @typedef {object} Latest  The latest run against the runs before it.
 * @property {number} value  Median of the run.
 * @property {number} before  Median of the medians before it.
 * @property {number} runs  Number of runs compared with.
 * @property {number} ratio
 * @property {number} low 95 % interval of the ratio, by the spread of earlier runs; with one earlier run, by the
 *   intervals of both.
 * @property {number} high
 * @property {boolean} changed A count differs, or a time by at least 2 % and significantly (5 % for all trends
 *   together).
 *
 * @typedef {object} History
 * @property {'timerq-history/1'} format
 * @property {HistoryRun[]} runs  Oldest first.
 * @property {Trend[]} trends
 * @property {string[]} warnings
 */

/** Runs at either end of a comparison, at most. */
const MOST_RUNS = 10
/** Relative. No timing is steadier from run to run. */
const FLOOR = 0.02
const ALPHA = 0.05
/** A drift is looked for every night: in a year, there are 36 times ten new runs. */
const LOOKS = 36

/**
 * @param {Iterable<Results>} all  Runs, of which only the summaries are kept.
 * @returns {History}
 */
export function historyOf (all) {
  const results = Array.from(all, ({ samples, ...rest }) => ({
    ...rest,
    summary: summarise({ samples, ...rest })
  })).sort((a, b) => a.run.started.localeCompare(b.run.started))
  const runs = results.map(({ directory, run }) => {
    const {
      started,
      environment,
      plan: {
        settings: { countSeed }
      }
    } = run
    return { directory, started, gitCommit: environment.gitCommit, machine: machinesOf(run).join(' and '), countSeed }
  })
  const latest = results.length - 1
  const isTimed = results.map(({ run }) => machinesOf(run, results[latest].run).length === 1)
  const elsewhere = isTimed.filter(timed => !timed).length
  const summaries = results.map(({ summary }) => summary)
  const timed = rankedMetrics.flatMap(metric => [
    ...trendsOf(summaries, metric, ({ ratio }) => ratio, true),
    ...trendsOf(summaries, metric, (figures, run) => (figures.ratio || !isTimed[run] ? undefined : figures))
  ])
  const counted = countedMetrics.flatMap(metric => trendsOf(summaries, metric, figures => figures))
  const confidence = 1 - ALPHA / timed.length
  return {
    format: 'timerq-history/1',
    runs,
    trends: [
      ...timed.map(trend => ({
        ...trend,
        latest: compareTimes(trend.points, latest, confidence),
        drift: driftOf(trend.points, confidence)
      })),
      ...counted.map(trend => ({ ...trend, latest: compareCounts(trend.points, latest, runs), drift: null }))
    ],
    warnings: [
      ...results.flatMap(({ directory, warnings }) => warnings.map(warning => `${directory}: ${warning}`)),
      ...(elsewhere > 0
        ? [
            `${elsewhere} of ${runs.length} runs are from another machine than the latest, or from several: ` +
              'their times without a control are left out'
          ]
        : [])
    ]
  }
}

/**
 * @param {Summary[]} summaries
 * @param {string} metric
 * @param {(figures: MetricSummary, run: number) => Omit<TrendPoint, 'run'> | undefined} pointOf
 * @param {boolean} [toControl]
 * @returns {Line[]}
 */
function trendsOf (summaries, metric, pointOf, toControl = false) {
  const measured = summaries.flatMap(({ cells }, run) =>
    cells.flatMap(cell => {
      const point = cell.metrics[metric] && pointOf(cell.metrics[metric], run)
      return point ? { cell, point: { run, median: point.median, low: point.low, high: point.high } } : []
    })
  )
  const { unit, better, role } = metrics[metric]
  return [...groupBy(measured, ({ cell }) => cellId(cell)).values()].map(own => ({
    ...placeOfCell(own[0].cell),
    metric,
    unit: toControl ? '' : unit,
    better,
    exact: role === 'count',
    toControl,
    points: own.map(({ point }) => point)
  }))
}

/**
 * Works on logarithms: a step of 10 % is as high at 5 ns as at 5 ms.
 *
 * @param {TrendPoint[]} points
 * @param {number} latest  Index of the run.
 * @param {number} confidence  Confidence of a change, adjusted for the number of trends (Bonferroni).
 * @returns {Latest | null}
 */
function compareTimes (points, latest, confidence) {
  const last = points[points.length - 1]
  const level = points.slice(-1 - MOST_RUNS, -1)
  if (last.run !== latest || level.length === 0) return null
  const before = median(level.map(point => point.median))
  const figures = { value: last.median, before, runs: level.length, ratio: last.median / before }
  // A single run before shows no spread from run to run: the machine may have changed.
  if (level.length === 1) {
    return { ...figures, low: last.low / level[0].high, high: last.high / level[0].low, changed: false }
  }
  return { ...figures, ...changeOf(figures.ratio, level, [last], confidence) }
}

/**
 * Simulated: ten steps of 1.5 % in a year of nights. Where ratios scatter by 1 % from night to night, the drift is seen
 * after 78 nights (median of 500 years), with 3 % after 151. Without steps, 0 and 7 of 500 years had a false one.
 *
 * @param {TrendPoint[]} points
 * @param {number} confidence
 * @returns {Drift | null}
 */
export function driftOf (points, confidence) {
  if (points.length < 2 * MOST_RUNS) return null
  const [first, latest] = [points.slice(0, MOST_RUNS), points.slice(-MOST_RUNS)]
  const ratio = median(latest.map(point => point.median)) / median(first.map(point => point.median))
  return { ratio, ...changeOf(ratio, first, latest, 1 - (1 - confidence) / LOOKS) }
}

/**
 * @param {number} ratio
 * @param {TrendPoint[]} before
 * @param {TrendPoint[]} now
 * @param {number} confidence  Confidence of a change; the interval's is 95 %.
 */
function changeOf (ratio, before, now, confidence) {
  const [logsBefore, logsNow] = [before, now].map(points => points.map(point => Math.log(point.median)))
  const reachAt = (/** @type {number | undefined} */ confidence) => {
    const { low, high } = differenceInterval(logsBefore, logsNow, confidence)
    return (high - low) / 2
  }
  const reach = Math.exp(reachAt(undefined))
  return {
    low: ratio / reach,
    high: ratio * reach,
    changed: Math.abs(Math.log(ratio)) > Math.max(FLOOR, reachAt(confidence))
  }
}

/**
 * Every difference is a change. Runs that counted another workload are left out.
 *
 * @param {TrendPoint[]} points
 * @param {number} latest  Index of the run.
 * @param {HistoryRun[]} runs
 * @returns {Latest | null}
 */
function compareCounts (points, latest, runs) {
  const last = points[points.length - 1]
  const alike = points.slice(0, -1).filter(({ run }) => runs[run].countSeed === runs[latest].countSeed)
  if (last.run !== latest || alike.length === 0) return null
  const before = alike[alike.length - 1].median
  const ratio = last.median === before ? 1 : last.median / before
  return { value: last.median, before, runs: 1, ratio, low: ratio, high: ratio, changed: last.median !== before }
}
