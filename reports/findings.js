/**
 * What the figures say, in sentences: where each queue is cheap and where it is dear, where one overtakes another, and
 * what follows. Every sentence carries its figures. "Cheaper" and "dearer" are said only where the intervals are
 * apart; else the two are called level.
 */
import { formatInterval, formatNumber, formatParams, formatRatio } from './format.js'
import { metricTitle } from './metric-names.js'
import { isMapped, linesOf, sweepsOf } from './sweeps.js'

/**
 * @typedef {import('../harness/summary.js').Summary} Summary
 * @typedef {import('../harness/summary.js').CellSummary} CellSummary
 * @typedef {import('../harness/summary.js').MetricSummary} MetricSummary
 * @typedef {import('./sweeps.js').Line} Line
 *
 * @typedef {object} Place  The queues against each other on one metric, everything else the same.
 * @property {Line} line
 * @property {string} metric
 * @property {number | null} at  Of the swept parameter.
 * @property {Entry[]} ranking  The cheapest first.
 *
 * @typedef {{queue: string, figures: MetricSummary}} Entry
 *
 * @typedef {object} Contest  The places along one line.
 * @property {Line} line
 * @property {string} metric
 * @property {Place[]} places
 *
 * @typedef {{pro?: string, con?: string}} Said
 */

/** What a queue costs in time; lower is better. */
const TIMED = ['nsPerOp', 'startNsPerTimer', 'expireNsPerTimer', 'cpuMicrosPerRequest']
/** Up to this, nobody would change the queue for it. */
const NEAR = 1.3
const SAME = 1.1
const FAR = 2
/** Exponents of growth: below the one a cost is flat, from the other on it is a matter of pending timers. */
const FLAT = 0.12
const STEEP = 0.5
/** What grows so much faster in time than in work does not do so by executing more code. */
const FASTER_THAN_WORK = 0.3

/** @param {Summary} summary */
export function contestsOf (summary) {
  return sweepsOf(summary).flatMap(linesOf).flatMap(line => TIMED.flatMap(metric => contestOf(line, metric)))
}

/**
 * @param {Line} line
 * @param {string} metric
 * @returns {Contest[]}
 */
function contestOf (line, metric) {
  const hasPhases = line.cells.some(({ metrics }) => metrics.startNsPerTimer)
  if (metric === 'nsPerOp' && hasPhases) return []
  const { parameter, values, cells } = line
  const places = (parameter === null ? [null] : values).flatMap(at => {
    const here = cells.filter(({ params, metrics }) => metrics[metric] && (at === null || params[/** @type {string} */ (parameter)] === at))
    const ranking = here.map(({ queue, metrics }) => ({ queue, figures: metrics[metric] })).sort((a, b) => a.figures.median - b.figures.median)
    return ranking.length === 0 ? [] : [{ line, metric, at, ranking }]
  })
  return places.length === 0 ? [] : [{ line, metric, places }]
}

/**
 * @param {Summary} summary
 * @returns {{queue: string, pros: string[], cons: string[]}[]} in the order of the run
 */
export function prosAndCons (summary) {
  const contests = contestsOf(summary)
  const lines = sweepsOf(summary).flatMap(linesOf)
  const curves = lines.filter(({ sweep }) => !isMapped(sweep))
  const maps = mapsOf(contests)
  return summary.queues.map(({ name: queue }) => {
    /** @type {Said[]} */
    const said = [
      ...contests.filter(({ line }) => !isMapped(line.sweep)).flatMap(contest => standing(contest, queue)),
      ...maps.flatMap(map => territory(map, queue)),
      ...curves.flatMap(line => growth(line, queue)),
      ...memory(lines, queue),
      ...summary.skipped.filter(cell => cell.queue === queue).map(({ scenario, params, reason }) =>
        con(`Not measured on ${scenario}, ${formatParams(params)}: ${reason}.`))
    ]
    return { queue, pros: said.flatMap(({ pro }) => pro ?? []), cons: said.flatMap(({ con }) => con ?? []) }
  })
}

/**
 * @param {Contest} contest
 * @param {string} queue
 * @returns {Said[]}
 */
