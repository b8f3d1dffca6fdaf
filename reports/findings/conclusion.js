/** What follows from the figures, and what they leave open. */
import { capitalise, enumerate, formatNumber, formatParam, formatRatio, formatRatioWithInterval } from '../../harness/model/numbers.js'
import { addCosts, heatRatioOf } from '../costs.js'
import { isMapped } from '../sweeps.js'
import { countTies, describeLevel, describeTies, higherThan, isKnown, LEVEL, levelWith, tiedWith } from './apart.js'
import { entryOf, mapsOf, ratioOf } from './contests.js'
import { at, formatFigures, nameOf } from './words.js'

/**
 * @typedef {import('../../harness/judge/summary.js').Summary} Summary
 * @typedef {import('./contests.js').Place} Place
 * @typedef {import('./contests.js').Contest} Contest
 */

/**
 * @param {Summary} summary
 * @param {Contest[]} contests
 * @returns {{answer: import('../blocks.js').Answer, points: string[]}} the answer for a hurried reader, and all that it rests on
 */
export function conclusion ({ cells }, contests) {
  const allRound = allRounder(microPlaces(contests))
  const curves = contests.filter(({ line }) => !isMapped(line.sweep))
  const points = [...(allRound ? [concludeAllRound(allRound)] : []), ...curves.map(concludeContest), ...mapsOf(contests).map(concludeMap)]
  const [server] = curves.filter(({ line }) => line.sweep.kind === 'http').map(answerForServer)
  const nothing = cells.length > 0 ? 'No times were measured.' : 'Nothing was measured.'
  const [text = points[0] ?? nothing, ...reasons] = [...(allRound ? [answerForAll(allRound)] : []), ...(server ? [server] : [])]
  return { answer: { kind: 'answer', text, reasons }, points }
}

/** @param {AllRound} allRound */
function answerForAll ({ best, others }) {
  const rivals = others.filter(other => !isClearlyCloser(best, other))
  const close = rivals.filter(rival => isTie(best, rival))
  const [next] = rivals.filter(rival => !close.includes(rival))
  const mayDo = next ? ` (${next.queue} may do as well)` : ''
  const worst = describeWorst([best, ...close])
  return `Take ${namesOf([best, ...close], 'or')} if one queue must do for everything${mayDo}: ${close.length > 0
    ? `at worst they are ${worst}, a tie.`
    : best.ratio === 1 ? 'it is the fastest everywhere.' : `at worst it is ${worst}.`}`
}

/**
 * Not shown to differ, and no further apart than what is called level.
 *
 * @param {Distance} best
 * @param {Distance} other
 */
export const isTie = (best, other) => !isClearlyCloser(best, other) && other.ratio <= LEVEL * best.ratio

/**
 * A ratio that rounds to 1 is no slowness to speak of.
 *
 * @param {Distance[]} distances
 */
export function describeWorst (distances) {
  const ratios = [...new Set(distances.map(({ ratio }) => formatNumber(ratio)))]
  const slower = ratios.filter(ratio => ratio !== '1')
  if (slower.length === 0) return 'less than 1 % slower than the fastest'
  return `${slower.length < ratios.length ? 'up to ' : ''}${enumerate(slower)} times as slow as the fastest`
}

/** @param {Contest} contest */
function answerForServer ({ line, title, places }) {
  const place = places[places.length - 1]
  const [first, ...others] = place.ranking
  const subject = `${title} on ${nameOf(line)}${at(place)}`
  if (others.length === 0) return `${capitalise(subject)} is ${formatFigures(first)} with ${first.queue}.`
  const [ties, level] = [tiedWith(place), levelWith(place)]
  const unit = first.figures.unit
  const [low, high] = [first, others[others.length - 1]].map(({ cost }) => formatNumber(cost.median))
  const [lowest, highest] = ratiosAt(place)
  const range = first.cost.isRelative ? `the ratios to ${line.sweep.control} are ${lowest} to ${highest}.` : `the medians are ${low} to ${high} ${unit}.`
  if (level.length === others.length) return `All queues are level within 5 % in ${subject}: ${range}`
  if (higherThan(place).length === 0) return `No queue clearly has the lowest ${subject}: ${range}`
  const details = [
    first.cost.isRelative ? formatFigures(first) : `${low} ${unit}`,
    ...(level.length > 0 ? [`level within 5 %: ${namesOf(level)}`] : []),
    ...(ties.length > 0 ? [`${namesOf(ties)} may be as low`] : [])
  ]
  return `${first.queue} has the lowest ${subject}, ${details.join('; ')}.`
}

/**
 * Of the lowest and of the highest, to the control.
 *
 * @param {Place} place
 */
function ratiosAt ({ ranking }) {
  return [ranking[0], ranking[ranking.length - 1]].map(({ figures }) => formatRatioWithInterval(heatRatioOf(figures) ?? { median: 1, low: 1, high: 1 }))
}

