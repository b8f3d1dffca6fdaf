/**
 * Is another queue worth a change? Pure: the rule of `timerq try` and of `timerq recommend`. The reason for a change is
 * the CPU that it saves for the same work, as far as the saving is certain.
 */
import { FEWEST_HEATS } from '../model/heats.js'
import { rankedMetrics } from '../model/metrics.js'
import { tQuantile } from './statistics/interval.js'

/**
 * @import { CellSummary, Ratio } from './records.js'
 *
 * @typedef {object} Saving  Share of CPU that a queue saves against the control; negative: a cost.
 * @property {string} queue
 * @property {number} saves
 * @property {number} low
 * @property {number} high
 * @property {number} n  Heats.
 * @property {number} coverage
 *
 * @typedef {object} Weighed
 * @property {'worth' | 'not-worth' | 'unclear'} verdict
 * @property {Saving} best  The queue to change to, or the one that comes closest.
 * @property {Saving[]} savings  Savings of all queues, the largest first.
 *
 * @typedef {object} ProgramWorth
 * @property {boolean} isLevel  No difference is shown.
 * @property {string} control
 * @property {string} metric  cpuMicrosPerRequest, or cpuMillisPerSecond where the program counts no requests.
 * @property {number} worthwhile  Share that a change must save.
 * @property {boolean} usesTimers Idle timers of sockets are started or restarted under this load, by the count of a
 *   queue; without one, the program has started some.
 *
 * @typedef {Weighed & ProgramWorth} Worth
 */

/** A change of the timers of all sockets that saves less than 3 % costs more, in care and surprises. */
const WORTHWHILE = 0.03

/**
 * @param {CellSummary[]} cells  Cells of one program.
 * @param {{control: string, usesTimers?: boolean}} options `usesTimers`: the program has started some; default: not
 *   known.
 * @returns {Worth | null} null where no queue has a ratio to the control
 */
export function worthOf (cells, { control, usesTimers = true }) {
  const metric = rankedMetrics.find(name => cells.some(({ metrics }) => metrics[name]?.ratio))
  if (metric === undefined) return null
  const ratios = cells.flatMap(({ queue, metrics: { [metric]: figures } }) =>
    figures?.ratio ? [{ queue, ratio: figures.ratio }] : []
  )
  const weighed = weigh(ratios, { cost: 1, worthwhile: WORTHWHILE })
  const { low, high } = weighed.best
  const operations = cells.flatMap(({ metrics }) => metrics.timerOperationsPerSecond ?? [])
  return {
    ...weighed,
    isLevel: low <= 0 && high >= 0,
    control,
    metric,
    worthwhile: WORTHWHILE,
    usesTimers: operations.length === 0 ? usesTimers : operations.some(({ median }) => median > 0)
  }
}

/**
 * @param {{queue: string, ratio: Ratio}[]} ratios  Ratios to the control; at least one.
 * @param {object} options
 * @param {number} options.cost  Share of CPU that the control takes.
 * @param {number} options.worthwhile  Share that a change must save.
 * @param {(ratio: Ratio) => boolean} [options.isGivenUp]  A queue that gets no more heats is known after one.
 * @param {Set<string>} [options.unreliable]  Queues that lost samples: a change to one is never worth it.
 * @returns {Weighed}
 */
export function weigh (ratios, { cost, worthwhile, isGivenUp = () => false, unreliable = new Set() }) {
  const end = widenedBy(ratios.length)
  const weighed = ratios
    .map(({ queue, ratio }) => {
      const { median, n, coverage } = ratio
      const [saves, low, high] = [median, end(ratio, 'high'), end(ratio, 'low')].map(ratio => cost * (1 - ratio))
      const isKnown = n >= FEWEST_HEATS || isGivenUp(ratio)
      return {
        saving: { queue, saves, low, high, n, coverage },
        isWorth: n >= FEWEST_HEATS && low >= worthwhile && !unreliable.has(queue),
        // A queue that is not known might take no time at all.
        mayBeWorth: (isKnown ? high : cost) >= worthwhile
      }
    })
    .sort((a, b) => b.saving.saves - a.saving.saves)
  const worth = weighed.find(({ isWorth }) => isWorth)
  const possible = weighed.find(({ mayBeWorth }) => mayBeWorth)
  return {
    verdict: worth ? 'worth' : possible ? 'unclear' : 'not-worth',
    best: (worth ?? possible ?? weighed[0]).saving,
    savings: weighed.map(({ saving }) => saving)
  }
}

/**
 * Ends of intervals that hold together: the best of many queues is easily found by chance. Widens 95 % intervals of log
 * ratios as the correction of C. E. Bonferroni (1936) widens normal intervals.
 *
 * @param {number} queues
 * @returns {(ratio: Ratio, name: 'low' | 'high') => number}
 */
function widenedBy (queues) {
  return (ratio, name) => {
    const freedom = Math.max(1, ratio.n - 1)
    const widening = tQuantile(1 - 0.025 / queues, freedom) / tQuantile(0.975, freedom)
    return ratio.median * (ratio[name] / ratio.median) ** widening
  }
}
