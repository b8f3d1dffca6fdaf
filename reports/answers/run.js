/**
 * The answer of a run in words, from its ranking (harness/judge/rank.js). Terminal, markdown, page and JSON all show
 * this text.
 */
import { compact } from '../../harness/model/compact.js'
import { LEVEL, PRECISION } from '../../harness/model/heats.js'
import { enumerate, formatNumber, formatParam, formatPercent } from '../../harness/model/numbers.js'
import { kinds, subjectOf } from '../../harness/model/kinds.js'
import { commandLine } from '../blocks.js'
import { answer, CPU, describeRatio, describeSpan, inverseOf, WITHIN } from './answer.js'
import { worthAnswer } from './worth.js'

/**
 * @import { CellPlace } from '../../harness/model/cell.js'
 * @import { Subject } from '../../harness/model/kinds.js'
 * @import { Summary } from '../../harness/judge/records.js'
 * @import { End } from '../../harness/plan/plan.js'
 * @import { QueueRank, RankedTable, Ranking, Standing } from '../../harness/judge/rank.js'
 * @import { Answer } from '../blocks.js'
 *
 * @typedef {RankedTable & {where: string, subject: Subject}} Table
 *
 * @typedef {Summary & {tables: Table[]}} Run
 *
 * @typedef {object} Verdict
 * @property {string} text
 * @property {boolean} [isOpen]  More heats may change it.
 * @property {string} [queue]  The queue to speak of.
 * @property {string[]} [tables]  Verdicts on each table.
 */

/** Tables whose fastest the answer names one by one. */
const MOST_TABLES = 5
const UNCERTAIN = 'Nothing is certain yet: too few heats to show how much heats scatter.'

/**
 * @param {Summary} summary
 * @param {string[] | null} [again]  Words that a resumed run needs again. null: it cannot be resumed.
 * @returns {Answer}
 */
export function runAnswer (summary, again = []) {
  const { worth, scenarios, ranking, skipped } = summary
  if (worth) return worthAnswer({ ...summary, worth }, again)
  const tables = ranking.tables.map(table => ({
    ...table,
    where: whereIs(table, ranking.tables),
    subject: subjectOf(scenarios.find(({ name }) => name === table.scenario) ?? table)
  }))
  const run = { ...summary, tables }
  const { text, isOpen = false, queue, tables: verdicts = [] } = verdictOn(run)
  const server = queue === undefined ? null : serverOf(run)
  const gain = server?.queues.find(ranked => ranked.queue === queue)
  const decides = isOpen || gain?.toControl === 'unclear' || skipped.some(({ kind }) => kind === 'out-of-time')
  // A resumed run would fail again.
  const isLost = decides && (again === null || (isOpen && skipped.some(hasFailed)))
  return answer(text, {
    reasons: [
      ...(queue === undefined ? [] : [cautionOf(summary, queue), describeGain(run, queue)]),
      ...verdicts,
      text !== UNCERTAIN && describeUnknown(run),
      server && gain && describeServer(server, gain),
      ...usersQueues(run)
    ],
    next: isLost ? undefined : nextStep(summary, again ?? [], decides),
    decides: decides && !isLost
  })
}

/** @param {Summary['skipped'][0]} skip */
const hasFailed = ({ kind }) => kind !== 'time-limit' && kind !== 'out-of-time'

/**
 * @typedef {object} AnswerForPrograms
 * @property {string} text
 * @property {string[]} reasons
 * @property {number} seconds  Seconds of measuring.
 * @property {{command: string, seconds: number | null} | null} next  The command that is most useful now, and about the
 *   seconds that it measures to decide; null: it measures something else, or nothing.
 */

/**
 * A summary for programs, with the same answer.
 *
 * @param {Summary} summary
 * @param {string[] | null} [again]  As of runAnswer.
 * @returns {Summary & {answer: AnswerForPrograms}}
 */
export function withAnswer (summary, again) {
  const { text, reasons, next, decides } = runAnswer(summary, again)
  const { seconds } = summary
  const step = next === undefined ? null : { command: next, seconds: decides ? secondsToDecide(summary) : null }
  return { ...summary, answer: { text, reasons, seconds, next: step } }
}

