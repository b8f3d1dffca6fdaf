/**
 * The answer of a run in words, from its ranking (harness/judge/rank.js). Terminal, markdown, page and JSON all show
 * this text.
 */
import {
  enumerate,
  formatCoverage,
  formatNumber,
  formatParam,
  formatPercent,
  formatRatioWithInterval
} from '../harness/model/numbers.js'
import { commandLine } from './blocks.js'
import { worthAnswer } from './worth.js'

/** @import { CellPlace } from '../harness/model/cell.js' */
/** @import { Summary } from '../harness/judge/summary.js' */
/** @import { RankedQueue, RankedTable, Ranking, Standing } from '../harness/judge/rank.js' */
/** @import { Answer } from './blocks.js' */

/** Things that are compared, by kind of scenario. */
const NOUNS = { micro: 'queue', http: 'queue', code: 'alternative' }
/** Percent: half-width of an interval that settles what a table leaves open. */
const PRECISION = 3

/**
 * @param {Summary} summary
 * @param {string[]} [again]  Words that a resumed run needs again.
 * @returns {Answer}
 */
export function answerOf (summary, again = []) {
  if (summary.worth !== undefined) return worthAnswer({ ...summary, worth: summary.worth }, again)
  const { ranking } = summary
  const { text, isOpen, queue } = verdictOn(summary)
  const server = queue === undefined ? null : serverOf(ranking)
  const gain = server?.queues.find(ranked => ranked.queue === queue)
  const reasons = [
    ...(queue === undefined ? [] : [cautionOf(summary, queue), describeGain(ranking, queue)]),
    ...(server && gain ? [describeServer(server, gain, ranking)] : []),
    ...usersQueues(summary)
  ]
  return {
    kind: 'answer',
    text,
    reasons: reasons.filter(Boolean),
    next: nextStep(
      summary,
      again,
      isOpen || gain?.toControl === 'unclear' || summary.skipped.some(({ kind }) => kind === 'out-of-time')
    )
  }
}

/**
 * A summary for programs, with the same answer.
 *
 * @param {Summary} summary
 * @param {string[]} [again]  Words that a resumed run needs again.
 * @returns {Summary & {answer: Omit<Answer, 'kind'>}}
 */
export function withAnswer (summary, again) {
  const { kind, ...answer } = answerOf(summary, again)
  return { ...summary, answer }
}

/**
 * @param {Summary} summary
 * @returns {{text: string, isOpen: boolean, queue?: string}} `isOpen`: more heats may change it; `queue`: the queue to
 *   speak of
 */
function verdictOn ({ cells, ranking }) {
  const {
    tables,
    deciding,
    standings: [best],
    take,
    rivals
  } = ranking
  if (tables.length === 0) {
    return { text: cells.length > 0 ? 'No times were measured.' : 'Nothing was measured.', isOpen: true }
  }
  if (deciding.length === 0) return { text: describeAlone(tables[0], tables), isOpen: false }
  if (deciding.length === 1) return verdictAt(tables[deciding[0]], tables)
  if (take.length === 0) {
    return { text: 'No queue was measured in every table: the tables below rank the queues one by one.', isOpen: false }
  }
  const isOpen = take.length + rivals.length > 1
  if (best.high === null) {
    return { text: 'Nothing is certain yet: too few heats to show how much heats scatter.', isOpen }
  }
  const mayDo = rivals.length > 0 ? ` (${rivals[0]} may do as well)` : ''
  const furthest = Math.max(
    ...ranking.standings.filter(({ queue }) => take.includes(queue)).map(({ behind }) => behind)
  )
  const worst =
    furthest === 1
      ? 'the fastest everywhere'
      : `at worst ${describeBehind(furthest)}${take.length === 1 ? `, on ${whereIs(tables[best.worst], tables)}` : ''}`
  return {
    text: `Take ${enumerate(take, 'or')}${mayDo}: ${take.length > 1 ? 'a tie, ' : ''}${worst}.`,
    isOpen,
    queue: best.queue
  }
}

/**
 * @param {RankedTable} table
 * @param {RankedTable[]} tables
 */
function describeAlone (table, tables) {
  const where = whereIs(table, tables)
  return table.kind === 'code'
    ? `${where} has nothing to be compared with: give it alternatives, or compare a change with timerq gate.`
    : `${table.queues[0].queue} ran alone on ${where}: name another queue to compare it with.`
}

/**
 * @param {RankedTable} table
 * @param {RankedTable[]} tables
 */
