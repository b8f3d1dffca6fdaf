/**
 * What a run was made for, in five lines of a terminal: which queue to take, what it gains over the control and where, how
 * sure that is, and what to do next.
 */
import { enumerate, formatCount, formatCoverage, formatNumber, formatParam, formatPercent } from '../../harness/model/numbers.js'
import { commandLine } from '../blocks.js'
import { wrap } from '../wrap.js'
import { isKnown, LEVEL, levelWith, tiedWith } from './apart.js'
import { allRounder, describeWorst, isClearlyCloser, isTie, microPlaces } from './conclusion.js'
import { entryOf } from './contests.js'

/**
 * @typedef {import('../../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../../harness/judge/ratio.js').HeatRatios} HeatRatios
 * @typedef {import('../blocks.js').Answer} Answer
 * @typedef {import('./contests.js').Contest} Contest
 * @typedef {import('./contests.js').Place} Place
 *
 * @typedef {object} Verdict
 * @property {string} text
 * @property {string | null} queue  The one that is recommended, if any.
 * @property {boolean} isOpen  More heats may change it.
 *
 * @typedef {object} Gain  Of a queue over the control.
 * @property {string} queue
 * @property {Place} place
 * @property {number} factor  How many times as fast it is.
 * @property {number} low
 * @property {number} high
 * @property {import('../costs.js').Cost} cost
 */

/** That an answer may take, with the next step. */
const MOST_LINES = 5
/** Fewer heats show no distribution. */
const FEWEST_DOTS = 3
/** Columns of the row in which each heat is a dot. */
const DOTS_WIDTH = 12
const DOTS = ['─', '·', ':', '⁝']

/**
 * @param {Summary} summary
 * @param {Contest[]} contests
 * @param {HeatRatios} heatRatios
 * @returns {Answer}
 */
export function shortAnswer (summary, contests, heatRatios) {
  const micro = microPlaces(contests)
  const servers = contests.filter(({ line }) => line.sweep.kind === 'http').flatMap(({ places }) => places.slice(-1))
  const { text, queue, isOpen } = verdictOn(micro, servers)
  const caution = queue === null ? '' : cautionOf(summary, queue)
  const server = queue !== null && micro.length > 0 && servers.length > 0 ? describeServer(servers[0], queue) : ''
  const parts = queue === null ? [] : partsOfGain(gainsOf(micro.length > 0 ? micro : servers, queue), queue, heatRatios)
  const linesOf = (/** @type {string} */ gain) => [caution, gain, server].filter(Boolean)
  // As much of it as there is room for: the distribution is left out first.
  const variants = parts.map((_, i) => linesOf(`${parts.slice(0, parts.length - i).join('')}.`))
  const reasons = variants.find(reasons => [text, ...reasons].flatMap(line => wrap(line)).length < MOST_LINES) ?? variants[variants.length - 1] ?? linesOf('')
  const isServerOpen = queue !== null && servers.slice(0, 1).some(place => isUnclear(gainAt(place, queue)))
  return { kind: 'answer', text, reasons, next: nextStep(summary, isOpen || isServerOpen) }
}

/**
 * What the figures do not say of a queue.
 *
 * @param {Summary} summary
 * @param {string} name
 */
function cautionOf ({ queues }, name) {
  const { breaks, meta } = queues.find(queue => queue.name === name) ?? {}
  if (breaks) return `But ${name} breaks the contract: timerq check shows how.`
  return meta?.accuracy !== undefined && meta.accuracy !== 'exact' ? `But ${name} is not exact: timers may fire ${formatPercent(meta.accuracy.relative)} of their duration late.` : ''
}

/**
 * @param {Place[]} micro
 * @param {Place[]} servers
 * @returns {Verdict}
 */
function verdictOn (micro, servers) {
  const overall = allRounder(micro)
  if (overall) return verdictOverall(overall)
  const [place] = [...micro, ...servers]
  return place ? verdictAt(place) : { text: 'No times were measured.', queue: null, isOpen: true }
}

/**
 * @param {NonNullable<ReturnType<typeof allRounder>>} overall
 * @returns {Verdict}
 */
