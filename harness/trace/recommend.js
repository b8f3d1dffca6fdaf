/**
 * Which queue a recorded program should hold its timers in, from its trace and from how long each queue took to replay it.
 * Pure.
 *
 * A faster queue alone is no reason to change anything. What counts is how much of a core the program would save: the
 * difference per operation times the operations in its busiest second.
 */
import { compareQueues } from '../judge/compare.js'
import { isLost } from '../judge/pairs.js'
import { CANCEL, FIRE, REFRESH, START } from './trace-format.js'
import { summarise } from '../judge/summary.js'

/**
 * @typedef {import('./trace-format.js').Trace} Trace
 * @typedef {import('../judge/verdict.js').Comparison} Comparison
 *
 * @typedef {object} TraceFacts  What a program does with timers.
 * @property {number} operations
 * @property {number} starts
 * @property {number} refreshes
 * @property {number} cancels
 * @property {number} fires
 * @property {number} timers
 * @property {number} seconds  From the first operation to the last.
 * @property {number} perSecond  Operations, on average.
 * @property {number} perBusiestSecond  Operations in the second that had most.
 * @property {number} expiringShare  Of what was started or refreshed, 0 to 1.
 * @property {number} pendingPeak
 * @property {{distinct: number, shortest: number, median: number, longest: number}} durations  Of starts, in milliseconds.
 * @property {boolean} isTruncated
 *
 * @typedef {object} RankedQueue
 * @property {string} queue
 * @property {import('../judge/summary.js').MetricSummary} nsPerOp
 * @property {number | null} workPerOp  null where it took too long to count.
 * @property {number} coreShare  Of one core, in the busiest second: what Node's design takes there, by the ratio to it.
 * @property {number} saves  Of one core, in the busiest second, against what Node does; negative: it would cost that much.
 * @property {Comparison | null} comparison  With what Node does, at a part of alpha; null for that itself.
 *
 * @typedef {object} Recommendation
 * @property {'timerq-recommendation/1'} format
 * @property {{file: string} & TraceFacts} trace
 * @property {'keep' | 'change' | 'unclear'} verdict
 * @property {string} stand  The queue that stands for what Node does.
 * @property {string | null} best  The queue to change to, or the one that may be worth it; null: keep.
 * @property {number} worthwhileShare  Of one core: what a change must save.
 * @property {RankedQueue[]} ranking  The fastest first.
 * @property {{taken: number, planned: number}} rounds
 * @property {import('../judge/summary.js').SkippedCell[]} skipped
 * @property {string[]} warnings
 * @property {string} results  Directory.
 * @property {import('../processes/environment.js').Environment} environment
 */

/** Saving less than a hundredth of a core is not worth a change of the program's timers. */
const WORTHWHILE_SHARE = 0.01
const NS_PER_SECOND = 1e9

/**
 * @param {Trace} trace  Not empty.
 * @returns {TraceFacts}
 */
export function describeTrace ({ kinds, times, durations, timerCount, timers, isTruncated }) {
  const count = (/** @type {number} */ kind) => kinds.reduce((sum, other) => sum + (other === kind ? 1 : 0), 0)
  const [starts, refreshes, cancels, fires] = [START, REFRESH, CANCEL, FIRE].map(count)
  const sorted = durations.filter((_, i) => kinds[i] === START).sort()
  const seconds = times[times.length - 1] / 1000
  return {
    operations: kinds.length,
    starts,
    refreshes,
    cancels,
    fires,
    timers: timerCount,
    seconds,
    perSecond: kinds.length / Math.max(1, seconds),
    perBusiestSecond: busiestSecond(times),
    expiringShare: fires / (starts + refreshes),
    pendingPeak: pendingPeak(kinds, timers, timerCount),
    durations: {
      distinct: new Set(sorted).size,
      shortest: sorted[0],
      median: sorted[sorted.length >> 1],
      longest: sorted[sorted.length - 1]
    },
    isTruncated
  }
}

/** @param {Float64Array} times  Ascending milliseconds. */
function busiestSecond (times) {
  let most = 0
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last] - times[first] >= 1000) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

/**
 * @param {Uint8Array} kinds
 * @param {Int32Array} timers
 * @param {number} timerCount
 */
function pendingPeak (kinds, timers, timerCount) {
  const isPending = new Uint8Array(timerCount)
  let pending = 0
  let peak = 0
  kinds.forEach((kind, i) => {
    const becomesPending = kind === START || kind === REFRESH ? 1 : 0
    pending += becomesPending - isPending[timers[i]]
    isPending[timers[i]] = becomesPending
    peak = Math.max(peak, pending)
  })
  return peak
}

