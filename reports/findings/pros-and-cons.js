/** What speaks for each queue and what speaks against it, each sentence with its figures. */
import { capitalise, formatNumber, formatParam, formatRatio } from '../../harness/model/numbers.js'
import { growthAlong, isMapped, linesOf, sweepsOf } from '../sweeps.js'
import { areApart, countTies, describeLevel, describeTies, higherThan, levelWith, tiedWith } from './apart.js'
import { entryOf, mapsOf, ratioOf } from './contests.js'
import { gather } from './gather.js'
import { at, formatFigures, nameOf, unitOf, whereIs } from './words.js'

/**
 * @typedef {import('../../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../sweeps.js').Line} Line
 * @typedef {import('./contests.js').Place} Place
 * @typedef {import('./contests.js').Contest} Contest
 *
 * @typedef {{pro?: string, con?: string}} Said
 */

/** Ratios to the lowest: up to SAME nobody would notice, up to NEAR nobody would change the queue for it. */
const SAME = 1.1
export const NEAR = 1.3
/** Exponents of growth: below FLAT a cost does not depend on the pending timers, from STEEP on it does. */
const FLAT = 0.12
const STEEP = 0.5
/** Where the exponent of time exceeds that of work by this much, more executed code does not explain it. */
const FASTER_THAN_WORK = 0.3

/**
 * @param {Summary} summary
 * @param {Contest[]} contests
 * @returns {{queue: string, pros: string[], cons: string[]}[]} in the order of the run
 */
export function prosAndCons (summary, contests) {
  const lines = sweepsOf(summary).flatMap(linesOf)
  const curves = lines.filter(({ sweep }) => !isMapped(sweep))
  const maps = mapsOf(contests)
  return summary.queues.map(({ name: queue }) => {
    /** @type {Said[]} */
    const said = [
      ...contests.filter(({ line }) => !isMapped(line.sweep)).flatMap(contest => standing(contest, queue)),
      ...maps.flatMap(map => territory(map, queue)),
      ...curves.flatMap(line => growth(line, queue, summary)),
      ...memory(lines, queue),
      ...gather(summary.skipped.filter(cell => cell.queue === queue)).map(({ place, reason }) => con(`Not measured on ${place}: ${reason}.`))
    ]
    return { queue, pros: said.flatMap(({ pro }) => pro ?? []), cons: said.flatMap(({ con }) => con ?? []) }
  })
}

/**
 * @param {Contest} contest
 * @param {string} queue
 * @returns {Said[]}
 */
function standing ({ line, title, places }, queue) {
  const own = places.filter(place => isContested(place, queue))
  if (!own.some(isDecided)) return []
  const subject = `${capitalise(title)} on ${nameOf(line)}`
  const leading = own.filter(({ ranking }) => ranking[0].queue === queue)
  const dear = own.filter(place => isDear(place, queue))
  /** @type {Said[]} */
  const said = []
  if (leading.length > 0) {
    const last = leading[leading.length - 1]
    const [first, second] = last.ranking
    const ratio = formatRatio(first.cost.median / second.cost.median)
    const lead = tiedWith(last).length + levelWith(last).length === 0 ? `, ${ratio} that of ${second.queue}, the next` : ''
    const figures = `${formatFigures(first)}${at(last)}${lead}`
    const details = [figures, describeLevel(leading), describeTies(leading)].filter(Boolean).join('; ')
    said.push(pro(`${subject}: lowest${whereAmong(leading, places)}, ${details}.`))
  } else if (own.every(place => ratioOf(place, queue) <= NEAR)) {
    const last = own[own.length - 1]
    const [lowest] = last.ranking
    said.push(pro(`${subject}: near the lowest${whereAmong(own, places)}, ${takes(last, queue)} against ` +
      `${formatFigures(lowest)} of ${lowest.queue}.`))
  }
  if (dear.length > 0) {
    const worst = worstFor(dear, queue)
    said.push(con(`${subject}: ${takes(worst, queue)}, ${timesTheLowest(worst, queue)}.`))
  }
  return said
}

/**
 * @param {Place} place
 * @param {string} queue
 */
const isContested = ({ ranking }, queue) => ranking.length > 1 && ranking.some(entry => entry.queue === queue)

/**
 * Where all queues tie or are level, nothing speaks for or against any of them.
 *
 * @param {Place} place
 */
const isDecided = place => higherThan(place).length > 0

/**
 * Clearly higher than the lowest, and not near it.
 *
 * @param {Place} place
 * @param {string} queue
 */
const isDear = (place, queue) => ratioOf(place, queue) > NEAR && areApart(place.ranking[0], entryOf(place, queue))

/**
 * @param {Place[]} places
 * @param {string} queue
 */
const worstFor = (places, queue) => places.reduce((worst, place) => ratioOf(place, queue) > ratioOf(worst, queue) ? place : worst)

/**
 * @param {Place} place
 * @param {string} queue
 */
const takes = (place, queue) => `${formatFigures(entryOf(place, queue))}${at(place)}`

/**
 * @param {Place} place
 * @param {string} queue
 */
const timesTheLowest = (place, queue) => `${formatNumber(ratioOf(place, queue))} times the lowest (${place.ranking[0].queue})`

