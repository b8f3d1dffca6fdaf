/** Is another queue worth a change of a recorded program? The verdict (harness/trace/recommend.js) in words. */
import { formatNumber, formatPercent, formatSmallShare } from '../../harness/model/numbers.js'
import { answer } from './answer.js'
import { describeChange } from './comparison.js'

/** @import { RankedQueue, Recommendation } from '../../harness/trace/recommend.js' */

/** @param {Recommendation} recommendation */
export function recommendationAnswer (recommendation) {
  const { verdict, best, worthwhileShare } = recommendation
  const text = {
    change: `Change to ${best}.`,
    unclear: `A change to ${best} may be worth it: more rounds are needed.`,
    keep: `Not worth changing: no queue would save ${formatPercent(worthwhileShare)} of one core.`
  }[verdict]
  return answer(text, { reasons: reasonsFor(recommendation) })
}

/** @param {Recommendation} recommendation */
function reasonsFor ({ verdict, control, best, ranking, worthwhileShare, trace }) {
  const { nsPerOp, coreShare } = /** @type {RankedQueue} */ (ranking.find(({ queue }) => queue === control))
  const { queue, ratio, change, saves } = ranking.find(({ queue }) => queue === best) ?? ranking[0]
  const spent =
    `In the busiest second, ${formatNumber(trace.perBusiestSecond)} operations ` +
    `of ${formatNumber(nsPerOp.median)} ns, ${control} takes ${formatSmallShare(coreShare)} of one core`
  if (ratio === null || change !== 'faster' || saves <= 0) return [`${spent}.`]
  const worthwhileRate = (trace.perBusiestSecond * worthwhileShare) / saves
  return [
    `Compared with ${control}, ${queue}: ${describeChange({ metric: 'nsPerOp', ratio: ratio.median, change })}.`,
    `${spent}; ${queue} would save about ${formatSmallShare(saves)}.`,
    verdict === 'keep' &&
      `From about ${formatNumber(worthwhileRate)} operations a second on, with no more timers pending, ` +
        `it would save ${formatPercent(worthwhileShare)}.`
  ]
}