/**
 * @param {{queue: string}[]} entries
 * @param {'and' | 'or'} [last]
 */
const namesOf = (entries, last) => enumerate(entries.map(({ queue }) => queue), last)

/** @param {Contest} contest */
function concludeContest ({ line, title, places }) {
  const subject = `${capitalise(title)} on ${nameOf(line)}`
  if (places.length === 1) return concludePlace(places[0], subject)
  const reigns = places.reduce((/** @type {Place[][]} */ list, place) => {
    const reign = list[list.length - 1]
    if (reign?.[0].ranking[0].queue === place.ranking[0].queue) return [...list.slice(0, -1), [...reign, place]]
    return [...list, [place]]
  }, [])
  const parts = reigns.map(reign => {
    const [from, to] = [reign[0], reign[reign.length - 1]]
    const [first] = to.ranking
    const range = from === to ? at(to) : ` from ${formatParam(Number(from.at))} to ${formatParam(Number(to.at))}`
    const details = [`${formatFigures(first)}${from === to ? '' : at(to)}`, describeLevel(reign), describeTies(reign)]
    return `${first.queue}${range} (${details.filter(Boolean).join(', ')})`
  })
  return `${subject}: the lowest is ${parts.join(', then ')}.`
}

/** @param {ReturnType<typeof mapsOf>[0]} map */
function concludeMap ({ name, title, swept, places }) {
  const leaders = [...new Set(places.map(({ ranking }) => ranking[0].queue))]
  const winners = leaders.map(queue => ({ queue, own: places.filter(({ ranking }) => ranking[0].queue === queue) }))
  const shares = winners.sort((a, b) => b.own.length - a.own.length).map(({ queue, own }) => `${queue} at ${own.length}${countTies(own)}`)
  return `${capitalise(title)} on ${name}: of ${places.length} combinations of ${swept}, the lowest is ${shares.join(', ')}.`
}

/**
 * @param {Place} place
 * @param {string} subject
 */
function concludePlace (place, subject) {
  const [first, ...others] = place.ranking
  if (others.length === 0) return `${subject}: ${first.queue} takes ${formatFigures(first)}.`
  const control = place.ranking.find(({ queue }) => queue === place.line.sweep.control)
  const [ties, level, higher] = [tiedWith(place), levelWith(place), higherThan(place)]
  const last = others[others.length - 1]
  if (higher.length === 0) {
    const verdict = ties.length === 0 ? 'all queues are level within 5 %' : 'no clear winner'
    const [lowest, highest] = ratiosAt(place)
    return first.cost.isRelative
      ? `${subject}: ${verdict}; the ratios to ${place.line.sweep.control} lie between ${lowest} (${first.queue}) and ${highest} (${last.queue}).`
      : `${subject}: ${verdict}; the medians lie between ${formatFigures(first)} (${first.queue}) and ${formatFigures(last)} (${last.queue}).`
  }
  const parts = [
    `${first.queue} ${first.cost.isRelative ? 'is the lowest' : 'has the lowest median'}, ${formatFigures(first)}`,
    ...(level.length > 0 ? [`level within 5 %: ${namesOf(level)}`] : []),
    ...(ties.length > 0 ? [`tied with ${namesOf(ties)}`] : []),
    `clearly higher: ${higher.map(({ queue, cost }) => `${queue} (${formatRatio(cost.median / first.cost.median)})`).join(', ')}`,
    ...(control && control !== first ? [`the control, ${control.queue}, takes ${formatFigures(control)}`] : [])
  ]
  return `${subject}: ${parts.join('; ')}.`
}

/**
 * Every timer that starts also expires or is cancelled, and every caller of nextExpiry also calls advance: the phases of one
 * cycle count together.
 */
const CYCLES = [
  { title: 'time to start and expire a timer', phases: ['startNsPerTimer', 'expireNsPerTimer'] },
  { title: 'time to ask when the next timer is due and to look for due ones', phases: ['nextExpiryNsPerCall', 'advanceNsPerCall'] }
]

/**
 * Where queues compete without a server, the phases of a cycle together.
 *
 * @param {Contest[]} all
 * @returns {Place[]}
 */
export function microPlaces (all) {
  const contests = all.filter(({ line }) => line.sweep.kind === 'micro')
  const joined = CYCLES.flatMap(({ title, phases: [one, other] }) => contests.flatMap(({ line, metric: phase, places }) => {
    if (phase !== one) return []
    const partner = contests.find(contest => contest.metric === other && contest.line.cells === line.cells)
    return places.map(place => joinPlaces(title, place, partner?.places.find(({ at }) => at === place.at)))
  }))
  return [...contests.filter(({ metric }) => metric === 'nsPerOp').flatMap(({ places }) => places), ...joined]
}

/**
 * @param {string} title
 * @param {Place} one
 * @param {Place} [other]
 * @returns {Place}
 */