/**
 * How much of a map is a queue's.
 *
 * @param {ReturnType<typeof mapsOf>[0]} map
 * @param {string} queue
 * @returns {Said[]}
 */
function territory ({ name, title, swept, places }, queue) {
  const own = places.filter(place => isContested(place, queue))
  if (!own.some(isDecided)) return []
  const leading = own.filter(({ ranking }) => ranking[0].queue === queue)
  const dear = own.filter(place => isDear(place, queue))
  const furthest = ratioOf(worstFor(own, queue), queue)
  const subject = `${capitalise(title)} on ${name}`
  /** @type {Said[]} */
  const said = []
  if (leading.length > 0) {
    said.push(pro(`${subject}: lowest at ${leading.length} of ${places.length} combinations of ${swept}${countTies(leading)}.`))
  } else if (furthest <= NEAR) {
    said.push(pro(`${subject}: at most ${formatNumber(furthest)} times the lowest.`))
  }
  if (dear.length > 0) {
    const worst = worstFor(dear, queue)
    const figures = formatFigures(entryOf(worst, queue))
    said.push(con(`${subject}: up to ${timesTheLowest(worst, queue)}, at ${whereIs(worst)}: ${figures}.`))
  }
  return said
}

/**
 * By counted work, which has no noise; and by time, where it grows faster than the executed code explains.
 *
 * @param {Line} line
 * @param {string} queue
 * @param {Summary} summary
 * @returns {Said[]}
 */
function growth (line, queue, summary) {
  const [work, time] = ['workPerOp', 'nsPerOp'].map(metric => growthAlong(summary, line, queue, metric))
  if (!work) return []
  const { parameter, exponent } = work
  const [first, last] = endsOf(line, queue, 'workPerOp')
  const range = [first, last].map(({ value, x }) => `${formatNumber(value)} at ${formatParam(x)}`).join(', ') + ' (basic blocks per operation)'
  /** @type {Said[]} */
  const said = []
  const grows = last.value / first.value < SAME ? 'does not grow' : 'hardly grows'
  if (exponent < FLAT) said.push(pro(`Work on ${nameOf(line)} ${grows} with ${unitOf(parameter)}: ${range}.`))
  if (exponent >= STEEP) said.push(con(`Work on ${nameOf(line)} grows as n^${exponent.toFixed(1)} with ${unitOf(parameter)}: ${range}.`))
  if (time && time.low > exponent && time.exponent > exponent + FASTER_THAN_WORK) {
    const [fast, slow] = endsOf(line, queue, 'nsPerOp')
    said.push(con(`Time on ${nameOf(line)} grows faster than work, ${formatNumber(fast.value)} ns at ${formatParam(fast.x)} and ` +
      `${formatNumber(slow.value)} at ${formatParam(slow.x)}: memory, or built-in functions that work does not count.`))
  }
  return said
}

/**
 * At the largest size, where the fixed cost of a queue weighs least.
 *
 * @param {Line[]} lines
 * @param {string} queue
 * @returns {Said[]}
 */
function memory (lines, queue) {
  const measured = lines.flatMap(line => line.cells.filter(({ metrics }) => metrics.bytesPerTimer).map(cell =>
    ({ line, cell, at: line.parameter === null ? 0 : cell.params[line.parameter], bytes: cell.metrics.bytesPerTimer.median })))
  const own = measured.filter(({ cell }) => cell.queue === queue).sort((a, b) => b.at - a.at || b.bytes - a.bytes)
  if (own.length === 0) return []
  const [worst] = own
  const lowest = measured.filter(({ line, at }) => line === worst.line && at === worst.at).sort((a, b) => a.bytes - b.bytes)[0]
  const where = `on ${nameOf(worst.line)}${worst.line.parameter ? ` at ${formatParam(worst.at)}` : ''}`
  const ratio = worst.bytes / lowest.bytes
  if (ratio <= SAME) return [pro(`Memory: ${formatNumber(worst.bytes)} bytes a pending timer ${where}, the lowest or within a tenth of it.`)]
  if (ratio <= NEAR) return []
  return [con(`Memory: ${formatNumber(worst.bytes)} bytes a pending timer ${where}, ${formatNumber(ratio)} times the lowest (${lowest.cell.queue}).`)]
}

/**
 * @param {Line} line  Swept.
 * @param {string} queue
 * @param {string} metric
 */
function endsOf ({ parameter, cells }, queue, metric) {
  const points = cells.filter(cell => cell.queue === queue && cell.metrics[metric] && cell.params[/** @type {string} */ (parameter)] > 0)
    .map(({ params, metrics }) => ({ x: params[/** @type {string} */ (parameter)], value: metrics[metric].median }))
    .sort((a, b) => a.x - b.x)
  return [points[0], points[points.length - 1]]
}

/**
 * @param {Place[]} some
 * @param {Place[]} all
 */
function whereAmong (some, all) {
  if (all.length === 1) return ''
  if (some.length === all.length) return ` at every value of ${all[0].line.parameter}`
  return some.length === 1 ? '' : at(...some)
}

/** @param {string} text */
const pro = text => ({ pro: text })

/** @param {string} text */
const con = text => ({ con: text })
