/**
 * A run as a document, like the wiki page that timerq started from: the question, how to reproduce it, the queues, results,
 * pros and cons, conclusion, open questions.
 */
import { groupBy } from '../../harness/model/group-by.js'
import { capitalise, formatCount, formatCoverage, formatNumber, placeOf } from '../../harness/model/numbers.js'
import { commandLine, fold, list, paragraph, section } from '../blocks.js'
import { conclusion, contestsOf, crossovers, gather, NEAR, prosAndCons, undecided } from '../findings/index.js'
import { comparisonSection } from './comparison.js'
import { queueTable } from './list.js'
import { concludeProfiles, profilesSection } from './profiles.js'
import { cellsWithoutHeats, describeCoverage, fewHeats, heatsIn, samplesIn, scenarioSections } from './results.js'

/**
 * @typedef {import('../../harness/store/results.js').Results} Results
 * @typedef {import('../../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../blocks.js').Document} Document
 * @typedef {import('../blocks.js').Block} Block
 * @typedef {import('../blocks.js').Facts} Facts
 */

/** Intervals that hold the true median less often than this say little. */
const WEAK_COVERAGE = 0.9

/**
 * @param {Results} results
 * @param {Summary} summary
 * @param {object} [more]
 * @param {import('../../harness/judge/compare.js').ComparisonRecord | null} [more.comparison]  With another run.
 * @param {import('./profiles.js').Profile[]} [more.profiles]
 * @param {import('../blocks.js').Link[]} [more.profileFiles]
 * @returns {Document}
 */
export function runDocument (results, summary, { comparison = null, profiles = [], profileFiles = [] } = {}) {
  const contests = contestsOf(summary)
  const { answer, points } = conclusion(summary, contests)
  const turns = crossovers(summary, contests)
  return {
    title: 'Which queue should hold the pending timers?',
    blocks: [answer],
    sections: [
      background('The question', question(summary)),
      background('How to reproduce it', [commandLine(seededCommand(summary)), facts(results, summary)]),
      ...(comparison ? [comparisonSection(comparison)] : []),
      background('The queues', [
        paragraph('What each queue declares, for n pending and k expiring timers. timerq check verifies it.'),
        queueTable('The queues and what they promise', summary.queues.map(({ origin, meta, name }) => ({ ...meta, name, origin })))
      ]),
      section('Results', [paragraph(howToRead(summary))], scenarioSections(results, summary)),
      ...(profiles.length + profileFiles.length > 0 ? [profilesSection(profiles, profileFiles)] : []),
      section('Pros and cons', [paragraph(`Computed from the figures above. A cost counts against a queue if it is more than ${NEAR} times the lowest, or ` +
        `grows with the pending timers. ${heatsIn(summary.cells)
          ? 'Queues are level where they are shown to be within 5 % of each other, and tie where the intervals of their ratios overlap.'
          : 'Queues tie where their intervals overlap, or where one sample gives no interval.'}`)],
      prosAndCons(summary, contests).map(judgement => section(judgement.queue, prosAndConsOf(judgement, summary)))),
      ...(turns.length > 0
        ? [section('Crossovers', [paragraph('Interpolated between the nearest sizes at which the intervals do not overlap.'), list(turns)])]
        : []),
      section('Conclusion', [list([...points, ...concludeProfiles(profiles)])]),
      section('Open questions', openQuestions(summary, undecided(contests)))
    ]
  }
}

/**
 * @param {string} title
 * @param {Block[]} blocks
 */
const background = (title, blocks) => ({ ...section(title, blocks), isBackground: true })

/**
 * @param {Summary} summary
 * @returns {Block[]}
 */
function question ({ queues, scenarios, cells }) {
  return [
    paragraph('A server keeps a timer for every socket and restarts it whenever something happens there. Which data structure ' +
      `should hold these timers? ${formatCount(queues.length, 'queue')} ran on ${formatCount(scenarios.length, 'scenario')}, ` +
      `${formatCount(cells.length, 'cell')} in all:`),
    list(scenarios.map(({ name, title, source }) => `${name}: ${title}. Source: ${source}.`))
  ]
}

/** @param {Summary} summary */
function seededCommand ({ command, settings }) {
  return [...command, ...(command.some(part => part.startsWith('--seed')) ? [] : ['--seed', String(settings.seed)])]
}

/**
 * @param {Results} results
 * @param {Summary} summary
 * @returns {Facts}
 */
