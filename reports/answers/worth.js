/**
 * Is another queue worth a change of the user's program? The verdict (harness/judge/worth.js) in one sentence, with its
 * reasons.
 */
import { compact } from '../../harness/model/compact.js'
import { capitalise, formatCoverage, formatNumber, formatPercent } from '../../harness/model/numbers.js'
import { commandLine } from '../blocks.js'
import { answer, CPU, describeSpan } from './answer.js'

/** @import { Summary } from '../../harness/judge/records.js' */
/** @import { Saving, Worth } from '../../harness/judge/worth.js' */

/** Figures to weigh against the CPU. */
const OTHER_FIGURES = [
  { metric: 'latencyP50Ms', title: 'median latency', unit: 'ms' },
  { metric: 'latencyP99Ms', title: '99th percentile', unit: 'ms' },
  { metric: 'rssBytes', title: 'memory', scale: 2 ** 20, unit: 'MB' }
]
/** Time that settles what a shorter measurement leaves open, in most cases. */
const LONGER = '10m'
/** The package that timerq ships. Queues are not put under sockets by an option. */
const TIMERS = 'timerq-timers'
const IS_NODE = /(^|[\\/])node(\.exe)?$/

/**
 * @param {Summary & {worth: Worth}} summary
 * @param {string[] | null} again  Words that a resumed run needs again. null: it cannot be resumed.
 */
export function worthAnswer (summary, again) {
  const { worth, run, queues } = summary
  const { best, verdict, savings, metric, usesTimers } = worth
  const isCheck = queues.every(({ origin }) => origin === 'built-in')
  const use = verdict === 'worth' && !isCheck ? howToUse(summary, best.queue) : { reasons: [] }
  const resumed = ['timerq', 'try', '--resume', run, '--budget', LONGER, ...(again ?? [])]
  const isOpen = verdict === 'unclear'
  return answer(sentenceFor(worth, isCheck), {
    reasons: [
      ...savings
        .filter(({ queue }) => queue !== best.queue)
        .map(other => `${other.queue} takes ${describeCost(other, metric)}.`),
      !usesTimers &&
        'Your server restarts no idle timers of sockets under this load, so other timers can save nothing.',
      describeOthers(summary, worth),
      ...use.reasons
    ],
    next: !isOpen ? use.next : again ? commandLine(resumed).text : undefined,
    decides: isOpen
  })
}

/**
 * Level: no end of the interval reaches a saving or a cost that is worth a change. An interval that merely holds 0 may
 * be wide.
 *
 * @param {Worth} worth
 * @param {boolean} isCheck  Two copies of the same timers were compared.
 */
function sentenceFor ({ verdict, best, control, metric, isLevel, worthwhile }, isCheck) {
  const { queue, low, high, n } = best
  const isNarrow = n > 1 && isLevel && low > -worthwhile && high < worthwhile
  const range = describeCost(best, metric)
  const limit = `, and a change is worth it from ${formatPercent(worthwhile)} on`
  if (isCheck && isNarrow) return `This machine can tell: ${control} is level with itself, ${range}.`
  if (isCheck && (isLevel || n < 2)) {
    return `This machine cannot tell ${formatPercent(worthwhile)} yet: ${control} takes ${range} than itself.`
  }
  if (isCheck) {
    const advice = 'One check in twenty does: check again, and trust no saving of this size.'
    return `${capitalise(control)} takes ${range} than itself. ${advice}`
  }
  if (verdict === 'worth') return `Worth it: ${queue} takes ${range}.`
  if (verdict === 'not-worth') {
    const found = isNarrow ? `is level with ${control}, ${range}` : `takes ${range}${high > 0 ? limit : ''}`
    return `Not worth it: ${queue} ${found}.`
  }
  return n < 2
    ? `Unclear: one heat of ${queue} is too few to tell.`
    : `Unclear so far: ${queue} takes ${range}${limit}.`
}

/**
 * @param {Saving} saving
 * @param {string} metric
 */
const describeCost = ({ low, high, coverage }, metric) =>
  `${describeSpan(-high, -low, CPU)} per ${metric === 'cpuMicrosPerRequest' ? 'request' : 'second of this load'} ` +
  `(${formatCoverage(coverage)} sure)`

/**
 * A user's own queue may have any name.
 *
 * @param {Summary} summary
 * @param {string} queue
 * @returns {{reasons: string[], next?: string}}
 */
function howToUse ({ queues, of }, queue) {
  const isPackage = queue === TIMERS && queues.some(({ name, origin }) => name === TIMERS && origin === 'own')
  if (!isPackage) return { reasons: [`How to use ${queue}: docs/choosing-a-queue.md, "Using the winner".`] }
  const [program = '', ...words] = of.program?.command ?? []
  const plug = `${TIMERS}/sockets`
  return {
    reasons: [`To use it: install ${TIMERS} (timers/README.md), and load it before your program.`],
    next: IS_NODE.test(program)
      ? commandLine([program, '--import', plug, ...words]).text
      : `NODE_OPTIONS=--import=${plug} ${commandLine([program, ...words]).text}`
  }
}

/**
 * Latency and memory of the control and the queue.
 *
 * @param {Summary} summary
 * @param {Worth} worth
 */
function describeOthers ({ cells }, { best, control }) {
  const texts = OTHER_FIGURES.map(({ metric, title, scale = 1, unit }) => {
    const [before, after] = [control, best.queue].map(
      name => cells.find(({ queue }) => queue === name)?.metrics[metric]?.median
    )
    if (before === undefined || after === undefined) return ''
    return `${title} ${formatNumber(before / scale)} and ${formatNumber(after / scale)} ${unit}`
  })
  const others = compact(...texts).join(', ')
  return others && `With ${control} and with ${best.queue}: ${others}.`
}