function joinPlaces (title, one, other) {
  const ranking = one.ranking.flatMap(entry => {
    const { queue, figures, cost } = entry
    const more = other?.ranking.find(entry => entry.queue === queue)
    if (!more) return []
    const isRelative = cost.isRelative && more.cost.isRelative
    return [{ queue, figures: addCosts(figures, more.figures), cost: { ...addCosts(cost, more.cost), isRelative } }]
  }).sort((a, b) => a.cost.median - b.cost.median)
  return { ...one, title, ranking }
}

/**
 * @typedef {object} Distance  How far from the fastest a queue is where it is furthest.
 * @property {string} queue
 * @property {Place} worst
 * @property {number} ratio
 * @property {number} low  Bounds of the ratio, by the intervals.
 * @property {number} high
 *
 * @typedef {{best: Distance, others: Distance[], comparisons: number}} AllRound
 */

/**
 * The queue that is never far from the fastest, if only one may be chosen.
 *
 * @param {Place[]} places
 * @returns {AllRound | null}
 */
export function allRounder (places) {
  const contested = places.filter(({ ranking }) => ranking.length > 1)
  if (contested.length < 2) return null
  const isEverywhere = (/** @type {string} */ name) => contested.every(({ ranking }) => ranking.some(({ queue }) => queue === name))
  const names = contested[0].ranking.map(({ queue }) => queue).filter(isEverywhere)
  const [best, ...others] = names.map(name => distanceOf(contested, name)).sort((a, b) => a.ratio - b.ratio)
  return best ? { best, others, comparisons: contested.length } : null
}

/** @param {AllRound} allRound */
function concludeAllRound ({ best, others, comparisons }) {
  const text = `If one queue must do for everything, take ${best.queue}: in ${comparisons} comparisons without a server it is ${describeDistance(best)}.`
  if (others.length === 0) return `${text} No other queue was measured in all of them.`
  if (others.every(other => isClearlyCloser(best, other))) return `${text} No other queue stays as close everywhere.`
  return `${text} Another may stay as close: ${others[0].queue} is ${describeDistance(others[0])}.`
}

/**
 * @param {Distance} best
 * @param {Distance} other
 */
export const isClearlyCloser = (best, other) => other.low > best.high

/**
 * @param {Place[]} places
 * @param {string} queue
 * @returns {Distance}
 */
function distanceOf (places, queue) {
  const worst = places.reduce((most, place) => ratioOf(place, queue) > ratioOf(most, queue) ? place : most)
  const bounds = places.map(place => {
    const { low, high, ...own } = entryOf(place, queue).cost
    const others = place.ranking.filter(entry => entry.queue !== queue).map(({ cost }) => cost)
    if (!isKnown(own) || !others.every(isKnown)) return { low: 1, high: Infinity }
    return { low: low / Math.min(...others.map(({ high }) => high)), high: high / Math.min(...others.map(({ low }) => low)) }
  })
  const [low, high] = [Math.max(...bounds.map(({ low }) => low)), Math.max(1, ...bounds.map(({ high }) => high))]
  return { queue, worst, ratio: ratioOf(worst, queue), low, high }
}

/** @param {Distance} distance */
function describeDistance (distance) {
  const { worst, ratio } = distance
  if (ratio === 1) return 'the fastest everywhere'
  return `at worst ${describeWorst([distance])} (${worst.title} on ${nameOf(worst.line)}${at(worst)})`
}

/**
 * Where others tie with the lowest, the winner is open.
 *
 * @param {Contest[]} contests
 * @returns {string[]}
 */
export function undecided (contests) {
  const isOpen = (/** @type {Place} */ place) => tiedWith(place).length > 0
  const maps = mapsOf(contests).flatMap(({ name, title, places }) => {
    const open = places.filter(isOpen)
    if (open.length === 0) return []
    return [`${capitalise(title)} on ${name}: others tie with the lowest at ${open.length} of ${places.length} combinations.`]
  })
  const curves = contests.filter(({ line }) => !isMapped(line.sweep)).flatMap(({ line, title, places }) => {
    const open = places.filter(isOpen)
    if (open.length === 0) return []
    const candidates = open.map(place => `${enumerate([place.ranking[0], ...tiedWith(place)].map(({ queue }) => queue), 'or')}${at(place)}`)
    return [`${capitalise(title)} on ${nameOf(line)}: which is lowest, ${candidates.join('; ')}? ${whyOpen(open)}; more rounds are needed.`]
  })
  return [...curves, ...maps]
}

/** @param {Place[]} places */
function whyOpen (places) {
  const candidates = places.map(place => [place.ranking[0], ...tiedWith(place)])
  const isSingle = (/** @type {import('../costs.js').Entry[]} */ entries) => entries.some(({ cost }) => cost.n === 1)
  if (candidates.every(isSingle)) return 'One sample has no interval'
  if (candidates.flat().some(({ cost }) => cost.isRelative && cost.n === 2)) return 'Two heats show gross differences only'
  return candidates.some(isSingle) ? 'The intervals overlap, or are missing where there is one sample' : 'The intervals overlap'
}
