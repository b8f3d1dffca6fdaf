/** What a recorded program gains by another queue, in words and with the evidence, as text. */
import { markdownTable } from 'markdown-table'
import { getBorderCharacters, table } from 'table'
import { describeRow, formatPercent, formatRatioInterval } from './comparison-words.js'
import { capitalise, formatInterval, formatNumber, formatRatio } from '../../harness/model/numbers.js'
import { escape } from '../render/markdown.js'

/**
 * @typedef {import('../../harness/recommend.js').Recommendation} Recommendation
 * @typedef {import('../../harness/recommend.js').RankedQueue} RankedQueue
 */

/** From here on percents are no longer read. */
const MANY_TIMES = 3
const COLUMNS = ['ns/op', 'ratio', 'work/op', 'of a core', '']

/**
 * @param {Recommendation} recommendation
 * @param {import('../render/terminal.js').Style} style
 */
export function renderRecommendation (recommendation, style) {
  const { trace, ranking, warnings } = recommendation
  const lines = ranking.map(entry => {
    const [name, ...cells] = rowOf(entry, ({ ratio }) => formatRatio(Number(ratio)))
    return [entry.comparison ? `  ${name}` : style.cyan(`= ${name}`), ...cells]
  })
  const ranks = table([['', ...COLUMNS.map(title => style.dim(title))], ...lines], {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: 2, alignment: 'right' },
    columns: { 0: { alignment: 'left' }, [COLUMNS.length]: { alignment: 'left' } },
    drawHorizontalLine: () => false
  })
  return [
    `${style.bold(trace.file)}: ${describeTrace(recommendation).join('\n  ')}\n`,
    `${[style.bold(conclude(recommendation)), ...reasons(recommendation)].join('\n')}\n`,
    `${ranks.replaceAll(/ +$/gm, '')}`,
    legend(recommendation).map(line => `${line}\n`).join(''),
    ...[...skippedOf(recommendation), ...warnings].map(warning => style.yellow(`warning: ${warning}\n`))
  ].join('\n')
}

/** @param {Recommendation} recommendation */
export function renderRecommendationMarkdown (recommendation) {
  const { trace, ranking, warnings } = recommendation
  return [
    `# Timers of ${escape(trace.file)}`,
    `**${escape(conclude(recommendation))}** ${escape(reasons(recommendation).join(' '))}`,
    describeTrace(recommendation).map(line => `- ${escape(capitalise(line))}`).join('\n'),
    markdownTable([['queue', ...COLUMNS], ...ranking.map(entry => rowOf(entry, formatRatioInterval).map(escape))], { align: ['l', 'r', 'r', 'r', 'r', 'l'] }),
    [...legend(recommendation), ...skippedOf(recommendation), ...warnings].map(line => `- ${escape(line)}`).join('\n')
  ].join('\n\n') + '\n'
}

/**
 * @param {RankedQueue} entry
 * @param {(comparison: import('../../harness/verdict.js').Comparison) => string} formatRatioOf
 */
function rowOf ({ queue, nsPerOp, workPerOp, coreShare, comparison }, formatRatioOf) {
  return [
    queue,
    formatInterval(nsPerOp),
    comparison ? formatRatioOf(comparison) : formatRatio(1),
    workPerOp === null ? '-' : formatNumber(workPerOp),
    formatShare(coreShare),
    comparison ? inWords(comparison) : 'what Node does'
  ]
}

/** @param {import('../../harness/verdict.js').Comparison} comparison */
function inWords (comparison) {
  const { change, ratio } = comparison
  return change === 'slower' && Number(ratio) >= MANY_TIMES ? `${formatNumber(Number(ratio))} times as long` : describeRow(comparison)
}

/** @param {Recommendation} recommendation */
function describeTrace ({ trace }) {
  const { starts, refreshes, cancels, fires, durations } = trace
  const range = durations.distinct === 1
    ? `all of ${formatMs(durations.shortest)}`
    : `${formatMs(durations.shortest)} to ${formatMs(durations.longest)}, ${durations.distinct} different, median ${formatMs(durations.median)}`
  return [
    `${formatNumber(trace.operations)} operations on ${formatNumber(trace.timers)} timers in ${formatNumber(trace.seconds)} s, ` +
      `${formatNumber(trace.perSecond)} a second, ${formatNumber(trace.perBusiestSecond)} in the busiest`,
    `${formatNumber(starts)} starts, ${formatNumber(refreshes)} refreshes, ${formatNumber(cancels)} cancels, ${formatNumber(fires)} expiries: ` +
      `${formatPercent(trace.expiringShare)} of what was started or refreshed expired`,
    `durations: ${range}`,
    `at most ${formatNumber(trace.pendingPeak)} timers pending at once`,
    ...(trace.isTruncated ? ['the last record was cut off: the program was killed'] : [])
  ]
}

/** @param {Recommendation} recommendation */
function conclude ({ verdict, best }) {
  if (verdict === 'change') return `Change to ${best}.`
  return verdict === 'keep' ? "Node's own timers are as good: change nothing." : `${capitalise(String(best))} may be worth a change: more rounds would tell.`
}

/** @param {Recommendation} recommendation */
function reasons ({ verdict, stand, best, ranking, worthwhileShare, trace }) {
  const node = /** @type {RankedQueue} */ (ranking.find(({ queue }) => queue === stand))
  const chosen = ranking.find(({ queue }) => queue === best) ?? ranking[0]
  const { comparison, saves } = chosen
  const spent = `In the busiest second, ${formatNumber(trace.perBusiestSecond)} operations of ${formatNumber(node.nsPerOp.median)} ns, ` +
    `${stand} takes ${formatShare(node.coreShare)} of one core`
  if (comparison === null || saves <= 0) return [`No queue is faster than ${stand}.`, `${spent}.`]
  const enough = trace.perBusiestSecond * worthwhileShare / saves
  return [
    `Compared with ${stand}, ${chosen.queue}: ${describeRow(comparison)}.`,
    `${spent}; ${chosen.queue} would save ${formatShare(saves)}.`,
    ...(verdict === 'keep'
      ? [`It would save ${formatPercent(worthwhileShare)} from ${formatNumber(enough)} operations a second on, with no more timers pending.`]
      : [])
  ]
}

/** @param {Recommendation} recommendation */
function legend ({ stand, trace, ranking, environment, results }) {
  const { n, coverage } = ranking[0].nsPerOp
  return [
    `= ${stand} stands for what Node does today: its design, behind the same contract as the others.`,
    `Median and interval of ${n} fresh processes (coverage ${Math.floor(coverage * 100)} %); words and ratios are of pairs.`,
    'Of a core: in the busiest second, in the queue alone; what Node spends around it no queue changes.',
    `Ranked with at most ${formatNumber(trace.pendingPeak)} timers pending: with many more the order is another.`,
    'Work: basic blocks executed, exact (-: took too long).',
    `${environment.cores} x ${environment.cpu}, Node ${environment.node}; samples: ${results}`
  ]
}

/** @param {Recommendation} recommendation */
const skippedOf = ({ skipped }) => skipped.map(({ queue, reason }) => `${queue} was left out: ${reason}`)

/** @param {number} share */
function formatShare (share) {
  const percent = share * 100
  return `${percent < 0.0001 ? '<0.0001' : percent < 1 ? percent.toPrecision(1) : percent.toFixed(1)} %`
}

/** @param {number} ms */
function formatMs (ms) {
  return ms < 1000 ? `${ms} ms` : `${formatNumber(ms / 1000)} s`
}