function facts ({ run }, { environment: e, started, settings }) {
  return {
    kind: 'facts',
    facts: [
      ...machines(run),
      ['system', `${e.kernel}${e.governor ? `, governor ${e.governor}` : ''}`],
      ['noise before the run', [
        `load average ${e.loadAverage.join(', ')}`,
        ...(e.stealPercent === null ? [] : [`${e.stealPercent} % of the time since boot stolen by other guests`])
      ].join('; ')],
      ['Node', `${e.node}, V8 ${e.v8}`],
      ['load generator', e.loadGenerator],
      ['pinning', e.pinning],
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
  const describe = (/** @type {typeof environment} */ { cores, cpu, memoryBytes }) => `${cores} x ${cpu}, ${formatNumber(memoryBytes / 2 ** 30)} GiB`
  if (!parts) return [['machine', describe(environment)]]
  return parts.map(({ directory, environment, cells = [] }) => {
    const places = new Set(plan.cells.filter(({ id }) => cells.includes(id)).map(({ scenario, params }) => placeOf({ scenario, params })))
    return [`machine of ${directory}`, [describe(environment), ...places].join('; ')]
  })
}

/** @param {Summary} summary */
function howToRead (summary) {
  const { cells } = summary
  const heats = heatsIn(cells)
  const alone = heats ? cellsWithoutHeats(cells) : []
  return [
    heats ? readHeats(heats) : readSamples(cells),
    ...(alone.length > 0 ? ['Where a ratio has no interval, the queues ran one after the other, and are compared by the intervals of their medians.'] : []),
    ...(cells.some(({ metrics }) => metrics.longestAdvanceNs) ? [TAILS] : [])
  ].join(' ')
}

const WORK = 'Work is counted in basic blocks executed per operation: the same every time.'
const TAILS = 'Longest advance: how long one wake-up holds the event loop, callbacks included; - where there is none.'

/** @param {{counts: number[], fewest: number, coverage: number}} heats */
function readHeats (heats) {
  return `The queues of a table ran at the same time, in ${heats.counts.join(' to ')} heats of fresh processes. Ratios are to the control, which = marks, and paired ` +
    `within heats: their intervals, in brackets, are over heats (${describeCoverage(heats)}). Queues are ranked by ratio, and the best figure is bold. ` +
    `Absolute times are medians of CPU time and move with the machine, as their intervals show; ratios hardly do. ${WORK}`
}

/** @param {Summary['cells']} cells */
function readSamples (cells) {
  const samples = samplesIn(cells)
  const read = 'Times are medians over samples, each from a fresh process. The best figure is bold, = marks the control, ratios ' +
    `are to the control. ${WORK}`
  if (samples === null) return `${read} With one sample a cell no interval can be given.`
  const caution = ' That is weak: more rounds may separate queues that tie here, or the reverse.'
  return `${read} In brackets: the interval that holds the true median with a probability of ${formatCoverage(samples.coverage)} or more ` +
    `(${samples.counts.join(' to ')} samples a cell).${samples.coverage < WEAK_COVERAGE ? caution : ''}`
}

/**
 * @param {{queue: string, pros: string[], cons: string[]}} judgement
 * @param {Summary} summary
 * @returns {Block[]}
 */
function prosAndConsOf ({ queue, pros, cons }, { queues }) {
  const meta = queues.find(({ name }) => name === queue)?.meta
  return [
    ...(meta ? [paragraph(`${meta.title}. Source: ${meta.source}.`)] : []),
    ...(pros.length > 0 ? [list(pros, 'Pros')] : []),
    ...(cons.length > 0 ? [list(cons, 'Cons')] : []),
    ...(pros.length + cons.length === 0 ? [paragraph('The measurements speak neither for it nor against it.')] : [])
  ]
}

/** @param {import('../findings/gather.js').Remark[]} remarks */
function describe (remarks) {
  return gather(remarks).map(({ queue, place, reason }) => `${queue} on ${[place, reason].filter(Boolean).join(': ')}.`)
}

/**
 * @param {Summary} summary
 * @param {string[]} open
 * @returns {Block[]}
 */
function openQuestions (summary, open) {
  const { skipped, cells } = summary
  const warnings = [...summary.warnings, ...fewHeats(summary)]
  const odd = cells.flatMap((cell, index) => cell.warnings.map(warning => {
    const [kind] = warning.split(': ', 1)
    return { ...cell, index, kind, reason: warning.slice(kind.length + 2) }
  }))
  const blocks = [
    ...warnings.map(warning => paragraph(`${capitalise(warning)}.`)),
    ...(open.length > 0 ? [list(open, 'Undecided')] : []),
    ...(skipped.length > 0 ? [list(describe(skipped), 'Skipped or failed')] : []),
    ...[...groupBy(odd, ({ kind }) => kind)].map(([kind, own]) =>
      fold(`${capitalise(kind)}: ${new Set(own.map(({ index }) => index)).size} of ${cells.length} cells`, [list(describe(own))]))
  ]
  return blocks.length > 0 ? blocks : [paragraph('None: every cell was measured, and every comparison has a clear winner.')]
}