/** Longest time that the next command measures. */
const MOST_SECONDS = 600

/**
 * An interval shrinks with the square root of the time. One heat has no interval, so nothing limits its time.
 *
 * @param {Summary} summary
 */
function secondsToDecide ({ worth, seconds, end, ranking: { tables } }) {
  const ratios = tables.flatMap(({ queues }) => queues.flatMap(({ ratio }) => ratio ?? []))
  const precisions = worth
    ? [(worth.best.high - worth.best.low) / 2 / Math.abs(worth.best.saves - worth.worthwhile)]
    : ratios.map(({ median, low, high }) =>
      low === high ? Infinity : (Math.max(high / median, median / low) - 1) / precisionWanted(end)
    )
  const times = Math.max(1, ...precisions) ** 2 - 1
  // Cells without time for a heat take about as long again.
  return Math.min(MOST_SECONDS, Math.ceil(Math.max(1, seconds) * (times || 1)))
}

/**
 * @param {Pick<End, 'until'>} end
 * @returns {number} precision that the next command asks for
 */
const precisionWanted = ({ until }) => (until === undefined ? PRECISION : until / 2)

/**
 * @param {Run} run
 * @returns {Verdict}
 */
function verdictOn ({ worth, cells, skipped, tables, ranking: { deciding, standings, take, rivals } }) {
  if (worth === null) return { text: 'Nothing was compared.' }
  if (tables.length === 0) {
    const text = cells.length > 0 ? 'No times were measured.' : 'Nothing was measured.'
    return { text, isOpen: !skipped.some(hasFailed) }
  }
  const own = deciding.map(index => tables[index])
  if (own.length === 0) return { text: describeAlone(tables) }
  if (own.length === 1) return verdictAt(own[0])
  const [{ subject }] = own
  const isPartial = standings.some(({ tables }) => tables < own.length)
  if (take.length === 0 || (subject !== 'queue' && isPartial)) return oneByOne(own)
  const isOpen = take.length + rivals.length > 1 || own.some(table => unknownIn(table).length > 0)
  const [best] = standings
  if (best.high === null) return { text: UNCERTAIN, isOpen }
  const place = describePlace(tables, ...standings.filter(({ queue }) => take.includes(queue)))
  const names = `${enumerate(take, 'or')}${rivals.length > 0 ? ` (${rivals[0]} may do as well)` : ''}`
  const named = subject === 'queue' ? `Take ${names}` : `Over all tables, ${names} is closest to the fastest`
  return { text: `${named}: ${take.length > 1 ? 'a tie, ' : ''}${place}.`, isOpen, queue: best.queue }
}

/**
 * Nothing can be compared: work was removed, or a queue or task ran alone.
 *
 * @param {Table[]} tables
 */
function describeAlone (tables) {
  const removed = tables.find(({ nothing }) => nothing)
  if (removed?.nothing) return `Nothing can be compared on ${removed.where}: ${describeNothing(removed.nothing)}.`
  const [{ where, subject, queues }] = tables
  return subject === 'queue'
    ? `${queues[0].queue} ran alone on ${where}: name another queue to compare it with.`
    : `${where} has nothing to be compared with: give it another ${subject}, or compare a change with timerq gate.`
}

/**
 * The high end of how far queues are behind the fastest, and the table of a single queue.
 *
 * @param {Table[]} tables
 * @param {...Standing} standings
 */
function describePlace (tables, ...standings) {
  const most = Math.max(...standings.map(({ high }) => high ?? Infinity))
  if (most === Infinity) return 'too few heats to tell how far from the fastest'
  if (most === 1) return 'the fastest everywhere'
  const place = most <= LEVEL ? `${WITHIN} of` : `at worst ${formatNumber(most)} times as slow as`
  const [{ worst }, ...others] = standings
  return `${place} the fastest${others.length === 0 && tables.length > 1 ? `, on ${tables[worst].where}` : ''}`
}

