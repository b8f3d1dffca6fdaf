/** Where one queue overtakes another. */
import { capitalise, formatNumber, formatParam } from '../../harness/model/numbers.js'
import { isMapped } from '../sweeps.js'
import { areApart } from './apart.js'
import { nameOf, unitOf } from './words.js'

/**
 * @typedef {import('../../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../costs.js').Entry} Entry
 * @typedef {import('./contests.js').Contest} Contest
 *
 * @typedef {object} Meeting  Two queues at one value of the swept parameter.
 * @property {number} at
 * @property {Record<string, Entry>} entries  By queue.
 * @property {string | null} cheaper  null: they tie.
 * @property {number} gap  Difference of the logarithms of their costs.
 */

/**
 * Only between queues that lead somewhere, and between these and the control.
 *
 * @param {Summary} summary
 * @param {Contest[]} contests
 * @returns {string[]}
 */
export function crossovers ({ queues }, contests) {
  return contests.flatMap(contest => {
    const leaders = new Set(contest.places.map(({ ranking }) => ranking[0].queue))
    const isCompared = (/** @type {string} */ name) => leaders.has(name) || (name === contest.line.sweep.control && !isMapped(contest.line.sweep))
    const names = queues.map(({ name }) => name).filter(isCompared)
    return names.flatMap((a, i) => names.slice(i + 1).flatMap(b => crossover(contest, a, b)))
  })
}

/**
 * @param {Contest} contest
 * @param {string} a
 * @param {string} b
 * @returns {string[]}
 */
function crossover ({ line, title, places }, a, b) {
  const subject = `${capitalise(title)} on ${nameOf(line)}`
  const meetings = places.flatMap(({ at, ranking }) => {
    const [ofA, ofB] = [a, b].map(name => ranking.find(({ queue }) => queue === name))
    return ofA && ofB && at !== null && at > 0 ? [createMeeting(at, { [a]: ofA, [b]: ofB })] : []
  })
  const decided = meetings.filter(({ cheaper }) => cheaper !== null)
  return decided.slice(1).flatMap((after, i) =>
    decided[i].cheaper === after.cheaper ? [] : [`${subject}: ${describeTurn(meetings, decided[i], after, unitOf(line.parameter))}.`])
}

/**
 * @param {number} at
 * @param {Record<string, Entry>} entries  Of two queues.
 * @returns {Meeting}
 */
function createMeeting (at, entries) {
  const [[a, ofA], [b, ofB]] = Object.entries(entries)
  const cheaper = areApart(ofA, ofB) ? a : areApart(ofB, ofA) ? b : null
  return { at, entries, cheaper, gap: Math.log(ofA.cost.median / ofB.cost.median) }
}

/**
 * Interpolates along straight lines in log-log, between the nearest sizes at which the intervals do not overlap. Holds as
 * far as they stay apart: beyond, the two may tie, or turn again.
 *
 * @param {Meeting[]} meetings
 * @param {Meeting} before
 * @param {Meeting} after
 * @param {string} unit
 */
function describeTurn (meetings, before, after, unit) {
  const [last, next] = [meetings.indexOf(before), meetings.indexOf(after)]
  const between = meetings.slice(last, next + 1).filter(({ gap }) => gap !== 0)
  const turns = between.slice(1).filter((meeting, i) => Math.sign(meeting.gap) !== Math.sign(between[i].gap))
  const [first, second] = /** @type {[string, string]} */ ([before.cheaper, after.cheaper])
  const evidence = [before, after].map(({ at, entries: { [first]: own, [second]: other } }) =>
    `${formatNumber(own.cost.median)} against ${formatNumber(other.cost.median)} ${own.figures.unit} at ${formatParam(at)}`).join('; ')
  if (turns.length > 1) {
    return `${first} costs less than ${second} at ${formatParam(before.at)} ${unit} and more at ${formatParam(after.at)}; they cross several times ` +
      `between (${evidence})`
  }
  const from = meetings[1 + meetings.findLastIndex(({ cheaper }, i) => i < last && cheaper !== first)]
  const to = /** @type {Meeting} */ (meetings.find((_, i) => i >= next && meetings[i + 1]?.cheaper !== second))
  return `${first} costs less than ${second} from ${formatParam(from.at)} to about ${round(turningPoint(between, turns[0]))} ${unit}, ` +
    `and more from there to ${formatParam(to.at)} (${evidence})`
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
 * Two digits: an interpolation is no more exact.
 *
 * @param {number} value
 */
const round = value => formatParam(Number(value.toPrecision(2)))
