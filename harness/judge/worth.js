/**
 * Are other timers worth a change of the user's program? Pure. The reason for a change is the saved share of the
 * server's CPU for the same work, as far as it is certain.
 */
import { rankedMetrics } from '../model/metrics.js'
import { widenedBy } from './ratio.js'

/**
 * @import { CellSummary } from './summary.js'
 *
 * @typedef {object} Saving  Of a queue against the control; a negative share is a cost.
 * @property {string} queue
 * @property {number} saves  Share of the server's CPU.
 * @property {number} low
 * @property {number} high
 * @property {number} n  Heats.
 * @property {number} coverage
 *
 * @typedef {object} Worth
 * @property {'worth' | 'not-worth' | 'unclear'} verdict
 * @property {Saving} best  The queue to change to, or the one that comes closest.
 * @property {boolean} isLevel  No difference is shown.
 * @property {Saving[]} savings  Of all queues, the largest first.
 * @property {string} control
 * @property {string} metric  cpuMicrosPerRequest, or cpuMillisPerSecond where the program counts no requests.
 * @property {number} worthwhile  Share that a change must save.
 * @property {boolean} usesTimers Idle timers of sockets are started or restarted under this load, by the count of a
 *   queue; without one, the program has started some.
 */

/** Below 3 % a change of the timers of all sockets costs more, in care and surprises, than it saves. */
export const WORTHWHILE = 0.03
/** Intervals of fewer heats are often too short. */
const FEWEST_HEATS = 3

/**
 * @param {CellSummary[]} cells  Of one program.
 * @param {{control: string, usesTimers?: boolean}} options `usesTimers`: the program has started some; default: not
 *   known.
 * @returns {Worth | null} null where no queue has a ratio to the control
 */
export function worthOf (cells, { control, usesTimers = true }) {
  const metric = rankedMetrics.find(name => cells.some(({ metrics }) => metrics[name]?.ratio))
  if (metric === undefined) return null
  const others = cells.filter(({ metrics }) => metrics[metric]?.ratio)
  const end = widenedBy(others.length)
  const savings = others
    .map(({ queue, metrics }) => {
      const ratio = /** @type {NonNullable<typeof metrics[string]['ratio']>} */ (metrics[metric].ratio)
      return {
        queue,
        saves: 1 - ratio.median,
        low: 1 - end(ratio, 'high'),
        high: 1 - end(ratio, 'low'),
        n: ratio.n,
        coverage: ratio.coverage
      }
    })
    .sort((a, b) => b.saves - a.saves)
  const worth = savings.find(({ low, n }) => n >= FEWEST_HEATS && low >= WORTHWHILE)
  const possible = savings.find(({ high, n }) => n < FEWEST_HEATS || high >= WORTHWHILE)
  const best = worth ?? possible ?? savings[0]
  const operations = cells.flatMap(({ metrics }) => metrics.timerOperationsPerSecond ?? [])
  return {
    verdict: worth ? 'worth' : possible ? 'unclear' : 'not-worth',
    best,
    isLevel: best.low <= 0 && best.high >= 0,
    savings,
    control,
    metric,
    worthwhile: WORTHWHILE,
    usesTimers: operations.length === 0 ? usesTimers : operations.some(({ median }) => median > 0)
  }
}
