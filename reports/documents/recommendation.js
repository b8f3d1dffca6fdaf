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
import { recommendationAnswer } from '../answers/recommendation.js'
import { createDocument, list, longNames, number, paragraph, table, warnings as warn } from '../blocks.js'

/** @import { RankedQueue, Recommendation } from '../../harness/trace/recommend.js' */
/** @import { Document } from '../blocks.js' */

/**
 * @param {Recommendation} recommendation
 * @returns {Document}
 */
export function recommendationDocument (recommendation) {
  const { trace, ranking, skipped, warnings } = recommendation
  return createDocument(
    [
      recommendationAnswer(recommendation),
      list(describeTrace(recommendation)),
      rankTable(ranking),
      list(explainFigures(recommendation)),
      { ...paragraph('Work: basic blocks executed, exact (-: took too long).'), wide: true },
      warn([...skipped.map(({ queue, reason }) => `${queue} was left out (${reason})`), ...warnings])
    ],
    [],
    `Timers of ${trace.file}`,
    longNames(ranking)
  )
}

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
        change ?? 'as Node does'
      ]
    }))
  })

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
    trace.isTruncated && 'The last record is cut off: the program was killed.'
  ]
}

/** @param {Recommendation} recommendation */
function explainFigures ({ control, trace, ranking, environment, results }) {
  const counts = ranking.map(({ nsPerOp }) => nsPerOp.n)
  return [
    `= ${control}: Node's own design today, behind the same contract as the other queues.`,
    counts.includes(1) && 'Without an interval: given up after one heat, as far too slow.',
    'Of a core: in the busiest second, in the queue alone; the rest of Node stays.',
    `Ranked with at most ${formatNumber(trace.pendingPeak)} timers pending; with many more, the ranking may differ.`,
    `${environment.cores} x ${environment.cpu}, Node ${environment.node}; samples: ${results}`
  ]
}