function standing ({ line, metric, places }, queue) {
  const own = places.filter(({ ranking }) => ranking.length > 1 && ranking.some(entry => entry.queue === queue))
  // Where nothing is apart from anything, nothing speaks for a queue or against it.
  if (!own.some(({ ranking: [first, ...rest] }) => rest.some(entry => isApart(first, entry)))) return []
  const subject = `${capitalise(metricTitle(metric))} on ${nameOf(line)}`
  const leading = own.filter(({ ranking }) => ranking[0].queue === queue)
  const trailing = own.filter(place => ratioOf(place, queue) >= FAR && isApart(place.ranking[0], entryOf(place, queue)))
  /** @type {Said[]} */
  const said = []
  if (leading.length > 0) {
    const place = leading[leading.length - 1]
    const [first, second] = place.ranking
    const lead = isApart(first, second)
      ? `${formatRatio(first.figures.median / second.figures.median)} that of ${second.queue}, the next`
      : `level with ${second.queue}, ${formatFigures(second.figures)}`
    said.push(pro(`${subject}: the least${whereAmong(leading, own)}, ${formatFigures(first.figures)}${at(place)}, ${lead}.`))
  } else if (own.every(place => ratioOf(place, queue) <= NEAR || !isApart(place.ranking[0], entryOf(place, queue)))) {
    const place = own[own.length - 1]
    said.push(pro(`${subject}: near the least${own.length > 1 ? ' everywhere' : ''}, ${formatFigures(entryOf(place, queue).figures)}${at(place)} against ${formatFigures(place.ranking[0].figures)} of ${place.ranking[0].queue}.`))
  }
  if (trailing.length > 0) {
    const place = trailing.reduce((worst, each) => ratioOf(each, queue) > ratioOf(worst, queue) ? each : worst)
    said.push(con(`${subject}: ${formatFigures(entryOf(place, queue).figures)}${at(place)}, ${formatNumber(ratioOf(place, queue))} times the least (${place.ranking[0].queue}).`))
  } else if (own.length === 1 && isApart(own[0].ranking[0], entryOf(own[0], queue)) && ratioOf(own[0], queue) > NEAR) {
    said.push(con(`${subject}: ${formatFigures(entryOf(own[0], queue).figures)}, ${formatNumber(ratioOf(own[0], queue))} times the least (${own[0].ranking[0].queue}).`))
  }
  return said
}

/**
 * The contests of each scenario that is swept over several parameters, together.
 *
 * @param {Contest[]} contests
 * @returns {{name: string, metric: string, swept: string, places: Place[]}[]}
 */
function mapsOf (contests) {
  const mapped = contests.filter(({ line }) => isMapped(line.sweep))
  const keyOf = (/** @type {Contest} */ { line, metric }) => JSON.stringify([line.sweep.scenario, line.sweep.runtime, metric])
  return [...new Set(mapped.map(keyOf))].map(key => {
    const own = mapped.filter(contest => keyOf(contest) === key)
    const [{ line, metric }] = own
    const names = Object.keys(line.sweep.swept)
    return {
      name: nameOf({ ...line, others: {} }),
      metric,
      swept: `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`,
      places: own.flatMap(({ places }) => places)
    }
  })
}

/**
 * How much of a map is a queue's.
 *
 * @param {ReturnType<typeof mapsOf>[0]} map
 * @param {string} queue
 * @returns {Said[]}
 */
function territory ({ name, metric, swept, places }, queue) {
  const own = places.filter(({ ranking }) => ranking.length > 1 && ranking.some(entry => entry.queue === queue))
  if (own.length === 0) return []
  const leading = own.filter(({ ranking }) => ranking[0].queue === queue)
  const worst = own.reduce((most, place) => ratioOf(place, queue) > ratioOf(most, queue) ? place : most)
  const subject = `${capitalise(metricTitle(metric))} on ${name}`
  /** @type {Said[]} */
  const said = []
  if (leading.length > 0) said.push(pro(`${subject}: the least at ${leading.length} of ${places.length} combinations of ${swept}.`))
  else if (ratioOf(worst, queue) <= NEAR) said.push(pro(`${subject}: never more than ${formatNumber(ratioOf(worst, queue))} times the least.`))
  if (ratioOf(worst, queue) >= FAR && isApart(worst.ranking[0], entryOf(worst, queue))) {
    said.push(con(`${subject}: up to ${formatNumber(ratioOf(worst, queue))} times the least (${worst.ranking[0].queue}), at ${whereIs(worst)}: ${formatFigures(entryOf(worst, queue).figures)}.`))
  }
  return said
}

/** @param {Place} place */
function whereIs ({ line, at }) {
  return [...(line.parameter === null ? [] : [formatParams({ [line.parameter]: Number(at) })]), formatParams(line.others)].filter(Boolean).join(', ')
}

