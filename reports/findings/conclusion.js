/** What follows from the figures, and what they leave open. */
import { capitalise, enumerate, formatNumber, formatParam, formatRatio } from '../../harness/model/numbers.js'
import { metricTitle } from '../metric-names.js'
import { isMapped } from '../sweeps.js'
import { contestsOf, entryOf, mapsOf, ratioOf } from './contests.js'
import { countLevel, describeLevel, levelWith } from './level.js'
import { at, formatFigures, nameOf } from './words.js'

/**
 * @typedef {import('../../harness/summary.js').Summary} Summary
 * @typedef {import('./contests.js').Place} Place
 * @typedef {import('./contests.js').Contest} Contest
 */

/**
 * @param {Summary} summary
 * @returns {{short: string, points: string[]}}
 */
export function conclusion (summary) {
  const contests = contestsOf(summary)
  const micro = contests.filter(({ line }) => line.sweep.kind === 'micro')
  const allRound = allRounder(joinPhases(micro))
  const curves = contests.filter(({ line }) => !isMapped(line.sweep))
  const points = [...(allRound ? [allRound] : []), ...curves.map(concludeContest), ...mapsOf(contests).map(concludeMap)]
  const [server] = curves.filter(({ line }) => line.sweep.kind === 'http').map(concludeContest)
  const nothing = summary.cells.length > 0 ? 'No times were measured.' : 'Nothing was measured.'
  return { short: [allRound, server].filter(Boolean).join(' ') || points[0] || nothing, points }
}

/** @param {Contest} contest */
function concludeContest ({ line, metric, places }) {
  const subject = `${capitalise(metricTitle(metric))} on ${nameOf(line)}`
  if (places.length === 1) return concludePlace(places[0], subject)
  const reigns = places.reduce((/** @type {Place[][]} */ list, place) => {
    const reign = list[list.length - 1]
    if (reign?.[0].ranking[0].queue === place.ranking[0].queue) return [...list.slice(0, -1), [...reign, place]]
    return [...list, [place]]
  }, [])
  const parts = reigns.map(reign => {
    const [from, to] = [reign[0], reign[reign.length - 1]]
    const [{ queue, figures }] = to.ranking
    const range = from === to ? at(to) : ` from ${formatParam(Number(from.at))} to ${formatParam(Number(to.at))}`
    const told = [`${formatFigures(figures)}${from === to ? '' : at(to)}`, describeLevel(reign)]
    return `${queue}${range} (${told.filter(Boolean).join(', ')})`
  })
  return `${subject}: the least is ${parts.join(', then ')}.`
}

/** @param {ReturnType<typeof mapsOf>[0]} map */
function concludeMap ({ name, metric, swept, places }) {
  const leaders = [...new Set(places.map(({ ranking }) => ranking[0].queue))]
  const winners = leaders.map(queue => ({ queue, own: places.filter(({ ranking }) => ranking[0].queue === queue) }))
  const shares = winners.sort((a, b) => b.own.length - a.own.length).map(({ queue, own }) => `${queue} at ${own.length}${countLevel(own)}`)
  return `${capitalise(metricTitle(metric))} on ${name}: of ${places.length} combinations of ${swept}, the least is ${shares.join(', ')}.`
}

/**
 * @param {Place} place
 * @param {string} subject
 */
function concludePlace (place, subject) {
  const [first, ...rest] = place.ranking
  if (rest.length === 0) return `${subject}: ${first.queue} takes ${formatFigures(first.figures)}.`
  const control = place.ranking.find(({ queue }) => queue === place.line.sweep.control)
  const level = levelWith(place)
  const dearer = rest.filter(entry => !level.includes(entry))
  const dearest = rest[rest.length - 1]
  if (dearer.length === 0) {
    return `${subject}: no queue is shown to differ from the one with the lowest median; medians lie between ` +
      `${formatFigures(first.figures)} (${first.queue}) and ${formatFigures(dearest.figures)} (${dearest.queue}).`
  }
  const parts = [
    `${first.queue} has the lowest median, ${formatFigures(first.figures)}`,
    ...(level.length > 0 ? [`not shown to differ from it: ${level.map(({ queue }) => queue).join(', ')}`] : []),
    `dearer: ${dearer.map(({ queue, figures }) => `${queue} (${formatRatio(figures.median / first.figures.median)})`).join(', ')}`,
    ...(control && control !== first ? [`the control, ${control.queue}, takes ${formatFigures(control.figures)}`] : [])
  ]
  return `${subject}: ${parts.join('; ')}.`
}

/**
 * Who starts timers has them expire too, and who asks when the next one is due looks for due ones: the phases of one
 * cycle count together.
 */
const CYCLES = [
  { metric: 'startAndExpire', phases: ['startNsPerTimer', 'expireNsPerTimer'] },
  { metric: 'nextExpiryAndAdvance', phases: ['nextExpiryNsPerCall', 'advanceNsPerCall'] }
]

/**
 * @param {Contest[]} contests
 * @returns {Place[]}
 */
