/**
 * Recommends a queue for a recorded program, by the trace and by the ratios of a run that replayed the trace. Pure.
 * judge/worth.js weighs the ratios; the cost of the control is its time per operation times the operations of the
 * busiest second, as a share of one core.
 */
import { summarise } from '../judge/summary.js'
import { weigh } from '../judge/worth.js'
import { placeOfCell } from '../model/cell.js'
import { FEWEST_HEATS } from '../model/heats.js'
import { CANCEL, FIRE, REFRESH, START } from '../store/trace-format.js'
import { isHopeless } from './hopeless.js'
export { giveUpHopeless } from './hopeless.js'

/** @import { CellSummary, MetricSummary, Ratio, SkippedCell } from '../judge/records.js' */
/** @import { Environment } from '../processes/environment.js' */
/** @import { Results, Run } from '../store/results.js' */
/** @import { Trace } from '../store/trace-format.js' */

/**
 * @typedef {object} TraceFacts  A program's use of timers.
 * @property {number} operations
 * @property {number} starts
 * @property {number} refreshes
 * @property {number} cancels
 * @property {number} fires
 * @property {number} timers
 * @property {number} seconds  Time from the first operation to the last.
 * @property {number} perSecond  Operations, on average.
 * @property {number} perBusiestSecond  Operations in the busiest second.
 * @property {number} expiringShare  Expiries by starts and refreshes, 0 to 1.
 * @property {number} pendingPeak
 * @property {{distinct: number, shortest: number, median: number, longest: number}} durations Of starts, in
 *   milliseconds.
 * @property {boolean} isTruncated
 *
 * @typedef {object} RankedQueue
 * @property {string} queue
 * @property {MetricSummary} nsPerOp
 * @property {number | null} workPerOp  null where counting took too long.
 * @property {Ratio | null} ratio  Ratio to the control; null for the control itself.
 * @property {'faster' | 'slower' | 'unclear' | null} change  unclear: too few heats, or the interval of the ratio holds
 *   1.
 * @property {number} coreShare  Share of one core that the queue takes in the busiest second.
 * @property {number} saves Share of one core saved in the busiest second, against the control. A negative share is a
 *   cost.
 *
 * @typedef {object} Recommendation
 * @property {'timerq-recommendation/1'} format
 * @property {{file: string} & TraceFacts} trace
 * @property {'keep' | 'change' | 'unclear'} verdict
 * @property {string} control  The queue that imitates Node.
 * @property {string | null} best  The queue to change to, or that may be worth a change; null: keep.
 * @property {number} worthwhileShare  Share of one core that a change must save.
 * @property {RankedQueue[]} ranking  Fastest first.
 * @property {{taken: number, planned: number}} rounds
 * @property {number} seconds  Seconds of measuring.
 * @property {SkippedCell[]} skipped
 * @property {string[]} warnings
 * @property {string} results  Directory.
 * @property {Environment} environment
 */

/** Saving less than a hundredth of a core is not worth a change of the program's timers. */
const WORTHWHILE_SHARE = 0.01
const NS_PER_SECOND = 1e9
const VERDICTS = /** @type {const} */ ({ worth: 'change', unclear: 'unclear', 'not-worth': 'keep' })

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

/** @param {Pick<Run, 'plan'>} run  A run may replay a trace, too. */
export const isRecommendation = ({ plan }) => plan.question === 'recommend'

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
 * @param {Results} results  A run that replayed the trace through every queue.
 * @param {{file: string} & TraceFacts} trace
 * @returns {Recommendation}
 */
export function recommend (results, trace) {
  const { cells, skipped, warnings, environment, settings, end, seconds } = summarise(results)
  const control = settings.control.micro
  const controlNs = cells.find(({ queue }) => queue === control)?.metrics.nsPerOp?.median ?? NaN
  const cost = (controlNs * trace.perBusiestSecond) / NS_PER_SECOND
  const isSkipped = new Set(skipped.map(({ queue }) => queue))
  const measured = cells.filter(({ queue, metrics }) => metrics.nsPerOp && !isSkipped.has(queue))
  const isPaired = (/** @type {CellSummary} */ { queue, metrics }) =>
    queue === control || metrics.nsPerOp.ratio !== undefined
  const ranking = measured
    .filter(isPaired)
    .map(({ queue, metrics: { nsPerOp, workPerOp } }) => {
      const ratio = nsPerOp.ratio ?? null
      const median = ratio?.median ?? 1
      return {
        queue,
        nsPerOp,
        workPerOp: workPerOp?.median ?? null,
        ratio,
        change: ratio && changeOf(ratio),
        coreShare: cost * median,
        saves: cost * (1 - median)
      }
    })
    .sort((a, b) => b.saves - a.saves)
  const ratios = ranking.flatMap(({ queue, ratio }) => (ratio ? [{ queue, ratio }] : []))
  // A queue that now and then takes too long is not worth a change.
  const unreliable = new Set(
    results.samples.filter(({ kind, failure }) => failure && kind !== 'count').map(({ queue }) => queue)
  )
  const weighed =
    ratios.length > 0 ? weigh(ratios, { cost, worthwhile: WORTHWHILE_SHARE, isGivenUp: isHopeless, unreliable }) : null
  const verdict = VERDICTS[weighed?.verdict ?? 'not-worth']
  return {
    format: 'timerq-recommendation/1',
    trace,
    verdict,
    control,
    best: weighed && verdict !== 'keep' ? weighed.best.queue : null,
    worthwhileShare: WORTHWHILE_SHARE,
    ranking,
    rounds: { taken: Math.max(0, ...ranking.map(({ nsPerOp }) => nsPerOp.n)), planned: end.rounds },
    seconds,
    skipped: [
      ...skipped,
      ...measured
        .filter(cell => !isPaired(cell))
        .map(cell => ({
          ...placeOfCell(cell),
          kind: 'unpaired',
          reason: `never measured in one heat with ${control}`
        }))
    ],
    warnings,
    results: results.directory,
    environment
  }
}

/**
 * @param {Ratio} ratio
 * @returns {'faster' | 'slower' | 'unclear'}
 */
function changeOf (ratio) {
  const { low, high, n } = ratio
  if (isHopeless(ratio)) return 'slower'
  if (n < FEWEST_HEATS || (low <= 1 && high >= 1)) return 'unclear'
  return high < 1 ? 'faster' : 'slower'
}