/**
 * By the exact channel, which noise cannot touch; and by the clock, where it tells of more than the code executed.
 *
 * @param {Line} line
 * @param {string} queue
 * @returns {Said[]}
 */
function growth (line, queue) {
  const { parameter } = line
  if (parameter === null) return []
  const work = pointsOf(line, queue, 'workPerOp')
  if (work.length < 2) return []
  const exponent = exponentOf(work)
  const [first, last] = [work[0], work[work.length - 1]]
  const range = `${formatNumber(first.value)} at ${formatNumber(first.x)}, ${formatNumber(last.value)} at ${formatNumber(last.x)} (basic blocks per operation)`
  /** @type {Said[]} */
  const said = []
  if (exponent < FLAT) said.push(pro(`Work on ${nameOf(line)} ${last.value / first.value < SAME ? 'does not grow' : 'hardly grows'} with ${unitOf(parameter)}: ${range}.`))
  if (exponent >= STEEP) said.push(con(`Work on ${nameOf(line)} grows as n^${exponent.toFixed(1)} with ${unitOf(parameter)}: ${range}.`))
  const time = pointsOf(line, queue, 'nsPerOp')
  if (time.length > 2 && exponentOf(time) > exponent + FASTER_THAN_WORK) {
    const [fast, slow] = [time[0], time[time.length - 1]]
    said.push(con(`Time on ${nameOf(line)} grows faster than work, ${formatNumber(fast.value)} ns at ${formatNumber(fast.x)} and ${formatNumber(slow.value)} at ${formatNumber(slow.x)}: memory, or built-in functions that work does not count.`))
  }
  return said
}

/**
 * Where most timers are pending, the fixed cost of a queue counts least.
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
  const least = measured.filter(({ line, at }) => line === worst.line && at === worst.at).sort((a, b) => a.bytes - b.bytes)[0]
  const where = `on ${nameOf(worst.line)}${worst.line.parameter ? ` at ${formatNumber(worst.at)}` : ''}`
  const ratio = worst.bytes / least.bytes
  if (ratio <= SAME) return [pro(`Memory: ${formatNumber(worst.bytes)} bytes a pending timer ${where}, the least or within a tenth of it.`)]
  return ratio < FAR ? [] : [con(`Memory: ${formatNumber(worst.bytes)} bytes a pending timer ${where}, ${formatNumber(ratio)} times the least (${least.cell.queue}).`)]
}

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
    const [first, second] = before.gap < 0 ? ['a', 'b'] : ['b', 'a']
    const name = (/** @type {string} */ side) => side === 'a' ? a : b
    const figures = (/** @type {typeof after} */ point) =>
      `${formatNumber(point[/** @type {'a'} */ (first)].figures.median)} against ${formatNumber(point[/** @type {'a'} */ (second)].figures.median)} ${point.a.figures.unit} at ${formatNumber(point.at)}`
    const where = turns.length === 1 ? `about ${round(turningPoint(between, turns[0]))}` : `somewhere between ${formatNumber(before.at)} and ${formatNumber(after.at)}`
    return [`${capitalise(metricTitle(metric))} on ${nameOf(line)}: below ${where} ${unitOf(line.parameter)} ${name(first)} is cheaper than ${name(second)}, above it dearer (${figures(before)}; ${figures(after)}).`]
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
  return { short: [allRound, server].filter(Boolean).join(' ') || points[0] || (summary.cells.length > 0 ? 'No times were measured.' : 'Nothing was measured.'), points }
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
    return `${queue} ${range} (${formatFigures(to.ranking[0].figures)}${to.ranking[1] && !isApart(to.ranking[0], to.ranking[1]) ? `, level with ${to.ranking[1].queue}` : ''})`
  })
  return `${subject}: the least is ${parts.join(', then ')}.`
}

