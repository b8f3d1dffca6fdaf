/** The gain of a recorded program by another queue, in words and figures. */
import { metrics } from '../../harness/model/metrics.js'
import {
  formatDuration,
  formatInterval,
  formatNumber,
  formatPercent,
  formatRatio,
  formatRatioWithInterval,
  formatSmallShare
} from '../../harness/model/numbers.js'
import { createDocument, list, longNames, number, table, warnings as warn } from '../blocks.js'

/** @import { Ratio } from '../../harness/judge/pairs.js' */
/** @import { RankedQueue, Recommendation } from '../../harness/trace/recommend.js' */
/** @import { Answer, Document } from '../blocks.js' */

/** Ratio from which "times as long" reads better than percents. */
const MANY_TIMES = 3

/**
 * @param {Recommendation} recommendation
 * @returns {Document}
 */
export function recommendationDocument (recommendation) {
  const { trace, ranking, skipped, warnings } = recommendation
  return createDocument(
    [
      answerOf(recommendation),
      list(describeTrace(recommendation)),
      rankTable(ranking),
      list(legend(recommendation)),
      { kind: 'list', title: '', items: ['Work: basic blocks executed, exact (-: took too long).'], wide: true },
      warn([...skipped.map(({ queue, reason }) => `${queue} was left out (${reason})`), ...warnings])
    ],
    [],
    `Timers of ${trace.file}`,
    longNames(ranking)
  )
}

/**
 * @param {Recommendation} recommendation
 * @returns {Answer}
 */
export const answerOf = recommendation => ({
  kind: 'answer',
  text: conclude(recommendation),
  reasons: reasons(recommendation)
})

/** @param {RankedQueue[]} ranking */
const rankTable = ranking =>
  table({
    caption: 'Fastest first',
    columns: [
      'queue',
      number(metrics.nsPerOp.column),
      number('ratio'),
      number(metrics.workPerOp.column, { wide: true }),
      number('of a core'),
      ''
    ],
    rows: ranking.map(({ queue, nsPerOp, workPerOp, coreShare, ratio, change }) => ({
      isControl: ratio === null,
      cells: [
        queue,
        formatInterval(nsPerOp),
        ratio ? { text: formatRatioWithInterval(ratio), short: formatRatio(ratio.median) } : formatRatio(1),
        workPerOp === null ? '-' : formatNumber(workPerOp),
        formatSmallShare(coreShare),
        ratio ? inWords(ratio, change) : 'as Node does'
      ]
    }))
  })

/**
 * @param {Ratio} ratio
 * @param {RankedQueue['change']} change
 */
function inWords ({ median }, change) {
  if (change === 'unclear') return 'unclear'
  if (median >= MANY_TIMES) return `${formatNumber(median)} times as long`
  const { worse, improved } = metrics.nsPerOp
  return `${formatPercent(Math.abs(median - 1))} ${change === 'slower' ? worse : improved}`
}

/** @param {Recommendation} recommendation */
function describeTrace ({ trace }) {
  const { starts, refreshes, cancels, fires, durations } = trace
  const range =
    durations.distinct === 1
      ? `all of ${formatDuration(durations.shortest)}`
      : `${formatDuration(durations.shortest)} to ${formatDuration(durations.longest)}, ` +
        `${durations.distinct} different, median ${formatDuration(durations.median)}`
  return [
    `${formatNumber(trace.operations)} operations on ${formatNumber(trace.timers)} timers ` +
      `in ${formatNumber(trace.seconds)} s: ` +
      `${formatNumber(trace.perSecond)} a second, ${formatNumber(trace.perBusiestSecond)} in the busiest.`,
    `${formatNumber(starts)} starts, ${formatNumber(refreshes)} refreshes, ${formatNumber(cancels)} cancels, ` +
      `${formatNumber(fires)} expiries: ` +
      `${formatPercent(trace.expiringShare)} of the timers started or refreshed expired.`,
    `Durations: ${range}.`,
    `At most ${formatNumber(trace.pendingPeak)} timers were pending at once.`,
    ...(trace.isTruncated ? ['The last record is cut off: the program was killed.'] : [])
  ]
}

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

/** @param {Recommendation} recommendation */
function legend ({ control, trace, ranking, environment, results }) {
  const counts = ranking.map(({ nsPerOp }) => nsPerOp.n)
  const n = Math.max(...counts)
  return [
    `= ${control}: Node's own design today, behind the same contract as the other queues.`,
    n === 1
      ? 'Each queue ran once: the difference between runs is not known.'
      : `ns/op: median and interval of ${n} fresh processes.`,
    ...(n > 1 && counts.includes(1) ? ['Without an interval: given up after one heat, as far too slow.'] : []),
    'Ratios and words compare processes that ran at the same time.',
    'Of a core: in the busiest second, in the queue alone; the rest of Node stays.',
    'A share of the CPU (timerq profile) times the use of a core is a share of one.',
    `Ranked with at most ${formatNumber(trace.pendingPeak)} timers pending; with many more, the ranking may differ.`,
    `${environment.cores} x ${environment.cpu}, Node ${environment.node}; samples: ${results}`
  ]
}
