/**
 * Runs over time: for each cell and metric its trend, with the points at which it changed. Counts changed where they
 * differ. Times changed where their level did (see statistics/change-points.js), on one machine only, and only where
 * chance would hardly make such a step in any of the trends.
 */
import { median } from 'simple-statistics'
import { machinesOf } from '../model/machine.js'
import { countedMetrics, metrics, rankedMetrics } from '../model/metrics.js'
import { countSeedOf } from '../plan/plan.js'
import { chancesOfSteps, changePoints } from './statistics/change-points.js'
import { holm } from './statistics/holm.js'
import { differenceInterval } from './statistics/t-interval.js'
import { summarise } from './summary.js'

/**
 * @typedef {import('./summary.js').Summary} Summary
 *
 * @typedef {{directory: string, started: string, gitCommit: string | null, machine: string, countSeed: number}} HistoryRun  `countSeed`: counts of another seed are of other
 *   workloads.
 * @typedef {{run: number, median: number, low: number, high: number}} TrendPoint  `run`: index of the run.
 * @typedef {{run: number, before: number, after: number, ratio: number}} Change  `run`: the first one of the new level; levels are medians.
 *
 * @typedef {object} Trend
 * @property {string} scenario
 * @property {Record<string, number>} params
 * @property {string} queue
 * @property {import('../model/cell.js').Side} [side]  Only of gates.
 * @property {string} runtime
 * @property {string} metric
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {boolean} exact
 * @property {TrendPoint[]} points
 * @property {Change[]} changes
 * @property {Latest | null} latest  null: it has one run only.
 *
 * @typedef {object} Latest  The latest run against those before it, back to the last change.
 * @property {number} value  Its median.
 * @property {number} before  Median of the medians before it.
 * @property {number} runs  Before it.
 * @property {number} ratio
 * @property {number} low  Of the ratio's interval, 95 %, by how much runs differ from each other; of two runs, by their own intervals.
 * @property {number} high
 *
 * @typedef {object} History
 * @property {'timerq-history/1'} format
 * @property {HistoryRun[]} runs  Oldest first.
 * @property {Trend[]} trends
 * @property {string[]} warnings
 */

/** Relative. Smaller steps are ignored, and no timing is steadier. */
const FLOOR = 0.02
/** Chance of showing a change where there is none, in all trends together. */
const ALPHA = 0.05

/**
 * @param {Iterable<import('../store/results.js').Results>} all  Of each, only the summary is kept.
 * @returns {History}
 */
export function historyOf (all) {
  const results = Array.from(all, ({ samples, ...rest }) => ({ ...rest, summary: summarise({ samples, ...rest }) }))
    .sort((a, b) => a.run.started.localeCompare(b.run.started))
  const summaries = results.map(({ summary }) => summary)
  const runs = results.map(({ directory, run }) => {
    const { started, environment } = run
    return { directory, started, gitCommit: environment.gitCommit, machine: machinesOf(run).join(' and '), countSeed: countSeedOf(run.plan) }
  })
  const latest = results[results.length - 1].run
  const isTimed = results.map(({ run }) => machinesOf(run, latest).length === 1)
  const elsewhere = isTimed.filter(timed => !timed).length
  return {
    format: 'timerq-history/1',
    runs,
    trends: [
      ...withShifts(rankedMetrics.flatMap(metric => trendsOf(summaries, metric, run => isTimed[run]))),
      ...countedMetrics.flatMap(metric => trendsOf(summaries, metric, () => true))
        .map(trend => ({ ...trend, changes: steps(trend.points, runs) }))
    ].map(trend => ({ ...trend, latest: latestOf(trend) })),
    warnings: [
      ...results.flatMap(({ directory, warnings }) => warnings.map(warning => `${directory}: ${warning}`)),
      ...(elsewhere > 0 ? [`${elsewhere} of ${runs.length} runs are from another machine than the latest, or from several: of them, only counts are shown`] : [])
    ]
  }
}

/**
 * @param {Summary[]} summaries
 * @param {string} metric
 * @param {(run: number) => boolean} counts
 * @returns {Trend[]} without their changes and their latest figures
 */
function trendsOf (summaries, metric, counts) {
  /** @type {Map<string, Trend>} */
  const trends = new Map()
  const isCount = metrics[metric].role === 'count'
  summaries.forEach(({ cells }, run) => {
    for (const { scenario, params, queue, side, runtime, metrics: measured } of cells) {
      const figures = measured[metric]
      if (!figures || !counts(run)) continue
      const key = JSON.stringify([scenario, params, queue, side, runtime])
      const { unit, better, median, low, high } = figures
      const trend = trends.get(key) ?? { scenario, params, queue, ...(side && { side }), runtime, metric, unit, better, exact: isCount, points: [], changes: [], latest: null }
      trend.points.push({ run, median, low, high })
      trends.set(key, trend)
    }
  })
  return [...trends.values()]
}

/**
 * Counted: every difference is a change, unless another seed has drawn another workload.
 *
 * @param {TrendPoint[]} points
 * @param {HistoryRun[]} runs
 * @returns {Change[]}
 */
function steps (points, runs) {
  return points.slice(1).flatMap((point, i) => {
    const { run, median: before } = points[i]
    const isSame = point.median === before || runs[run].countSeed !== runs[point.run].countSeed
    return isSame ? [] : [{ run: point.run, before, after: point.median, ratio: point.median / before }]
  })
}

/**
 * The more trends, the more often one of them has a step by chance.
 *
 * @param {Trend[]} trends  Timed.
 */
function withShifts (trends) {
  const chances = holm(chancesOfSteps(trends.map(({ points }) => points.map(({ median }) => Math.log(median)))))
  return trends.map((trend, i) => ({ ...trend, changes: chances[i] <= ALPHA ? shifts(trend.points) : [] }))
}

/**
 * Timed: in logarithms, where a step of 10 % is as high at 5 ns as at 5 ms.
 *
 * @param {TrendPoint[]} points
 * @returns {Change[]}
 */
function shifts (points) {
  const values = points.map(({ median }) => Math.log(median))
  const borders = [0, ...changePoints(values, FLOOR), points.length]
  const levels = borders.slice(1).map((end, i) => Math.exp(median(values.slice(borders[i], end))))
  return levels.slice(1).flatMap((after, i) => {
    const before = levels[i]
    return Math.abs(Math.log(after / before)) < FLOOR ? [] : [{ run: points[borders[i + 1]].run, before, after, ratio: after / before }]
  })
}

/**
 * @param {Trend} trend
 * @returns {Latest | null}
 */
function latestOf ({ points, changes, exact }) {
  const last = points[points.length - 1]
  const since = changes.findLast(({ run }) => run < last.run)?.run ?? 0
  const level = points.slice(0, -1).filter(({ run }) => run >= since)
  if (level.length === 0) return null
  const before = median(level.map(point => point.median))
  const ratio = last.median / before
  return { value: last.median, before, runs: level.length, ratio, ...(exact ? { low: ratio, high: ratio } : intervalOf(ratio, level, last)) }
}

/**
 * @param {number} ratio
 * @param {TrendPoint[]} level  Before the last run.
 * @param {TrendPoint} last
 */
function intervalOf (ratio, level, last) {
  if (level.length === 1) return { low: last.low / level[0].high, high: last.high / level[0].low }
  const { low, high } = differenceInterval(level.map(point => Math.log(point.median)), [Math.log(last.median)])
  const reach = Math.exp((high - low) / 2)
  return { low: ratio / reach, high: ratio * reach }
}