/** @param {ReturnType<typeof mapsOf>[0]} map */
function concludeMap ({ name, metric, swept, places }) {
  const winners = [...new Set(places.map(({ ranking }) => ranking[0].queue))].map(queue => ({ queue, count: places.filter(({ ranking }) => ranking[0].queue === queue).length }))
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
    return `${subject}: no queue is shown to differ from the one with the lowest median; medians lie between ${formatFigures(first.figures)} (${first.queue}) and ${formatFigures(dearest.figures)} (${dearest.queue}).`
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
    return more ? [{ queue, figures: { ...figures, median: figures.median + more.median, low: figures.low + more.low, high: figures.high + more.high } }] : []
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
  const names = contested[0].ranking.map(({ queue }) => queue).filter(name => contested.every(({ ranking }) => ranking.some(({ queue }) => queue === name)))
  const [best] = names.map(name => {
    const worst = contested.reduce((most, place) => ratioOf(place, name) > ratioOf(most, name) ? place : most)
    return { name, worst, ratio: ratioOf(worst, name) }
  }).sort((a, b) => a.ratio - b.ratio)
  if (!best) return null
  const { line, metric } = best.worst
  return `If one queue must do for everything, take ${best.name}: in ${contested.length} comparisons without a server it never takes more than ${formatNumber(best.ratio)} times the least (${metricTitle(metric)} on ${nameOf(line)}${at(best.worst)}), and no other queue stays as close everywhere.`
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
    return open.length === 0 ? [] : [`${capitalise(metricTitle(metric))} on ${name}: the two least are level at ${open.length} of ${places.length} combinations.`]
  })
  const curves = contests.filter(({ line }) => !isMapped(line.sweep)).flatMap(({ line, metric, places }) => {
    const open = places.filter(({ ranking: [first, second] }) => second && !isApart(first, second))
    if (open.length === 0) return []
    const pairs = open.map(({ at, ranking: [first, second] }) => `${first.queue} or ${second.queue}${at === null ? '' : ` at ${formatNumber(at)}`}`)
    return [`${capitalise(metricTitle(metric))} on ${nameOf(line)}: which is the least, ${pairs.join('; ')}? The intervals overlap; more rounds would tell.`]
  })
  return [...curves, ...maps]
}

/**
 * @param {Entry} cheap
 * @param {Entry} dear
 */
const isApart = (cheap, dear) => cheap.figures.high < dear.figures.low

/**
 * @param {Place} place
 * @param {string} queue
 */
const entryOf = ({ ranking }, queue) => /** @type {Entry} */ (ranking.find(entry => entry.queue === queue))

/**
 * @param {Place} place
 * @param {string} queue
 */
const ratioOf = (place, queue) => entryOf(place, queue).figures.median / place.ranking[0].figures.median

/**
 * @param {Line} line
 * @param {string} queue
 * @param {string} metric
 */
function pointsOf ({ parameter, cells }, queue, metric) {
  return cells.filter(cell => cell.queue === queue && cell.metrics[metric]?.median > 0 && cell.params[/** @type {string} */ (parameter)] > 0)
    .map(({ params, metrics }) => ({ x: params[/** @type {string} */ (parameter)], value: metrics[metric].median }))
    .sort((a, b) => a.x - b.x)
}

/**
 * The slope of the straight line through the points in log-log, by least squares: 0 is flat, 1 is linear.
 *
 * @param {{x: number, value: number}[]} points  at least two
 */
function exponentOf (points) {
  const places = points.map(({ x, value }) => ({ x: Math.log(x), y: Math.log(value) }))
  const mean = (/** @type {'x' | 'y'} */ axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length
  const [meanX, meanY] = [mean('x'), mean('y')]
  const products = places.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0)
  return products / places.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
}

/** @param {Line} line */
function nameOf ({ sweep, others }) {
  const more = [formatParams(others), sweep.onlyRuntime ? '' : `Node ${sweep.runtime}`].filter(Boolean)
  return [sweep.scenario, ...more].join(', ')
}

/**
 * @param {Place[]} leading
 * @param {Place[]} all
 */
function whereAmong (leading, all) {
  if (all.length === 1) return ''
  if (leading.length === all.length) return ' at every size measured'
  return leading.length === 1 ? '' : ` at ${leading.map(({ at }) => formatNumber(Number(at))).join(', ')}`
}

/** @param {Place} place */
const at = place => place.at === null ? '' : ` at ${formatNumber(place.at)}`

/** @param {string | null} parameter */
const unitOf = parameter => parameter === 'size' ? 'pending timers' : parameter ?? ''

/** @param {MetricSummary} figures */
const formatFigures = figures => `${formatInterval(figures)} ${figures.unit}`

/**
 * Two digits: an interpolation promises no more.
 *
 * @param {number} value
 */
const round = value => formatNumber(Number(value.toPrecision(2)))

/** @param {string} text */
const pro = text => ({ pro: text })

/** @param {string} text */
const con = text => ({ con: text })

/** @param {string} text */
const capitalise = text => text.charAt(0).toUpperCase() + text.slice(1)
