/** What a recorded program gains by another queue, in words and with the evidence. */
import { metrics } from '../../harness/model/metrics.js'
import {
  formatCoverage, formatDuration, formatInterval, formatNumber, formatPercent, formatRatio, formatRatioInterval, formatSmallShare
} from '../../harness/model/numbers.js'
import { list, number, warnings as warn, words } from '../blocks.js'
import { describeRow } from '../verdicts.js'

/**
 * @typedef {import('../../harness/trace/recommend.js').Recommendation} Recommendation
 * @typedef {import('../../harness/trace/recommend.js').RankedQueue} RankedQueue
 */

/** From here on "times as long" reads better than percents. */
const MANY_TIMES = 3

/**
 * @param {Recommendation} recommendation
 * @returns {import('../blocks.js').Document}
 */
export function recommendationDocument (recommendation) {
  const { trace, skipped, warnings } = recommendation
  return {
    title: `Timers of ${trace.file}`,
    blocks: [
      { kind: 'answer', text: conclude(recommendation), reasons: reasons(recommendation) },
      list(describeTrace(recommendation)),
      rankTable(recommendation),
      list(legend(recommendation)),
      { ...list(['Work: basic blocks executed, exact (-: took too long).']), wide: true },
      ...warn([...skipped.map(({ queue, reason }) => `${queue} was left out (${reason})`), ...warnings])
    ],
    sections: []
  }
}

/**
 * @param {Recommendation} recommendation
 * @returns {import('../blocks.js').Table}
 */
function rankTable ({ ranking }) {
  return {
    kind: 'table',
    caption: 'Fastest first',
    columns: [words('queue'), number(metrics.nsPerOp.column), number('ratio'), number(metrics.workPerOp.column, { wide: true }), number('of a core'), words('')],
    rows: ranking.map(({ queue, nsPerOp, workPerOp, coreShare, comparison }) => ({
      isControl: comparison === null,
      cells: [
        { text: queue },
        { text: formatInterval(nsPerOp) },
        comparison ? { text: formatRatioInterval(comparison), short: formatRatio(Number(comparison.ratio)) } : { text: formatRatio(1) },
        { text: workPerOp === null ? '-' : formatNumber(workPerOp) },
        { text: formatSmallShare(coreShare) },
        { text: comparison ? inWords(comparison) : 'what Node does' }
      ]
    }))
  }
}

/** @param {import('../../harness/judge/verdict.js').Comparison} comparison */
function inWords (comparison) {
  const { change, verdict, ratio } = comparison
  if (verdict === 'inconclusive') return 'unclear'
  return change === 'slower' && Number(ratio) >= MANY_TIMES ? `${formatNumber(Number(ratio))} times as long` : describeRow(comparison)
}

/** @param {Recommendation} recommendation */
function describeTrace ({ trace }) {
  const { starts, refreshes, cancels, fires, durations } = trace
  const range = durations.distinct === 1
    ? `all of ${formatDuration(durations.shortest)}`
    : `${formatDuration(durations.shortest)} to ${formatDuration(durations.longest)}, ${durations.distinct} different, median ${formatDuration(durations.median)}`
  return [
    `${formatNumber(trace.operations)} operations on ${formatNumber(trace.timers)} timers in ${formatNumber(trace.seconds)} s: ` +
      `${formatNumber(trace.perSecond)} a second, ${formatNumber(trace.perBusiestSecond)} in the busiest.`,
    `${formatNumber(starts)} starts, ${formatNumber(refreshes)} refreshes, ${formatNumber(cancels)} cancels, ${formatNumber(fires)} expiries: ` +
      `${formatPercent(trace.expiringShare)} of the timers started or refreshed expired.`,
    `Durations: ${range}.`,
    `At most ${formatNumber(trace.pendingPeak)} timers were pending at once.`,
    ...(trace.isTruncated ? ['The last record was cut off: the program was killed.'] : [])
  ]
}

/** @param {Recommendation} recommendation */
function conclude ({ verdict, best, stand, ranking, worthwhileShare }) {
  if (verdict === 'change') return `Change to ${best}.`
  if (verdict === 'unclear') return `A change to ${best} may be worth it: more rounds are needed.`
  const saving = Math.max(...ranking.map(({ saves }) => saves))
  if (saving <= 0) return `Not worth changing: no queue is faster than ${stand}.`
  return `Not worth changing: it would save ${formatSmallShare(saving)} of one core; below ${formatPercent(worthwhileShare)} nobody changes.`
}

/** @param {Recommendation} recommendation */
function reasons ({ verdict, stand, best, ranking, worthwhileShare, trace }) {
  const control = /** @type {RankedQueue} */ (ranking.find(({ queue }) => queue === stand))
  const chosen = ranking.find(({ queue }) => queue === best) ?? ranking[0]
  const { comparison, saves } = chosen
  const spent = `In the busiest second, ${formatNumber(trace.perBusiestSecond)} operations of ${formatNumber(control.nsPerOp.median)} ns, ` +
    `${stand} takes ${formatSmallShare(control.coreShare)} of one core`
  if (comparison === null || saves <= 0) return [`${spent}.`]
  const enough = trace.perBusiestSecond * worthwhileShare / saves
  return [
    `Compared with ${stand}, ${chosen.queue}: ${describeRow(comparison)}.`,
    `${spent}; ${chosen.queue} would save ${formatSmallShare(saves)}.`,
    ...(verdict === 'keep'
      ? [`From ${formatNumber(enough)} operations a second on, with no more timers pending, it would save ${formatPercent(worthwhileShare)}.`]
      : [])
  ]
}

/** @param {Recommendation} recommendation */
function legend ({ stand, trace, ranking, environment, results }) {
  const { n, coverage } = ranking[0].nsPerOp
  return [
    `= ${stand}: Node's own design today, behind the same contract as the others.`,
    n === 1
      ? 'Each ran once: how much runs differ is not known.'
      : `ns/op: median and interval of ${n} fresh processes (coverage ${formatCoverage(coverage)}).`,
    'Ratios and words compare processes that ran at the same time.',
    'Of a core: in the busiest second, in the queue alone; the rest of Node stays.',
    `Ranked with at most ${formatNumber(trace.pendingPeak)} timers pending; with many more it may change.`,
    `${environment.cores} x ${environment.cpu}, Node ${environment.node}; samples: ${results}`
  ]
}
