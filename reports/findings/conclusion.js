/** What follows from the figures, and what they leave open. */
import { capitalise, formatNumber, formatRatio } from '../format.js'
import { metricTitle } from '../metric-names.js'
import { isMapped } from '../sweeps.js'
import { contestsOf, isApart, mapsOf, ratioOf } from './contests.js'
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
  const reigns = places.reduce((/** @type {{queue: string, from: Place, to: Place}[]} */ list, place) => {
    const last = list[list.length - 1]
    if (last?.queue === place.ranking[0].queue) return [...list.slice(0, -1), { ...last, to: place }]
    return [...list, { queue: place.ranking[0].queue, from: place, to: place }]
  }, [])
  const parts = reigns.map(({ queue, from, to }) => {
    const range = from === to ? `at ${formatNumber(Number(to.at))}` : `from ${formatNumber(Number(from.at))} to ${formatNumber(Number(to.at))}`
    const [first, second] = to.ranking
    const level = second && !isApart(first, second) ? `, level with ${second.queue}` : ''
    return `${queue} ${range} (${formatFigures(first.figures)}${level})`
  })
  return `${subject}: the least is ${parts.join(', then ')}.`
}

/** @param {ReturnType<typeof mapsOf>[0]} map */
function concludeMap ({ name, metric, swept, places }) {
  const leaders = places.map(({ ranking }) => ranking[0].queue)
  const winners = [...new Set(leaders)].map(queue => ({ queue, count: leaders.filter(leader => leader === queue).length }))
  const shares = winners.sort((a, b) => b.count - a.count).map(({ queue, count }) => `${queue} at ${count}`)
  return `${capitalise(metricTitle(metric))} on ${name}: of ${places.length} combinations of ${swept}, the least is ${shares.join(', ')}.`
}

/**
 * @param {Place} place
 * @param {string} subject
 */
function concludePlace ({ line, ranking }, subject) {
  const [first, ...rest] = ranking
  if (rest.length === 0) return `${subject}: ${first.queue} takes ${formatFigures(first.figures)}.`
  const control = ranking.find(({ queue }) => queue === line.sweep.control)
  const dearer = rest.filter(entry => isApart(first, entry))
  const level = rest.filter(entry => !dearer.includes(entry))
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
 * Who starts timers has them expire too: the phases of one cycle count together.
 *
 * @param {Contest[]} contests
 * @returns {Place[]}
 */
function joinPhases (contests) {
  const starts = contests.filter(({ metric }) => metric === 'startNsPerTimer')
  const joined = starts.flatMap(start => {
    const expire = contests.find(({ line, metric }) => metric === 'expireNsPerTimer' && line.cells === start.line.cells)
    return start.places.map(place => joinPlaces(place, expire?.places.find(({ at }) => at === place.at)))
  })
  return [...contests.filter(({ metric }) => metric === 'nsPerOp').flatMap(({ places }) => places), ...joined]
}

/**
 * @param {Place} start
 * @param {Place} [expire]
 * @returns {Place}
 */
function joinPlaces (start, expire) {
  const ranking = start.ranking.flatMap(({ queue, figures }) => {
    const more = expire?.ranking.find(entry => entry.queue === queue)?.figures
    if (!more) return []
    const { median, low, high } = figures
    return [{ queue, figures: { ...figures, median: median + more.median, low: low + more.low, high: high + more.high } }]
  }).sort((a, b) => a.figures.median - b.figures.median)
  return { ...start, metric: 'startAndExpire', ranking }
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
  const [best] = names.map(name => {
    const worst = contested.reduce((most, place) => ratioOf(place, name) > ratioOf(most, name) ? place : most)
    return { name, worst, ratio: ratioOf(worst, name) }
  }).sort((a, b) => a.ratio - b.ratio)
  if (!best) return null
  const { line, metric } = best.worst
  return `If one queue must do for everything, take ${best.name}: in ${contested.length} comparisons without a server it never ` +
    `takes more than ${formatNumber(best.ratio)} times the least (${metricTitle(metric)} on ${nameOf(line)}${at(best.worst)}), and ` +
    'no other queue stays as close everywhere.'
}

/**
 * Who leads is open where the best two are level.
 *
 * @param {Summary} summary
 * @returns {string[]}
 */
export function undecided (summary) {
  const contests = contestsOf(summary)
  const maps = mapsOf(contests).flatMap(({ name, metric, places }) => {
    const open = places.filter(({ ranking: [first, second] }) => second && !isApart(first, second))
    if (open.length === 0) return []
    return [`${capitalise(metricTitle(metric))} on ${name}: the two least are level at ${open.length} of ${places.length} combinations.`]
  })
  const curves = contests.filter(({ line }) => !isMapped(line.sweep)).flatMap(({ line, metric, places }) => {
    const open = places.filter(({ ranking: [first, second] }) => second && !isApart(first, second))
    if (open.length === 0) return []
    const pairs = open.map(({ at, ranking: [first, second] }) => `${first.queue} or ${second.queue}${at === null ? '' : ` at ${formatNumber(at)}`}`)
    return [`${capitalise(metricTitle(metric))} on ${nameOf(line)}: which is the least, ${pairs.join('; ')}? ` +
      'The intervals overlap; more rounds would tell.']
  })
  return [...curves, ...maps]
}
