/**
 * Is another queue worth a change of the user's program? The verdict (harness/judge/worth.js) in one sentence, with its
 * reasons.
 */
import { compact } from '../../harness/model/compact.js'
import { capitalise, formatCoverage, formatNumber, formatPercent } from '../../harness/model/numbers.js'
import { commandLine } from '../blocks.js'

/** @import { Summary } from '../../harness/judge/summary.js' */
/** @import { Worth } from '../../harness/judge/worth.js' */
/** @import { Answer } from '../blocks.js' */

/** Figures for readers of a verdict on CPU. */
const BESIDE = [
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
 * @param {Summary & {worth: Worth | null}} summary
 * @param {string[]} again  Words that a resumed run needs again.
 * @returns {Answer}
 */
export function worthAnswer (summary, again) {
  const { worth, run, queues } = summary
  if (worth === null) return { kind: 'answer', text: 'Nothing was compared.', reasons: [] }
  const { best, verdict, usesTimers } = worth
  const isCheck = queues.every(({ origin }) => origin === 'built-in')
  const use = verdict === 'worth' && !isCheck ? howToUse(summary, best.queue) : { reasons: [] }
  const resumed = ['timerq', 'try', '--resume', run, '--budget', LONGER, ...again]
  const next = verdict === 'unclear' ? commandLine(resumed).text : use.next
  return {
    kind: 'answer',
    text: isCheck ? checkMachine(worth) : conclude(worth),
    reasons: compact(
      ...others(worth),
      !usesTimers &&
        'Your server restarts no idle timers of sockets under this load, so other timers can save nothing.',
      describeBeside(summary, worth),
      ...use.reasons
    ),
    ...(next !== undefined && { next }),
    ...(verdict === 'unclear' && { decides: true })
  }
}

/**
 * A user's own queue may have any name.
 *
 * @param {Summary} summary
 * @param {string} queue
 * @returns {{reasons: string[], next?: string}}
 */
function howToUse ({ queues, settings }, queue) {
  const isPackage = queue === TIMERS && queues.some(({ name, origin }) => name === TIMERS && origin === 'own')
  if (!isPackage) return { reasons: [`How to use ${queue}: docs/choosing-a-queue.md, "Using the winner".`] }
  const [program = '', ...words] = settings.program?.command ?? []
  const plug = `${TIMERS}/sockets`
  return {
    reasons: [`To use it: install ${TIMERS} (timers/README.md), and load it before your program.`],
    next: IS_NODE.test(program)
      ? commandLine([program, '--import', plug, ...words]).text
      : `NODE_OPTIONS=--import=${plug} ${commandLine([program, ...words]).text}`
  }
}

/** @param {Worth} worth */
function conclude ({ verdict, best, isLevel, control, metric, worthwhile }) {
  const { queue, saves, low, high, n, coverage } = best
  if (n < 2) return `Unclear: one heat of ${queue} is too few to tell.`
  const per = metric === 'cpuMicrosPerRequest' ? 'per request' : 'per second of this load'
  const sure = `${formatCoverage(coverage)} sure`
  const limit = `a change is worth it from ${formatPercent(worthwhile)} on`
  if (isLevel) {
    const range = `${formatCpuRange(-high, -low)} ${per}, ${sure}`
    return verdict === 'unclear'
      ? `Unclear so far: ${queue} takes ${range}, and ${limit}.`
      : `Not worth it: ${queue} is level with ${control} (${range}).`
  }
  const [share, ...ends] = [saves, ...(low > 0 ? [low, high] : [high, low])].map(end => formatPercent(Math.abs(end)))
  const gain =
    `${queue} ${low > 0 ? 'saves' : 'costs'} ${share} (${ends.join(' to ')}, ${sure}) ` +
    `of your server's CPU ${per}`
  if (verdict === 'worth') return `Worth it: ${gain}.`
  if (verdict === 'unclear') return `Unclear so far: ${gain}, and ${limit}.`
  return `Not worth it: ${gain}${low > 0 ? `, and ${limit}` : ` more than ${control}`}.`
}

/**
 * Prints 3 % to 5 % less CPU, 1 % less to 2 % more CPU.
 *
 * @param {number} low  Change as a share; less is negative.
 * @param {number} high
 */
export function formatCpuRange (low, high) {
  const [lower, upper] = [low, high].map(change => formatPercent(Math.abs(change)))
  if (high < 0) return `${upper} to ${lower} less CPU`
  return low > 0 ? `${lower} to ${upper} more CPU` : `${lower} less to ${upper} more CPU`
}

/**
 * Two copies of the same timers were compared.
 *
 * @param {Worth} worth
 */
function checkMachine ({ best: { low, high, coverage }, control, isLevel }) {
  const range = `${signed(low)} to ${signed(high)} of the CPU, ${formatCoverage(coverage)} sure`
  return isLevel
    ? `This machine can tell: ${control} is level with itself (a difference of ${range}).`
    : `${capitalise(control)} differs from itself (by ${range}). ` +
        'One check in twenty does: check again, and trust no saving of this size.'
}

/**
 * @param {Worth} worth
 * @returns {string[]} queues other than the verdict's
 */
const others = ({ savings, best }) =>
  savings
    .filter(({ queue }) => queue !== best.queue)
    .map(({ queue, low, high }) => `${queue}: ${signed(low)} to ${signed(high)} of the CPU saved.`)

/** @param {number} share */
const signed = share => `${share < 0 ? '-' : ''}${formatPercent(Math.abs(share))}`

/**
 * Latency and memory of the control and the queue.
 *
 * @param {Summary} summary
 * @param {Worth} worth
 */
function describeBeside ({ cells }, { best, control }) {
  const texts = BESIDE.map(({ metric, title, scale = 1, unit }) => {
    const [before, after] = [control, best.queue].map(
      name => cells.find(({ queue }) => queue === name)?.metrics[metric]?.median
    )
    if (before === undefined || after === undefined) return ''
    return `${title} ${formatNumber(before / scale)} and ${formatNumber(after / scale)} ${unit}`
  })
  const besides = compact(...texts).join(', ')
  return besides && `With ${control} and with ${best.queue}: ${besides}.`
}
