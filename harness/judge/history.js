/**
 * Trends of each cell and metric over runs, and the change in the latest run. Times are compared on one machine only.
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
 * @import { Summary } from './summary.js'
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
 * @property {TrendPoint[]} points
 *
 * @typedef {CellPlace & TrendLine} Line
 *
 * @typedef {Line & {latest: Latest | null}} Trend  null: the latest run, or every earlier run, lacks the metric.
 *
 * @typedef {object} Latest  The latest run against the runs before it.
 * @property {number} value  Its median.
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

/** Earlier runs to compare with. */
const MOST_BEFORE = 10
/** Relative. No timing is steadier from run to run. */
const FLOOR = 0.02
const ALPHA = 0.05

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
  const timed = rankedMetrics.flatMap(metric => trendsOf(summaries, metric, run => isTimed[run]))
  const counted = countedMetrics.flatMap(metric => trendsOf(summaries, metric, () => true))
  return {
    format: 'timerq-history/1',
    runs,
    trends: [
      ...timed.map(trend => ({ ...trend, latest: compareTimes(trend.points, latest, 1 - ALPHA / timed.length) })),
      ...counted.map(trend => ({ ...trend, latest: compareCounts(trend.points, latest, runs) }))
    ],
    warnings: [
      ...results.flatMap(({ directory, warnings }) => warnings.map(warning => `${directory}: ${warning}`)),
      ...(elsewhere > 0
        ? [
            `${elsewhere} of ${runs.length} runs are from another machine than the latest, or from several: ` +
              'only their counts are shown'
          ]
        : [])
    ]
  }
}

/**
 * @param {Summary[]} summaries
 * @param {string} metric
 * @param {(run: number) => boolean} isShown
 * @returns {Line[]}
 */
function trendsOf (summaries, metric, isShown) {
  const measured = summaries.flatMap(({ cells }, run) =>
    cells.filter(({ metrics }) => metrics[metric] && isShown(run)).map(cell => ({ cell, run }))
  )
  const { unit, better, role } = metrics[metric]
  return [...groupBy(measured, ({ cell }) => cellId(cell)).values()].map(own => ({
    ...placeOfCell(own[0].cell),
    metric,
    unit,
    better,
    exact: role === 'count',
    points: own.map(({ cell, run }) => {
      const { median, low, high } = cell.metrics[metric]
      return { run, median, low, high }
    })
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
  const level = points.slice(-1 - MOST_BEFORE, -1)
  if (last.run !== latest || level.length === 0) return null
  const before = median(level.map(point => point.median))
  const figures = { value: last.median, before, runs: level.length, ratio: last.median / before }
  // A single run before shows no spread from run to run: the machine may have changed.
  if (level.length === 1) {
    return { ...figures, low: last.low / level[0].high, high: last.high / level[0].low, changed: false }
  }
  const reachAt = (/** @type {number | undefined} */ confidence) => {
    const { low, high } = differenceInterval(
      level.map(point => Math.log(point.median)),
      [Math.log(last.median)],
      confidence
    )
    return (high - low) / 2
  }
  const reach = Math.exp(reachAt(undefined))
  const shift = Math.abs(Math.log(figures.ratio))
  return {
    ...figures,
    low: figures.ratio / reach,
    high: figures.ratio * reach,
    changed: shift > Math.max(FLOOR, reachAt(confidence))
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
