/**
 * The ranking of a run: the order of the queues in each table, and the best queue over all tables.
 *
 *   place    1 + the number of queues shown to be faster in this table; queues with the same place tie
 *   behind   times as slow as the fastest queue of the table
 *   level    shown to be within 5 % of the fastest
 *
 * "Shown": the interval of the ratio excludes the alternative. Where two queues met in fewer than two heats, the
 * intervals of the medians are compared. A queue of one heat has no interval: it is unknown, ties with none, and comes
 * last.
 */
import { controlIn, tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { LEVEL } from '../model/heats.js'
import { kinds } from '../model/kinds.js'
import { rankedMetrics } from '../model/metrics.js'
import { isNothing } from '../model/warnings.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { PlannedScenario } from '../plan/plan.js'
 * @import { CellSummary, Estimate, MetricSummary, Summary } from './records.js'
 *
 * @typedef {{low: number, high: number}} RatioRange
 *
 * @typedef {object} QueueRank
 * @property {string} queue
 * @property {number | null} place  null: unknown, after one heat.
 * @property {number} behind
 * @property {boolean} level  True for the fastest, if it is known.
 * @property {Estimate | null} ratio  Ratio to the control, if the control is another queue.
 * @property {'faster' | 'slower' | 'level' | 'unclear' | null} toControl
 *
 * @typedef {object} TableRanking
 * @property {PlannedScenario['kind']} kind
 * @property {string} metric  The metric that ranks.
 * @property {string} control
 * @property {QueueRank[]} queues  Fastest first; unknown ones last.
 * @property {string[]} [nothing]  Entrants without a place, as their work was removed.
 *
 * @typedef {Omit<CellPlace, 'queue'> & {side?: string} & TableRanking} RankedTable
 *
 * @typedef {object} Standing  A queue over the tables that decide.
 * @property {string} queue
 * @property {number} tables
 * @property {number} behind  Ratio to the fastest queue in its worst table.
 * @property {number} low  RatioRange of `behind`.
 * @property {number | null} high  null: unknown.
 * @property {number} worst  Index of the table of `high`.
 * @property {number | null} most  Index of the table with the lowest ratio to the control.
 * @property {number | null} least  Index of the table with the highest ratio.
 * @property {number[]} loses  Indexes of tables where the queue is shown to be slower than the control.
 *
 * @typedef {object} Ranking
 * @property {RankedTable[]} tables  Tables in the order of the run.
 * @property {number[]} deciding Indexes of deciding tables: virtual time if measured, else servers, else workloads
 *   without a queue.
 * @property {Standing[]} standings  Closest to the fastest first; queues that miss a table last.
 * @property {string[]} take  The queue that is closest to the fastest everywhere, and queues that tie with it.
 * @property {string[]} rivals  Queues further from the fastest, but not shown to be.
 *
 * @typedef {{queue: string, figures: MetricSummary, cost: Estimate}} Entrant `cost`: in multiples of the control's
 *   median, if measured.
 */

/** Costs further apart count as this far apart, so that a cost of 0, or of 1e-310, gives no NaN. */
const FURTHEST = 1e9

/**
 * @param {Pick<Summary, 'cells' | 'settings' | 'scenarios'>} summary
 * @returns {Ranking}
 */
export function rank ({ cells, settings, scenarios }) {
  const scenarioOf = new Map(scenarios.map(scenario => [scenario.name, scenario]))
  const ranked = [...groupBy(cells, tableId).values()].flatMap(own => {
    const scenario = /** @type {PlannedScenario} */ (scenarioOf.get(own[0].scenario))
    return rankTable(own, scenario.kind, controlIn(settings, scenario) ?? '')
  })
  // The first kind of which queues were compared decides.
  const kind = Object.keys(kinds).find(kind =>
    ranked.some(({ table }) => table.kind === kind && table.queues.length > 1)
  )
  const deciding = ranked.flatMap(({ table }, index) => (table.kind === kind && table.queues.length > 1 ? [index] : []))
  const names = new Set(deciding.flatMap(index => ranked[index].table.queues.map(({ queue }) => queue)))
  const standings = [...names]
    .map(name => standingOf(name, ranked, deciding))
    .sort((a, b) => b.tables - a.tables || isOpen(a) - isOpen(b) || a.behind - b.behind)
  const [best, ...others] = standings.filter(({ tables }) => tables === deciding.length)
  const isBeaten = (/** @type {string} */ name) =>
    deciding.every(index => {
      const { entries } = ranked[index]
      return isSlower(entryIn(entries, name), entryIn(entries, best.queue))
    })
  const near = others.filter(
    ({ queue, low, high }) => high !== null && (best.high === null || low <= best.high) && !isBeaten(queue)
  )
  const [ties, rivals] = [true, false].map(isTie =>
    near.filter(({ behind }) => isTie === (behind <= LEVEL * best.behind)).map(({ queue }) => queue)
  )
  return {
    tables: ranked.map(({ table }) => table),
    deciding,
    standings,
    take: best ? [best.queue, ...ties] : [],
    rivals
  }
}

/**
 * @param {CellSummary[]} cells  Cells of one table.
 * @param {PlannedScenario['kind']} kind
 * @param {string} control
 * @returns {{table: RankedTable, entries: Entrant[]}[]} none without a metric that ranks
 */
function rankTable (cells, kind, control) {
  const metric = rankedMetrics.find(name => cells.some(({ metrics }) => metrics[name]))
  if (metric === undefined) return []
  const [{ queue, metrics, warnings, ...place }] = cells
  const nothing = cells.filter(isNothing).map(({ queue }) => queue)
  const entries = entriesOf(cells, metric, control).filter(({ queue }) => !nothing.includes(queue))
  const queues = entries.map(entry => {
    const ratio = ratioTo(entry, control)
    return {
      queue: entry.queue,
      place: isKnown(entry.cost) ? 1 + entries.filter(other => other !== entry && isSlower(entry, other)).length : null,
      behind: timesAs(entry.cost.median, entries[0].cost.median),
      level: isKnown(entry.cost) && (entry === entries[0] || isLevel(compare(entry, entries[0]))),
      ratio: ratio && estimateOf(ratio),
      toControl: ratio && relationOf(ratio)
    }
  })
  return [{ table: { ...place, kind, metric, control, queues, ...(nothing.length > 0 && { nothing }) }, entries }]
}

/**
 * Ratios to the control decide the order where there are ratios: absolute times of the same heats move with the
 * machine.
 *
 * @param {CellSummary[]} cells
 * @param {string} metric
 * @param {string} control
 * @returns {Entrant[]} fastest first
 */
function entriesOf (cells, metric, control) {
  const measured = cells.filter(({ metrics }) => metrics[metric])
  const unit = measured.find(({ queue }) => queue === control)?.metrics[metric].median ?? 1
  return measured
    .map(({ queue, metrics: { [metric]: figures } }) => {
      const [median, low, high] = [figures.median, figures.low, figures.high].map(value => timesAs(value, unit))
      return {
        queue,
        figures,
        cost: ratioTo({ figures }, control) ?? estimateOf({ ...figures, median, low, high })
      }
    })
    .sort((a, b) => Number(isKnown(b.cost)) - Number(isKnown(a.cost)) || a.cost.median - b.cost.median)
}

/**
 * @param {number} cost
 * @param {number} unit
 */
const timesAs = (cost, unit) =>
  Math.min(Math.max((cost || Number.MIN_VALUE) / (unit || Number.MIN_VALUE), 1 / FURTHEST), FURTHEST)

/**
 * @param {Estimate} estimate
 * @returns {Estimate} without other fields
 */
const estimateOf = ({ median, low, high, n, coverage }) => ({ median, low, high, n, coverage })

/**
 * @param {{figures: MetricSummary}} entry
 * @param {string} queue  The other.
 * @returns {Estimate | null}
 */
const ratioTo = ({ figures }, queue) =>
  [figures.ratio, ...(figures.others ?? [])].find(ratio => ratio?.to === queue) ?? null

/**
 * @param {Entrant} entry
 * @param {Entrant} other
 * @returns {RatioRange | null} of the ratio of `entry` to `other`; null: unknown
 */
function compare (entry, other) {
  const [ratio, inverse] = [ratioTo(entry, other.queue), ratioTo(other, entry.queue)]
  if (ratio && isKnown(ratio)) return ratio
  if (inverse && isKnown(inverse)) return { low: 1 / inverse.high, high: 1 / inverse.low }
  const [a, b] = [entry.cost, other.cost]
  return isKnown(a) && isKnown(b) ? { low: a.low / b.high, high: a.high / b.low } : null
}

/**
 * @param {Entrant} entry
 * @param {Entrant} other
 */
const isSlower = (entry, other) => (compare(entry, other)?.low ?? 0) > 1

/**
 * @param {Entrant[]} entries
 * @param {string} name
 */
const entryIn = (entries, name) => /** @type {Entrant} */ (entries.find(({ queue }) => queue === name))

/** @param {Estimate} estimate  A single heat has no interval. */
const isKnown = ({ n }) => n > 1

/** @param {Standing} standing */
const isOpen = ({ high }) => Number(high === null)

/** @param {RatioRange | null} interval */
const isLevel = interval => interval !== null && interval.low >= 1 / LEVEL && interval.high <= LEVEL

/**
 * @param {Estimate} ratio  Ratio to the control.
 * @returns {QueueRank['toControl']}
 */
function relationOf (ratio) {
  if (!isKnown(ratio)) return 'unclear'
  return isLevel(ratio) ? 'level' : ratio.high < 1 ? 'faster' : ratio.low > 1 ? 'slower' : 'unclear'
}

/**
 * @param {string} name
 * @param {ReturnType<typeof rankTable>} ranked
 * @param {number[]} deciding
 * @returns {Standing}
 */
function standingOf (name, ranked, deciding) {
  const own = deciding.flatMap(index => {
    const { table, entries } = ranked[index]
    const at = entries.findIndex(({ queue }) => queue === name)
    if (at === -1) return []
    // An unknown queue says nothing about the others.
    const bounds = entries
      .filter(({ cost }, i) => i !== at && isKnown(cost))
      .map(other => compare(entries[at], other) ?? { low: 1, high: Infinity })
    return [
      {
        ...table.queues[at],
        index,
        low: Math.max(1, ...bounds.map(({ low }) => low)),
        high: bounds.length > 0 ? Math.max(1, ...bounds.map(({ high }) => high)) : Infinity
      }
    ]
  })
  const furthest = own.reduce((furthest, each) => (each.high > furthest.high ? each : furthest))
  const byRatio = own
    .filter(({ ratio }) => ratio)
    .sort((a, b) => Number(a.ratio?.median) - Number(b.ratio?.median))
    .map(({ index }) => index)
  return {
    queue: name,
    tables: own.length,
    behind: Math.max(...own.map(({ behind }) => behind)),
    low: Math.max(...own.map(({ low }) => low)),
    high: furthest.high === Infinity ? null : furthest.high,
    worst: furthest.index,
    most: byRatio[0] ?? null,
    least: byRatio.at(-1) ?? null,
    loses: own.filter(({ toControl }) => toControl === 'slower').map(({ index }) => index)
  }
}
