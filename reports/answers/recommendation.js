/** Is another queue worth a change of a recorded program? The verdict (harness/trace/recommend.js) in words. */
import { formatNumber, formatPercent, formatSmallShare } from '../../harness/model/numbers.js'
import { describeChange } from './comparison.js'

/** @import { RankedQueue, Recommendation } from '../../harness/trace/recommend.js' */
/** @import { Answer } from '../blocks.js' */

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
  if (ratio === null || change === null || saves <= 0) return [`${spent}.`]
  const worthwhileRate = (trace.perBusiestSecond * worthwhileShare) / saves
  return [
    `Compared with ${control}, ${queue}: ${describeChange({ metric: 'nsPerOp', ratio: ratio.median, change })}.`,
    `${spent}; ${queue} would save ${formatSmallShare(saves)}.`,
    ...(verdict === 'keep'
      ? [
          `From ${formatNumber(worthwhileRate)} operations a second on, with no more timers pending, ` +
            `it would save ${formatPercent(worthwhileShare)}.`
        ]
      : [])
  ]
}