function verdictAt (table, tables) {
  const [first, ...others] = table.queues
  const where = whereIs(table, tables)
  const level = others.filter(queue => queue.level).map(({ queue }) => queue)
  const ties = tiesIn(table)
  const isOpen = ties.length > 0
  const { queue } = first
  const { kind } = table
  if (level.length === others.length) {
    return { text: `All ${NOUNS[kind]}s are level within 5 % on ${where}.`, isOpen, queue }
  }
  if (ties.length === others.length) {
    return { text: `No ${NOUNS[kind]} is shown to be the fastest on ${where}.`, isOpen, queue }
  }
  const details = [
    ...(level.length > 0 ? [`${enumerate(level)} ${level.length === 1 ? 'is' : 'are'} level within 5 %`] : []),
    ...(ties.length > 0 ? [`${enumerate(ties, 'or')} may be as fast`] : [])
  ]
  return { text: `${[`Take ${first.queue}: the fastest on ${where}`, ...details].join('; ')}.`, isOpen, queue }
}

/**
 * @param {RankedTable} table
 * @returns {string[]} queues that may be as fast as the first, and are not shown to be level with it
 */
export const tiesIn = ({ queues: [first, ...others] }) =>
  others.filter(({ place, level }) => place === first.place && !level).map(({ queue }) => queue)

/** @param {number} behind  Smaller differences read better in percent. */
const describeBehind = behind =>
  behind < 1.05
    ? `${formatPercent(behind - 1)} slower than the fastest`
    : `${formatNumber(behind)} times as slow as the fastest`

/**
 * @param {Summary} summary
 * @param {string} name
 */
function cautionOf ({ queues }, name) {
  const { breaks, meta } = queues.find(queue => queue.name === name) ?? {}
  if (breaks) return `But ${name} breaks the contract: timerq check shows how.`
  return meta?.accuracy !== undefined && meta.accuracy !== 'exact'
    ? `But ${name} is not exact: timers may fire ${formatPercent(meta.accuracy.relative)} of their duration late.`
    : ''
}

/**
 * The largest gain over the control, and the smallest.
 *
 * @param {Ranking} ranking
 * @param {string} queue
 */
function describeGain ({ tables, standings }, queue) {
  const { most, least, loses } = /** @type {Standing} */ (standings.find(standing => standing.queue === queue))
  if (most === null || least === null) {
    const own = tables.find(({ control }) => control === queue)
    return own
      ? `${queue} is the control${own.kind === 'code' ? '' : ", and works as Node's timers do"}: no change would gain anything here.`
      : ''
  }
  const [largest, smallest] = [most, least].map(index => rankedIn(tables[index], queue))
  const { control } = tables[most]
  const gain = `${queue} is ${describeFactor(largest, control)}`
  if (most === least) return `${gain}.`
  const elsewhere =
    Number(smallest.ratio?.median) <= 1
      ? `${formatAtLeast(1 / Number(smallest.ratio?.median))} times or more elsewhere`
      : `but ${describeFactor(smallest)} on ${whereIs(tables[least], tables)}${loses.length > 1 ? `, and slower in ${loses.length} tables` : ''}`
  return `${gain} on ${whereIs(tables[most], tables)}; ${elsewhere}.`
}

/**
 * 3.1 times as fast as lists (2.9 to 3.3, 95 % sure); 1.20 times as slow (1.10 to 1.30, 95 % sure).
 *
 * @param {RankedQueue} ranked  With a ratio to the control.
 * @param {string} [control]
 */
function describeFactor ({ ratio }, control) {
  const { median, low, high, coverage } = /** @type {NonNullable<RankedQueue['ratio']>} */ (ratio)
  const isFaster = median <= 1
  const [factor, from, to] = isFaster ? [1 / median, 1 / high, 1 / low] : [median, low, high]
  const format = formatFactor(from) === formatFactor(to) ? formatFinely : formatFactor
  const range =
    low < high ? `${format(from)} to ${format(to)}, ${formatCoverage(coverage)} sure` : 'one heat: uncertain'
  return `${format(factor)} times as ${isFaster ? 'fast' : 'slow'}${control ? ` as ${control}` : ''} (${range})`
}

/** @param {number} factor  Prints as 3.1, 29 or 1.05. */
const formatFactor = factor =>
  factor < 2 ? factor.toFixed(2) : factor < 10 ? factor.toFixed(1) : formatNumber(Math.round(factor))

/**
 * Rounds down.
 *
 * @param {number} factor
 */
function formatAtLeast (factor) {
  const unit = factor < 2 ? 100 : factor < 10 ? 10 : 1
  return formatFactor(Math.floor(factor * unit) / unit)
}

/**
 * Prints a digit more.
 *
 * @param {number} factor
 */
const formatFinely = factor =>
  factor < 10 ? factor.toFixed(2) : factor < 100 ? factor.toFixed(1) : formatNumber(Math.round(factor))

/**
 * The largest table of the first server scenario, beside tables in virtual time.
 *
 * @param {Ranking} ranking
 * @returns {RankedTable | null}
 */