function joinPhases (contests) {
  const joined = CYCLES.flatMap(({ metric, phases: [one, other] }) => contests.flatMap(({ line, metric: phase, places }) => {
    if (phase !== one) return []
    const rest = contests.find(contest => contest.metric === other && contest.line.cells === line.cells)
    return places.map(place => joinPlaces(metric, place, rest?.places.find(({ at }) => at === place.at)))
  }))
  return [...contests.filter(({ metric }) => metric === 'nsPerOp').flatMap(({ places }) => places), ...joined]
}

/**
 * @param {string} metric
 * @param {Place} one
 * @param {Place} [other]
 * @returns {Place}
 */
function joinPlaces (metric, one, other) {
  const ranking = one.ranking.flatMap(({ queue, figures }) => {
    const more = other?.ranking.find(entry => entry.queue === queue)?.figures
    if (!more) return []
    const { median, low, high, n } = figures
    return [{ queue, figures: { ...figures, median: median + more.median, low: low + more.low, high: high + more.high, n: Math.min(n, more.n) } }]
  }).sort((a, b) => a.figures.median - b.figures.median)
  return { ...one, metric, ranking }
}

/**
 * The queue that is never far from the best, if only one may be chosen.
 *
 * @param {Place[]} places
 */
function allRounder (places) {
  const contested = places.filter(({ ranking }) => ranking.length > 1)
  if (contested.length < 2) return null
  const isEverywhere = (/** @type {string} */ name) => contested.every(({ ranking }) => ranking.some(({ queue }) => queue === name))
  const names = contested[0].ranking.map(({ queue }) => queue).filter(isEverywhere)
  const [best, ...others] = names.map(name => strayingOf(contested, name)).sort((a, b) => a.ratio - b.ratio)
  if (!best) return null
  const text = `If one queue must do for everything, take ${best.queue}: in ${contested.length} comparisons without a server it never ` +
    `takes more than ${describeStraying(best)}`
  if (others.length === 0) return `${text}; no other queue was measured in all of them.`
  if (others.every(({ low }) => low > best.high)) return `${text}, and no other queue stays as close everywhere.`
  return `${text}. Whether another stays as close is open: the next, ${others[0].queue}, takes up to ${describeStraying(others[0])}.`
}

/**
 * How far from the least a queue is where it is furthest, and by the intervals between what bounds.
 *
 * @param {Place[]} places
 * @param {string} queue
 */
function strayingOf (places, queue) {
  const worst = places.reduce((most, place) => ratioOf(place, queue) > ratioOf(most, queue) ? place : most)
  const bounds = places.map(place => {
    const { low, high, n } = entryOf(place, queue).figures
    const others = place.ranking.filter(entry => entry.queue !== queue).map(({ figures }) => figures)
    // One sample bounds nothing.
    if (n === 1 || others.some(({ n }) => n === 1)) return { low: 1, high: Infinity }
    return { low: low / Math.min(...others.map(({ high }) => high)), high: high / Math.min(...others.map(({ low }) => low)) }
  })
  const [low, high] = [Math.max(...bounds.map(({ low }) => low)), Math.max(1, ...bounds.map(({ high }) => high))]
  return { queue, worst, ratio: ratioOf(worst, queue), low, high }
}

/** @param {ReturnType<typeof strayingOf>} straying */
function describeStraying ({ worst, ratio }) {
  return `${formatNumber(ratio)} times the least (${metricTitle(worst.metric)} on ${nameOf(worst.line)}${at(worst)})`
}

/**
 * Who leads is open where others are level with the least.
 *
 * @param {Summary} summary
 * @returns {string[]}
 */
export function undecided (summary) {
  const contests = contestsOf(summary)
  const isOpen = (/** @type {Place} */ place) => levelWith(place).length > 0
  const maps = mapsOf(contests).flatMap(({ name, metric, places }) => {
    const open = places.filter(isOpen)
    if (open.length === 0) return []
    return [`${capitalise(metricTitle(metric))} on ${name}: others are level with the least at ${open.length} of ${places.length} combinations.`]
  })
  const curves = contests.filter(({ line }) => !isMapped(line.sweep)).flatMap(({ line, metric, places }) => {
    const open = places.filter(isOpen)
    if (open.length === 0) return []
    const candidates = open.map(place => `${enumerate([place.ranking[0], ...levelWith(place)].map(({ queue }) => queue), 'or')}${at(place)}`)
    return [`${capitalise(metricTitle(metric))} on ${nameOf(line)}: which is the least, ${candidates.join('; ')}? ${whyOpen(open)}; more rounds would tell.`]
  })
  return [...curves, ...maps]
}

/** @param {Place[]} places */
function whyOpen (places) {
  const isSingle = (/** @type {Place} */ place) => [place.ranking[0], ...levelWith(place)].some(({ figures }) => figures.n === 1)
  if (places.every(isSingle)) return 'One sample has no interval'
  return places.some(isSingle) ? 'The intervals overlap, or are missing for want of samples' : 'The intervals overlap'
}
