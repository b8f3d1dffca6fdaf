/** Where one queue overtakes another. */
import { capitalise, formatNumber } from '../format.js'
import { metricTitle } from '../metric-names.js'
import { isMapped } from '../sweeps.js'
import { contestsOf, isApart } from './contests.js'
import { nameOf, unitOf } from './words.js'

/**
 * @typedef {import('../../harness/summary.js').Summary} Summary
 * @typedef {import('./contests.js').Contest} Contest
 */

/**
 * Where one queue overtakes another: of those that lead somewhere, and against the control.
 *
 * @param {Summary} summary
 * @returns {string[]}
 */
export function crossovers (summary) {
  return contestsOf(summary).flatMap(contest => {
    const leaders = new Set(contest.places.map(({ ranking }) => ranking[0].queue))
    const names = summary.queues.map(({ name }) => name)
    const isTold = (/** @type {string} */ name) => leaders.has(name) || (name === contest.line.sweep.control && !isMapped(contest.line.sweep))
    return names.flatMap((a, i) => names.slice(i + 1).flatMap(b => isTold(a) && isTold(b) ? crossover(contest, a, b) : []))
  })
}

/**
 * Interpolated between the sizes nearest to it at which the intervals are apart, along straight lines in log-log.
 *
 * @param {Contest} contest
 * @param {string} a
 * @param {string} b
 * @returns {string[]}
 */
function crossover ({ line, metric, places }, a, b) {
  const shared = places.flatMap(({ at, ranking }) => {
    const [ofA, ofB] = [a, b].map(name => ranking.find(({ queue }) => queue === name))
    return ofA && ofB && at !== null && at > 0 ? [{ at, a: ofA, b: ofB, gap: Math.log(ofA.figures.median / ofB.figures.median) }] : []
  })
  const apart = shared.filter(({ a, b }) => isApart(a, b) || isApart(b, a))
  return apart.slice(1).flatMap((after, i) => {
    const before = apart[i]
    if (Math.sign(before.gap) === Math.sign(after.gap)) return []
    const between = shared.slice(shared.indexOf(before), shared.indexOf(after) + 1).filter(({ gap }) => gap !== 0)
    const turns = between.slice(1).filter((point, j) => Math.sign(point.gap) !== Math.sign(between[j].gap))
    const [first, second] = before.gap < 0 ? [a, b] : [b, a]
    const figures = (/** @type {typeof after} */ point) => {
      const [low, high] = before.gap < 0 ? [point.a, point.b] : [point.b, point.a]
      return `${formatNumber(low.figures.median)} against ${formatNumber(high.figures.median)} ${low.figures.unit} at ${formatNumber(point.at)}`
    }
    const where = turns.length === 1
      ? `about ${round(turningPoint(between, turns[0]))}`
      : `somewhere between ${formatNumber(before.at)} and ${formatNumber(after.at)}`
    return [`${capitalise(metricTitle(metric))} on ${nameOf(line)}: below ${where} ${unitOf(line.parameter)} ${first} is ` +
      `cheaper than ${second}, above it dearer (${figures(before)}; ${figures(after)}).`]
  })
}

/**
 * @param {{at: number, gap: number}[]} points
 * @param {{at: number, gap: number}} after
 */
function turningPoint (points, after) {
  const before = points[points.indexOf(after) - 1]
  const share = before.gap / (before.gap - after.gap)
  return Math.exp(Math.log(before.at) + share * Math.log(after.at / before.at))
}

/**
 * Two digits: an interpolation promises no more.
 *
 * @param {number} value
 */
const round = value => formatNumber(Number(value.toPrecision(2)))