function verdictOverall ({ best, others }) {
  const rivals = others.filter(other => !isClearlyCloser(best, other))
  const close = [best, ...rivals.filter(rival => isTie(best, rival))]
  const [next] = rivals.filter(rival => !close.includes(rival))
  const isOpen = rivals.length > 0
  if (best.high === Infinity) return { text: 'Nothing is certain yet: one heat does not show how much heats scatter.', queue: best.queue, isOpen }
  const worst = best.ratio === 1 ? 'the fastest everywhere' : `at worst ${describeWorst(close)}`
  const names = enumerate(close.map(({ queue }) => queue), 'or')
  const mayDo = next ? ` (${next.queue} may do as well)` : ''
  return { text: `Take ${names}${mayDo}: ${close.length > 1 ? 'a tie, ' : ''}${worst}.`, queue: best.queue, isOpen }
}

/**
 * @param {Place} place
 * @returns {Verdict}
 */
function verdictAt (place) {
  const { ranking: [first, ...others] } = place
  const where = whereIn(place)
  if (others.length === 0) return { text: `${first.queue} ran alone on ${where}: name another queue to compare it with.`, queue: null, isOpen: false }
  const [level, ties] = [levelWith(place), tiedWith(place)].map(entries => entries.map(({ queue }) => queue))
  const isOpen = ties.length > 0
  if (level.length === others.length) return { text: `All queues are level within 5 % on ${where}.`, queue: first.queue, isOpen }
  if (ties.length === others.length) return { text: `No queue is shown to be the fastest on ${where}.`, queue: first.queue, isOpen }
  const details = [...(level.length > 0 ? [`${enumerate(level)} ${level.length === 1 ? 'is' : 'are'} level within 5 %`] : []), ...(ties.length > 0 ? [`${enumerate(ties, 'or')} may be as fast`] : [])]
  return { text: `${[`${first.queue} is the fastest on ${where}`, ...details].join('; ')}.`, queue: first.queue, isOpen }
}

/**
 * @param {Place[]} places
 * @param {string} queue
 * @returns {Gain[]} the largest first
 */
function gainsOf (places, queue) {
  return places.flatMap(place => gainAt(place, queue) ?? []).sort((a, b) => b.factor - a.factor)
}

/**
 * @param {Place} place
 * @param {string} queue
 * @returns {Gain | null}
 */
function gainAt (place, queue) {
  const control = entryOf(place, place.line.sweep.control)?.cost
  const own = entryOf(place, queue)?.cost
  if (!control || !own) return null
  return { queue, place, cost: own, factor: control.median / own.median, low: control.low / own.high, high: control.high / own.low }
}

/**
 * @param {Gain[]} gains
 * @param {string} queue
 * @param {HeatRatios} heatRatios
 * @returns {string[]} the most important part of the sentence first
 */
function partsOfGain (gains, queue, heatRatios) {
  if (gains.length === 0) return []
  const [most] = gains
  const least = gains[gains.length - 1]
  const { control } = most.place.line.sweep
  if (queue === control) return ['It is the control, which does as Node does: no change would gain anything here']
  const elsewhere = least.factor >= 1
    ? `; ${formatFactor(least.factor)} times or more elsewhere`
    : `; but ${formatFactor(1 / least.factor)} times as slow on ${whereIn(least.place)}`
  return [
    `${queue} is ${formatWithin(most)(most.factor)} times as fast as ${control} (${describeRange(most)})${gains.length > 1 ? ` on ${whereIn(most.place)}` : ''}`,
    ...(gains.length > 1 ? [elsewhere] : []),
    drawHeats(most.place, queue, heatRatios)
  ]
}

/** @param {Gain} gain */
function describeRange (gain) {
  const { low, high, cost } = gain
  const format = formatWithin(gain)
  return isKnown(cost) ? `${format(low)} to ${format(high)}, ${formatCoverage(cost.coverage)} sure` : 'one heat: uncertain'
}

/**
 * With a digit more where the ends of an interval would look alike.
 *
 * @param {Gain} gain
 */
function formatWithin ({ low, high, cost }) {
  if (!isKnown(cost) || formatFactor(low) !== formatFactor(high)) return formatFactor
  return (/** @type {number} */ factor) => factor < 10 ? factor.toFixed(2) : factor < 100 ? factor.toFixed(1) : formatFactor(factor)
}

/**
 * @param {Place} place
 * @param {string} queue
 */
