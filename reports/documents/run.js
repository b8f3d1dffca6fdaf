/**
 * A run as a report: the answer, how to repeat the run, the queues, the results, the ranking, and caveats.
 */
import { hasWarning, warningKinds } from '../../harness/model/warnings.js'
import { compact } from '../../harness/model/compact.js'
import { groupBy } from '../../harness/model/group-by.js'
import { metrics } from '../../harness/model/metrics.js'
import {
  capitalise,
  formatCount,
  formatNumber,
  formatParams,
  formatSome,
  placeOf
} from '../../harness/model/numbers.js'
import { subjectIn } from '../../harness/model/kinds.js'
import { describeOpen, openIn, runAnswer, whereIs } from '../answers/run.js'
import { commandLine, createDocument, figure, fold, list, number, paragraph, section, table } from '../blocks.js'
import { comparisonSection } from './comparison.js'
import { NOTATION, queueTable } from './list.js'
import { profilesSection } from './profiles.js'
import { cautions, describeIntervals, explainServers, heatsIn, namesIn, scenarioSections } from './results.js'

/** @import { ComparisonRecord, Summary } from '../../harness/judge/records.js' */
/** @import { CellPlace } from '../../harness/model/cell.js' */
/** @import { Subject } from '../../harness/model/kinds.js' */
/** @import { Results } from '../../harness/store/results.js' */
/** @import { Absent, Block, Document, Facts, Link } from '../blocks.js' */
/** @import { Profile } from './profiles.js' */

/** @type {Record<Subject, string>} */
const QUESTIONS = {
  queue: 'Which queue should hold the pending timers?',
  task: 'Which task is the fastest?',
  alternative: 'Which alternative is the fastest?',
  workload: 'How long does each workload take?',
  entrant: 'What is the fastest in each scenario?'
}

/**
 * @param {Results} results
 * @param {Summary} summary
 * @param {object} [more]
 * @param {string[] | null} [more.again]  Words that a resumed run needs again. null: it cannot be resumed.
 * @param {Pick<Document, 'title' | 'blocks'>} [more.answered]  Answer to another question, about the same samples.
 * @param {ComparisonRecord | null} [more.comparison]  Comparison with another run.
 * @param {Profile[]} [more.profiles]
 * @param {Link[]} [more.profileFiles]
 * @returns {Document}
 */
export function runDocument (results, summary, more = {}) {
  const { again, comparison = null, profiles = [], profileFiles = [], answered } = more
  const { scenarios, ranking } = summary
  const queues = summary.queues.filter(({ origin }) => origin !== 'code')
  return createDocument(
    answered?.blocks ?? [runAnswer(summary, again)],
    [
      background('How to reproduce it', [commandLine(seededCommand(summary)), facts(results, summary)]),
      comparison && comparisonSection(comparison),
      queues.length > 0 &&
        background('The queues', [
          paragraph(`Complexity as each queue declares it; timerq check verifies it. ${NOTATION}`),
          queueTable(
            queues.map(({ origin, meta, name }) => ({ ...meta, name, origin })),
            { caption: 'The queues and what they promise' }
          )
        ]),
      !(answered && ranking.tables.length === 0) && section(
        'Results',
        [paragraph(howToRead(summary))],
        scenarioSections(summary)
      ),
      ranking.deciding.length > 1 && section('Ranking', [standingsTable(summary)]),
      profiles.length + profileFiles.length > 0 && profilesSection(profiles, profileFiles),
      section('Caveats', caveats(summary))
    ],
    answered?.title ?? QUESTIONS[subjectIn(scenarios)],
    namesIn(summary)
  )
}

/**
 * @param {string} title
 * @param {(Block | Absent)[]} blocks
 */
const background = (title, blocks) => ({ ...section(title, blocks), isBackground: true })

/**
 * The command with its seed, which stands before the words of a program. A program that called timerq has its own way.
 *
 * @param {Pick<Summary, 'command' | 'settings'>} summary
 */
export function seededCommand ({ command, settings: { seed } }) {
  const own = command.slice(0, command.indexOf('--') >>> 0)
  const isSeeded = own[0] !== 'timerq' || own.some(word => /^--seed(=|$)/.test(word))
  return isSeeded ? command : [...own, '--seed', String(seed), ...command.slice(own.length)]
}

/**
 * @param {Results} results
 * @param {Summary} summary
 * @returns {Facts}
 */