/** @param {string[]} nothing */
const describeNothing = nothing =>
  `${enumerate(nothing)} ${nothing.length === 1 ? 'takes' : 'take'} as long as an empty loop`

/**
 * The tables have no queue in common, or are groups of different tasks.
 *
 * @param {Table[]} own  Tables that decide.
 * @returns {Verdict}
 */
function oneByOne (own) {
  if (own[0].subject === 'queue') {
    return { text: 'No queue was measured in every table: the tables below rank the queues one by one.' }
  }
  const more = own.length - MOST_TABLES
  const shown = own.slice(0, MOST_TABLES).map(table => compact(verdictAt(table).text, describeLead(table)).join(' '))
  return {
    text: `Each of ${own.length} tables has its own answer.`,
    isOpen: own.some(openIn),
    tables: compact(...shown, more > 0 && `The tables show ${more} more.`)
  }
}

/**
 * @param {Table} table
 * @returns {Verdict}
 */
function verdictAt (table) {
  const { where, subject, queues: [{ queue }, ...others] } = table
  const known = others.filter(({ place }) => place !== null)
  const isOpen = openIn(table)
  if (known.length === 0) return { text: UNCERTAIN, isOpen }
  const level = known.filter(({ level }) => level).map(({ queue }) => queue)
  if (level.length === others.length) return { text: `All ${subject}s are level ${WITHIN} on ${where}.`, queue }
  const ties = tiesIn(table)
  if (ties.length === known.length) {
    return { text: `No ${subject} is shown to be the fastest on ${where}.`, isOpen, queue }
  }
  const names = enumerate([queue, ...ties], 'or')
  const parts = compact(
    subject === 'queue' ? `Take ${names}: the fastest on ${where}` : `${names} is the fastest on ${where}`,
    ties.length > 0 && 'more heats would tell which',
    level.length > 0 && `${enumerate(level)} ${level.length === 1 ? 'is' : 'are'} level ${WITHIN}`
  )
  return { text: `${parts.join('; ')}.`, isOpen, queue }
}

/**
 * Compares the fastest queue with the control. If it is the control, compares it with the next queue that is slower.
 *
 * @param {RankedTable} table
 */
function describeLead ({ control, queues: [first, ...others] }) {
  if (first.ratio) return `${first.queue} is ${describeRatio(first.ratio, control)}.`
  const next = others.find(({ toControl }) => toControl === 'slower')
  return next?.ratio ? `${first.queue} is ${describeRatio(inverseOf(next.ratio), next.queue)}.` : ''
}

/**
 * @param {RankedTable} table
 * @returns {string[]} queues that may be as fast as the first, and are not shown to be level with it
 */
const tiesIn = ({ queues: [first, ...others] }) =>
  others.filter(({ place, level }) => place !== null && place === first.place && !level).map(({ queue }) => queue)

/** @param {RankedTable} table */
const unknownIn = ({ queues }) => queues.filter(({ place }) => place === null).map(({ queue }) => queue)

/**
 * Queues that may be as fast as the first, for all that is known.
 *
 * @param {RankedTable} table
 */
export const rivalsIn = table => [
  ...tiesIn(table),
  ...unknownIn(table).filter(queue => queue !== table.queues[0].queue)
]

/**
 * More heats may change which queue is the fastest.
 *
 * @param {RankedTable} table
 */
export const openIn = table => rivalsIn(table).length > 0

/** @param {RankedTable} table */
export function describeOpen (table) {
  const unknown = unknownIn(table)
  const known = table.queues[0].place === null ? [] : [table.queues[0].queue, ...tiesIn(table)]
  const rest = unknown.length > 0 && `unknown after one heat: ${enumerate(unknown)}`
  return compact(enumerate(known, 'or'), rest).join('; ')
}

/**
 * Queues of the tables that decide that were measured in one heat only.
 *
 * @param {Run} run
 */
function describeUnknown ({ tables, ranking: { deciding } }) {
  const unknown = [...new Set(deciding.flatMap(index => unknownIn(tables[index])))]
  return unknown.length > 0 && `Unknown after one heat: ${enumerate(unknown)}.`
}

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
 * @param {Run} run
 * @param {string} queue
 */