function serverOf ({ tables, deciding }) {
  if (deciding.some(index => tables[index].kind === 'http')) return null
  const servers = tables.filter(({ kind }) => kind === 'http')
  return servers.filter(({ scenario }) => scenario === servers[0].scenario).at(-1) ?? null
}

/**
 * @param {RankedTable} table
 * @param {RankedQueue} ranked
 * @param {Ranking} ranking
 */
function describeServer (table, { ratio, toControl }, { tables }) {
  const where = whereIs(table, tables)
  if (!ratio) return ''
  if (ratio.low === ratio.high) return `${where}: one heat is too few to tell.`
  const [low, high] = [ratio.low - 1, ratio.high - 1]
  const percent = (/** @type {number} */ change) => formatPercent(Math.abs(change))
  if (high < 0) return `${where}: ${percent(high)} to ${percent(low)} less CPU than ${table.control}.`
  if (low > 0) return `${where}: ${percent(low)} to ${percent(high)} more CPU than ${table.control}.`
  const range = `${percent(low)} less to ${percent(high)} more CPU`
  return toControl === 'level'
    ? `${where}: level with ${table.control} (${range}).`
    : `${where}: ${range} than ${table.control}, so far.`
}

/**
 * A user's own queue is always mentioned: the run was made for this queue.
 *
 * @param {Summary} summary
 * @returns {string[]}
 */
function usersQueues ({ queues, skipped, ranking: { tables, standings, take } }) {
  return queues
    .filter(({ name, origin }) => origin === 'user' && !take.includes(name))
    .map(({ name }) => {
      const standing = standings.find(({ queue }) => queue === name)
      const [failure, ...others] = skipped.filter(({ queue }) => queue === name)
      if (!standing) return failure ? `${name} was not measured: ${failure.reason}.` : ''
      const missing = failure
        ? ` No figure on ${[whereIs(failure, tables), ...(others.length > 0 ? [`and ${others.length} more`] : [])].join(', ')}: ${failure.reason}.`
        : ''
      const { behind, worst, most, least } = standing
      const ratioIn = (/** @type {number} */ index) =>
        formatRatioWithInterval(/** @type {NonNullable<RankedQueue['ratio']>} */ (rankedIn(tables[index], name).ratio))
      const range =
        most === null || least === null
          ? ''
          : `; ${most === least ? ratioIn(most) : `${ratioIn(most)} to ${ratioIn(least)}`} the time of ${tables[most].control}`
      return `${name}: ${behind === 1 ? 'the fastest' : `at worst ${describeBehind(behind)}`}${tables.length > 1 && behind > 1 ? `, on ${whereIs(tables[worst], tables)}` : ''}${range}.${missing}`
    })
}

/**
 * @param {RankedTable} table
 * @param {string} name
 */
const rankedIn = ({ queues }, name) => /** @type {RankedQueue} */ (queues.find(({ queue }) => queue === name))

/**
 * start-cancel, 10 000 timers. Names parameters that differ between the tables of a scenario; without any, the first.
 *
 * @param {Omit<CellPlace, 'queue'>} table
 * @param {RankedTable[]} tables  All tables of the run.
 */
export function whereIs ({ scenario, params, side, runtime }, tables) {
  const names = Object.keys(params)
  const varied = names.filter(name =>
    tables.some(other => other.scenario === scenario && other.params[name] !== params[name])
  )
  const shown = (varied.length > 0 ? varied : names.slice(0, 1)).map(name => describeParam(name, params[name]))
  return [
    scenario,
    ...shown,
    ...(side ? [side] : []),
    ...(tables.every(other => other.runtime === runtime) ? [] : [`Node ${runtime}`])
  ].join(', ')
}

/**
 * @param {string} name
 * @param {number} value
 */
function describeParam (name, value) {
  if (name === 'size') return `${formatParam(value)} timers`
  return name.endsWith('s') ? `${formatParam(value)} ${name}` : `${name} ${formatParam(value)}`
}

/**
 * @param {Summary} summary
 * @param {string[]} again  Words that a resumed run needs again.
 * @param {boolean} isOpen  Only more heats can tell more.
 */
function nextStep (summary, again, isOpen) {
  const {
    run,
    settings: { until, trace },
    ranking: { tables }
  } = summary
  if (isOpen) {
    return commandLine([
      'timerq',
      'run',
      '--resume',
      run,
      '--until',
      `${until === undefined ? PRECISION : 50 * until}%`,
      ...again
    ]).text
  }
  if (trace) return commandLine(['timerq', 'recommend', '--trace', trace]).text
  if (tables.every(({ kind }) => kind === 'code')) return undefined
  return 'timerq record -- node app.js   (then timerq recommend: does it pay?)'
}