function facts ({ run }, { environment: e, started, settings }) {
  const stolen = e.stealPercent === null ? '' : `; ${e.stealPercent} % of the time since boot stolen by other guests`
  /** @type {[string, string][]}  Older runs do not say it. */
  const clock = e.clock ? [['clock of turns', e.clock]] : []
  return {
    kind: 'facts',
    facts: [
      ...machines(run),
      ['system', `${e.kernel}${e.governor ? `, governor ${e.governor}` : ''}`],
      ['noise before the run', `load average ${e.loadAverage.join(', ')}${stolen}`],
      ['Node', `${e.node}, V8 ${e.v8}`],
      ['load generator', e.loadGenerator],
      ['pinning', e.pinning],
      ...clock,
      ['preset', `${settings.preset}, seed ${settings.seed}`],
      ['revision', e.gitCommit ?? 'not in a repository'],
      ['started', started],
      ['run', run.id]
    ]
  }
}

/**
 * @param {Results['run']} run
 * @returns {[string, string][]}
 */
function machines ({ environment, parts, plan }) {
  const describeMachine = (/** @type {typeof environment} */ { cores, cpu, memoryBytes }) =>
    `${cores} x ${cpu}, ${formatNumber(memoryBytes / 2 ** 30)} GiB`
  if (!parts) return [['machine', describeMachine(environment)]]
  return parts.map(({ directory, environment, cells = [] }) => {
    const places = plan.cells
      .filter(({ id }) => cells.includes(id))
      .map(({ scenario, params }) => placeOf({ scenario, params }))
    return [`machine of ${directory}`, [describeMachine(environment), ...new Set(places)].join('; ')]
  })
}

/** @param {Summary} summary */
function howToRead ({ queues, scenarios, cells }) {
  const subject = subjectIn(scenarios)
  return compact(
    `${formatCount(queues.length, subject)} on ${formatCount(scenarios.length, 'scenario')}.`,
    heatsIn(cells) && `The ${subject}s of a table ran side by side: quote ratios to the control (=), not times.`,
    describeIntervals(cells),
    ...explainServers(cells),
    cells.some(({ metrics }) => metrics.longestAdvanceNs) &&
      'Longest advance: how long one wake-up holds the event loop, callbacks included; - where there is none.'
  ).join(' ')
}

/**
 * Every queue over all tables that decide.
 *
 * @param {Summary} summary
 */
function standingsTable ({ scenarios, ranking: { tables, deciding, standings, take } }) {
  const { metric, control } = tables[deciding[0]]
  return table({
    caption: `By ${metrics[metric].title}, over ${formatCount(deciding.length, 'table')}: closest to the fastest first`,
    columns: [
      subjectIn(scenarios),
      number('times the fastest'),
      number('at worst'),
      'on',
      number(`slower than ${control} in`)
    ],
    rows: standings.map(({ queue, tables: count, behind, high, worst, most, loses }) => ({
      isControl: queue === control,
      queue,
      cells: [
        queue,
        { text: formatNumber(behind), sort: behind, best: take.includes(queue) },
        figure(high === null ? '-' : formatNumber(high), high),
        high === 1 ? '' : whereIs(tables[worst], tables),
        figure(most === null ? '-' : `${loses.length} of ${formatCount(count, 'table')}`, loses.length)
      ]
    }))
  })
}

/**
 * Remarks on cells; those that differ in parameters only are one.
 *
 * @param {(Pick<CellPlace, 'queue' | 'scenario' | 'params'> & {reason: string})[]} remarks
 */
function describeRemarks (remarks) {
  const groups = groupBy(remarks, ({ queue, scenario, reason }) => JSON.stringify([queue, scenario, reason]))
  return [...groups.values()].map(alike => {
    const [{ queue, scenario, reason }] = alike
    const places = compact(scenario, formatSome(alike.map(({ params }) => formatParams(params)).filter(Boolean)))
    return `${queue} on ${places.join(', ')}: ${reason}.`
  })
}

/** @param {Summary} summary */
function caveats (summary) {
  const { skipped, cells, ranking, warnings } = summary
  const { tables } = ranking
  const open = tables.filter(openIn)
  const odd = cells.flatMap(cell =>
    cell.warnings.map(({ kind, text, more }) => ({
      ...cell,
      kind,
      reason: more ? `${text} (and ${more} more like it)` : text
    }))
  )
  const blocks = compact(
    ...[...warnings, ...cautions(summary)].map(warning => paragraph(`${capitalise(warning)}.`)),
    list(
      open.map(table => `${whereIs(table, tables)}: ${describeOpen(table)}.`),
      `The fastest ${subjectIn(summary.scenarios)} is open in ${open.length} of ` +
        `${formatCount(tables.length, 'table')}; more rounds are needed`
    ),
    list(describeRemarks(skipped), 'Skipped or failed'),
    ...[...groupBy(odd, ({ kind }) => kind)].map(([kind, own]) =>
      fold(
        `${capitalise(warningKinds[kind].title)}: ${cells.filter(cell => hasWarning(cell, kind)).length} of ` +
          `${cells.length} cells`,
        [list(describeRemarks(own))]
      )
    )
  )
  return blocks.length > 0 ? blocks : [paragraph('None: every cell was measured, and every table has a clear winner.')]
}