function describeGain ({ tables, ranking: { deciding, standings } }, queue) {
  const { most, least, loses } = /** @type {Standing} */ (standings.find(standing => standing.queue === queue))
  const first = tables[deciding[0]]
  if (deciding.length === 1 && first.subject !== 'queue') {
    return compact(describeLead(first), first.nothing && `Left out: ${describeNothing(first.nothing)}.`).join(' ')
  }
  if (most === null || least === null) {
    return first.subject === 'queue' && `${queue} is the control: it works as Node's timers do.`
  }
  const [largest, smallest] = [most, least].map(index => ratioOf(tables[index], queue))
  const gain = `${queue} is ${describeRatio(largest, tables[most].control)}`
  if (most === least) return `${gain}.`
  const loss = loses.length > 1 ? `, and slower in ${loses.length} tables` : ''
  const but = loses.includes(least) && !loses.includes(most) ? 'but ' : ''
  return `${gain} on ${tables[most].where}; ${but}${describeRatio(smallest)} on ${tables[least].where}${loss}.`
}

/**
 * The largest table of the first server scenario, if there are also tables in virtual time.
 *
 * @param {Run} run
 */
function serverOf ({ tables, ranking: { deciding } }) {
  if (deciding.some(index => kinds[tables[index].kind].isServer)) return null
  const servers = tables.filter(({ kind }) => kinds[kind].isServer)
  return servers.filter(({ scenario }) => scenario === servers[0].scenario).at(-1) ?? null
}

/**
 * @param {Table} table
 * @param {QueueRank} ranked
 */
function describeServer ({ where, control }, { ratio, toControl }) {
  if (!ratio) return ''
  if (ratio.n < 2) return `${where}: one heat is too few to tell.`
  const range = describeSpan(ratio.low - 1, ratio.high - 1, CPU)
  if (toControl === 'level' && ratio.low <= 1 && ratio.high >= 1) return `${where}: level with ${control} (${range}).`
  return `${where}: ${range} than ${control}${toControl === 'unclear' ? ', so far' : ''}.`
}

/**
 * A user's own queue is always mentioned: the run was made for this queue.
 *
 * @param {Run} run
 * @returns {string[]}
 */
function usersQueues (run) {
  const { queues, skipped, tables, ranking } = run
  const { standings, take } = ranking
  const own = queues.filter(({ name, origin }) => origin === 'user' && !take.includes(name))
  return own.map(({ name }) => {
    const standing = standings.find(({ queue }) => queue === name)
    const failure = skipped.find(({ queue }) => queue === name)
    if (!standing) return failure ? `${name} was not measured: ${failure.reason}.` : ''
    const gap = failure && `No figure on ${whereIs(failure, tables)}: ${failure.reason}.`
    return compact(`${name}: ${describePlace(tables, standing)}.`, describeGain(run, name), gap).join(' ')
  })
}

/**
 * @param {RankedTable} table
 * @param {string} name  Name of a queue with a ratio to the control.
 */
export const ratioOf = ({ queues }, name) =>
  /** @type {NonNullable<QueueRank['ratio']>} */ (queues.find(({ queue }) => queue === name)?.ratio)

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
  return compact(
    scenario,
    ...(varied.length > 0 ? varied : names.slice(0, 1)).map(name => describeParam(name, params[name])),
    side,
    tables.some(other => other.runtime !== runtime) && `Node ${runtime}`
  ).join(', ')
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
 * @param {boolean} isOpen  More heats are needed to tell more.
 */
function nextStep ({ run, end, of, ranking: { tables } }, again, isOpen) {
  if (of.trace) return commandLine(['timerq', 'recommend', '--trace', of.trace.file]).text
  if (isOpen) {
    const percent = Number((100 * precisionWanted(end)).toPrecision(12))
    return commandLine(['timerq', 'run', '--resume', run, '--until', `${percent}%`, ...again]).text
  }
  if (tables.every(({ kind }) => kinds[kind].isCode)) return undefined
  return 'timerq record -- node app.js'
}
