/** Is another queue worth a change of a recorded program? The verdict (harness/trace/recommend.js) in words. */
import { metrics } from '../../harness/model/metrics.js'
import { formatNumber, formatPercent, formatSmallShare } from '../../harness/model/numbers.js'

/** @import { Ratio } from '../../harness/judge/pairs.js' */
/** @import { RankedQueue, Recommendation } from '../../harness/trace/recommend.js' */
/** @import { Answer } from '../blocks.js' */

/** Ratio from which "times as long" reads better than percents. */
const MANY_TIMES = 3

/**
 * @param {Recommendation} recommendation
 * @returns {Answer}
 */
export const answerOf = recommendation => ({
  kind: 'answer',
  text: conclude(recommendation),
  reasons: reasons(recommendation)
})

/** @param {Recommendation} recommendation */
function conclude ({ verdict, best, control, ranking, worthwhileShare }) {
  if (verdict === 'change') return `Change to ${best}.`
  if (verdict === 'unclear') return `A change to ${best} may be worth it: more rounds are needed.`
  const saving = Math.max(...ranking.map(({ saves }) => saves))
  if (saving <= 0) return `Not worth changing: no queue is faster than ${control}.`
  return (
    `Not worth changing: it would save ${formatSmallShare(saving)} of one core, ` +
    `and savings below ${formatPercent(worthwhileShare)} are not worth the change.`
  )
}

/** @param {Recommendation} recommendation */
function reasons ({ verdict, control, best, ranking, worthwhileShare, trace }) {
  const { nsPerOp, coreShare } = /** @type {RankedQueue} */ (ranking.find(({ queue }) => queue === control))
  const { queue, ratio, change, saves } = ranking.find(({ queue }) => queue === best) ?? ranking[0]
  const spent =
    `In the busiest second, ${formatNumber(trace.perBusiestSecond)} operations ` +
    `of ${formatNumber(nsPerOp.median)} ns, ${control} takes ${formatSmallShare(coreShare)} of one core`
  if (ratio === null || saves <= 0) return [`${spent}.`]
  const worthwhileRate = (trace.perBusiestSecond * worthwhileShare) / saves
  return [
    `Compared with ${control}, ${queue}: ${inWords(ratio, change)}.`,
    `${spent}; ${queue} would save ${formatSmallShare(saves)}.`,
    ...(verdict === 'keep'
      ? [
          `From ${formatNumber(worthwhileRate)} operations a second on, with no more timers pending, ` +
            `it would save ${formatPercent(worthwhileShare)}.`
        ]
      : [])
  ]
}

/**
 * @param {Ratio} ratio
 * @param {RankedQueue['change']} change
 */
export function inWords ({ median }, change) {
  if (change === 'unclear') return 'unclear'
  if (median >= MANY_TIMES) return `${formatNumber(median)} times as long`
  const { worse, improved } = metrics.nsPerOp
  return `${formatPercent(Math.abs(median - 1))} ${change === 'slower' ? worse : improved}`
}