/**
 * The fewest rounds after which one of that many queues can be recommended, and one to spare.
 *
 * @param {number} others  Queues compared with the one that stands for Node.
 * @param {number} alpha  Of all together.
 */
export function roundsFor (others, alpha) {
  // The interval of n pairs is wrong with a chance of 2^(1-n) at least.
  return Math.ceil(1 + Math.log2(others / alpha)) + 1
}

/**
 * @param {import('../store/results.js').Results} results  Of a run that replayed the trace through every queue.
 * @param {object} options
 * @param {{file: string} & TraceFacts} options.trace
 * @param {string} options.stand  The queue that stands for what Node does; it was measured too.
 * @param {import('../judge/verdict.js').Rules} options.rules
 * @returns {Recommendation}
 */
export function recommend (results, { trace, stand, rules }) {
  const { cells, skipped, warnings, environment } = summarise(results)
  const perNs = trace.perBusiestSecond / NS_PER_SECOND
  const nodeNs = cells.find(({ queue }) => queue === stand)?.metrics.nsPerOp?.median ?? NaN
  const savingAt = (/** @type {number} */ ratio) => nodeNs * (1 - ratio) * perNs
  // Bonferroni: alpha is the chance that any of these intervals is wrong.
  const sharedRules = { ...rules, alpha: rules.alpha / (results.run.plan.queues.length - 1) }
  const isSkipped = new Set(skipped.map(({ queue }) => queue))
  const measured = cells.filter(({ queue, metrics }) => metrics.nsPerOp && !isSkipped.has(queue)).map(({ queue, metrics: { nsPerOp, workPerOp } }) => {
    const comparison = queue === stand ? null : compareQueues(results, stand, queue, { rules: sharedRules, command: [] }).comparisons[0]
    const ratio = comparison?.ratio ?? 1
    return {
      queue,
      nsPerOp,
      workPerOp: workPerOp?.median ?? null,
      coreShare: nodeNs * ratio * perNs,
      saves: savingAt(ratio),
      comparison
    }
  })
  const ranking = measured.filter(({ comparison }) => !hasFailed(comparison)).sort((a, b) => b.saves - a.saves)
  // Worthwhile even at the worse end of its interval; possibly so at the better one.
  const worthwhile = ranking.find(({ comparison }) =>
    comparison?.change === 'faster' && !hasLost(comparison) && savingAt(Number(comparison.high)) >= WORTHWHILE_SHARE)
  const possible = ranking.find(({ comparison }) => comparison && savingAt(lowestRatio(comparison)) >= WORTHWHILE_SHARE)
  return {
    format: 'timerq-recommendation/1',
    trace,
    verdict: worthwhile ? 'change' : possible ? 'unclear' : 'keep',
    stand,
    best: (worthwhile ?? possible)?.queue ?? null,
    worthwhileShare: WORTHWHILE_SHARE,
    ranking,
    rounds: { taken: Math.max(0, ...ranking.map(({ nsPerOp }) => nsPerOp.n)), planned: results.run.plan.settings.rounds },
    skipped: [...skipped, ...measured.flatMap(({ comparison }) => hasFailed(comparison) ? [skippedCell(comparison, results)] : [])],
    warnings: [...warnings, ...disturbance(cells)],
    results: results.directory,
    environment
  }
}

/**
 * @param {Comparison | null} comparison
 * @returns {comparison is Comparison}
 */
function hasFailed (comparison) {
  return comparison?.verdict === 'invalid'
}

/**
 * A queue that now and then takes too long to be measured is not worth changing to.
 *
 * @param {Comparison} comparison
 */
function hasLost ({ lost }) {
  return lost !== undefined && lost.head > 0
}

/**
 * The better end of its interval. Too few rounds give no interval: the queue might take no time at all.
 *
 * @param {Comparison} comparison
 */
function lowestRatio ({ change, low }) {
  return change === 'unclear' ? 0 : Number(low)
}

/**
 * @param {Comparison} failed
 * @param {import('../store/results.js').Results} results
 * @returns {import('../judge/summary.js').SkippedCell}
 */
function skippedCell ({ scenario, params, queue, runtime, reason }, { samples }) {
  const own = samples.find(sample => sample.queue === queue && sample.failure && !isLost(sample))
  return { scenario, params, queue, runtime, kind: 'unpaired', reason: own?.failure?.message ?? String(reason) }
}

/**
 * @param {import('../judge/summary.js').CellSummary[]} cells
 * @returns {string[]}
 */
function disturbance (cells) {
  const disturbed = cells.filter(({ warnings }) => warnings.some(warning => warning.startsWith('shared core')))
  if (disturbed.length === 0) return []
  return [`other programs ran on the measured core beside ${disturbed.length} of ${cells.length} queues: repeat it on a quiet machine`]
}
