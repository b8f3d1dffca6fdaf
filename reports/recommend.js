/** What a recorded program gains by another queue, in words and with the evidence, as text. */
import { markdownTable } from 'markdown-table'
import { getBorderCharacters, table } from 'table'
import { describeRow, formatPercent, formatRatioInterval } from './comparison-words.js'
import { capitalise, formatInterval, formatNumber } from './format.js'

/**
 * @typedef {import('../harness/recommend.js').Recommendation} Recommendation
 * @typedef {import('../harness/recommend.js').RankedQueue} RankedQueue
 */

const NS_PER_SECOND = 1e9
const COLUMNS = ['ns/op', 'ratio', 'work/op', 'of a core', '']

/**
 * @param {Recommendation} recommendation
 * @param {import('./terminal.js').Style} style
 */
export function renderRecommendation (recommendation, style) {
  const { trace, ranking, warnings } = recommendation
  const lines = ranking.map(entry => {
    const [name, ...cells] = rowOf(entry, recommendation)
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
    `${style.bold(conclude(recommendation))} ${reasons(recommendation).join(' ')}\n`,
    `${ranks.replaceAll(/ +$/gm, '')}`,
    legend(recommendation).map(line => `${line}\n`).join(''),
    ...[...skippedOf(recommendation), ...warnings].map(warning => style.yellow(`warning: ${warning}\n`))
  ].join('\n')
}

/** @param {Recommendation} recommendation */
export function renderRecommendationMarkdown (recommendation) {
  const { trace, ranking, warnings } = recommendation
  return [
    `# Timers of ${trace.file}`,
    `**${conclude(recommendation)}** ${reasons(recommendation).join(' ')}`,
    describeTrace(recommendation).map(line => `- ${capitalise(line)}`).join('\n'),
    markdownTable([['queue', ...COLUMNS], ...ranking.map(entry => rowOf(entry, recommendation))], { align: ['l', 'r', 'r', 'r', 'r', 'l'] }),
    [...legend(recommendation), ...skippedOf(recommendation), ...warnings].map(line => `- ${line}`).join('\n')
  ].join('\n\n') + '\n'
}

/**
 * @param {RankedQueue} entry
 * @param {Recommendation} recommendation
 */
function rowOf ({ queue, nsPerOp, workPerOp, coreShare, comparison }, { stand }) {
  return [
    queue,
    formatInterval(nsPerOp),
    comparison ? formatRatioInterval(comparison) : '1.000',
    workPerOp === null ? '-' : formatNumber(workPerOp),
    formatShare(coreShare),
    comparison ? describeRow(comparison) : queue === stand ? 'what Node does' : ''
  ]
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
  const [first] = ranking
  const chosen = ranking.find(({ queue }) => queue === best) ?? first
  const node = /** @type {RankedQueue} */ (ranking.find(({ queue }) => queue === stand))
  const second = `in the busiest second, ${formatNumber(trace.perBusiestSecond)} operations of ${formatNumber(node.nsPerOp.median)} ns`
  const savedNs = node.nsPerOp.median * (1 - Number(chosen.comparison?.ratio ?? 1))
  const worthwhile = formatPercent(worthwhileShare)
  if (chosen === node || savedNs <= 0) {
    return [`No queue is faster than ${stand}, and that takes ${formatShare(node.coreShare)} of one core ${second}.`]
  }
  return [
    `${capitalise(chosen.queue)} against ${stand}: ${describeRow(/** @type {any} */ (chosen.comparison))}.`,
    `All timers together take ${formatShare(node.coreShare)} of one core ${second}; ${chosen.queue} would save ${formatShare(chosen.saves)}.`,
    ...(verdict === 'keep'
      ? [`To save ${worthwhile} of a core, the program would have to do ${formatNumber(worthwhileShare * NS_PER_SECOND / savedNs)} operations a second.`]
      : [])
  ]
}

/** @param {Recommendation} recommendation */
function legend ({ stand, ranking, environment, results }) {
  const { n, coverage } = ranking[0].nsPerOp
  return [
    `= ${stand} stands for what Node does today: its design, behind the same contract as the others.`,
    `Median and interval of ${n} fresh processes (coverage ${Math.floor(coverage * 100)} %); ratios of pairs. ns/op holds the replaying too,`,
    'the same for all: what a queue saves is a difference. Work: basic blocks executed, exact (-: took too long).',
    `${environment.cores} x ${environment.cpu}, Node ${environment.node}; samples: ${results}`
  ]
}

/** @param {Recommendation} recommendation */
const skippedOf = ({ skipped }) => skipped.map(({ queue, reason }) => `${queue} was left out: ${reason}`)

/** @param {number} share */
function formatShare (share) {
  return share < 0.0001 ? 'less than 0.01 %' : `${(share * 100).toFixed(share < 0.01 ? 2 : 1)} %`
}

/** @param {number} ms */
function formatMs (ms) {
  return ms < 1000 ? `${ms} ms` : `${formatNumber(ms / 1000)} s`
}