function describeServer (place, queue) {
  const gain = gainAt(place, queue)
  if (!gain) return ''
  const { control } = place.line.sweep
  const where = whereIn(place)
  if (!isKnown(gain.cost)) return `${where}: one heat says nothing certain.`
  // Of the CPU time of a request; negative where it takes more.
  const [low, high] = [1 - 1 / gain.low, 1 - 1 / gain.high]
  if (low > 0) return `${where}: ${formatPercent(low)} to ${formatPercent(high)} less CPU than ${control}.`
  if (high < 0) return `${where}: ${formatPercent(-high)} to ${formatPercent(-low)} more CPU than ${control}.`
  const range = `${formatPercent(high)} less to ${formatPercent(-low)} more CPU`
  return isUnclear(gain) ? `${where}: ${range} than ${control}, so far.` : `${where}: level with ${control} (${range}).`
}

/**
 * Neither faster nor slower than the control, nor level with it.
 *
 * @param {Gain | null} gain
 */
const isUnclear = gain => gain !== null && gain.queue !== gain.place.line.sweep.control &&
  (!isKnown(gain.cost) || (gain.low < 1 && gain.high > 1 && (gain.high > LEVEL || gain.low < 1 / LEVEL)))

/**
 * The gain in each heat, from the smallest to the largest: 2.9 ·──·:──· 3.3.
 *
 * @param {Place} place
 * @param {string} queue
 * @param {HeatRatios} heatRatios
 */
function drawHeats ({ line, at }, queue, heatRatios) {
  const { parameter, cells, sweep: { control, kind } } = line
  const cell = cells.find(cell => cell.queue === queue && (parameter === null || cell.params[parameter] === at))
  if (!cell) return ''
  const factors = heatRatios(cell, control, kind === 'http' ? 'cpuMicrosPerRequest' : 'nsPerOp').map(ratio => 1 / ratio)
  const [low, high] = [Math.min(...factors), Math.max(...factors)]
  if (factors.length < FEWEST_DOTS || low === high) return ''
  const counts = Array.from({ length: DOTS_WIDTH }, () => 0)
  for (const factor of factors) counts[Math.round((factor - low) / (high - low) * (DOTS_WIDTH - 1))]++
  const row = counts.map(count => DOTS[Math.min(count, DOTS.length - 1)]).join('')
  return `; ${formatCount(factors.length, 'heat')}: ${formatFactor(low)} ${row} ${formatFactor(high)}`
}

/**
 * start-cancel, 10 000 timers
 *
 * @param {Place} place
 */
function whereIn ({ line, at }) {
  const { sweep: { scenario, side, runtime, onlyRuntime }, parameter, others, cells: [{ params }] } = line
  const [[name, value] = [null, null]] = parameter === null ? Object.entries({ ...others, ...params }) : [[parameter, at]]
  const size = name === null ? [] : [`${formatParam(Number(value))} ${name === 'size' ? 'timers' : name}`]
  return [scenario, ...size, ...(side ? [side] : []), ...(onlyRuntime ? [] : [`Node ${runtime}`])].join(', ')
}

/**
 * 3.1, 29, 1.05.
 *
 * @param {number} factor
 */
const formatFactor = factor => factor < 2 ? factor.toFixed(2) : factor < 10 ? factor.toFixed(1) : formatNumber(Math.round(factor))

/** Whoever continues a run names what it may start. */
const NAMED_AGAIN = ['--queue', '--runtime', '--node-flags', '--load-command', '--listen']
/** In percent: a difference of more matters. */
const WANTED_PRECISION = 3

/**
 * @param {Summary} summary
 * @param {boolean} isOpen  Only more heats can tell more.
 */
function nextStep ({ run, command, settings: { until, trace }, queues }, isOpen) {
  if (isOpen) {
    const isOwn = queues.some(({ origin }) => origin === 'user')
    const options = NAMED_AGAIN.filter(option => isOwn || option !== '--queue')
    const named = command.filter((word, i) => options.includes(command[i - 1]) || options.includes(word.split('=')[0]))
    const precision = until === undefined ? WANTED_PRECISION : 50 * until
    return commandLine(['timerq', 'run', '--resume', run, ...named, '--until', `${precision}%`]).text
  }
  if (trace) return commandLine(['timerq', 'recommend', '--trace', trace]).text
  return 'timerq record -- node app.js   (then timerq recommend: does it pay?)'
}
