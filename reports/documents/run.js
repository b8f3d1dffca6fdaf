/**
 * A run as a document, in the manner of the wiki page that timerq started from: the question, how to reproduce, the
 * queues, results, pros and cons, conclusion, open questions. What it says, not how it looks: markdown.js and page/ do that.
 */
import { code, fold, list, paragraph, section } from '../blocks.js'
import { comparisonSection } from './comparison.js'
import { conclusion, crossovers, NEAR, prosAndCons, undecided } from '../findings/index.js'
import { capitalise, formatNumber } from '../../harness/model/numbers.js'
import { gather } from '../findings/gather.js'
import { formatAccuracy } from './list.js'
import { concludeProfiles, profilesSection } from './profiles.js'
import { scenarioSections } from './results.js'
import { repeatCommand } from '../shell.js'

/**
 * @typedef {import('../../harness/results.js').Results} Results
 * @typedef {import('../../harness/summary.js').Summary} Summary
 * @typedef {import('../blocks.js').Document} Document
 * @typedef {import('../blocks.js').Block} Block
 * @typedef {import('../blocks.js').Table} Table
 * @typedef {import('../blocks.js').Facts} Facts
 */

/** Intervals that hold the true median less often than this, in percent, say little. */
const WEAK_COVERAGE = 90

/**
 * @param {Results} results
 * @param {Summary} summary
 * @param {object} [more]
 * @param {import('../../harness/compare.js').ComparisonRecord | null} [more.comparison]  With another run.
 * @param {import('./profiles.js').Profile[]} [more.profiles]
 * @param {import('../blocks.js').Link[]} [more.profileFiles]
 * @returns {Document}
 */
export function documentOf (results, summary, { comparison = null, profiles = [], profileFiles = [] } = {}) {
  const { short, points } = conclusion(summary)
  const turns = crossovers(summary)
  return {
    title: 'Which queue should hold the pending timers?',
    blocks: [paragraph(`In short: ${short}`)],
    sections: [
      section('The question', question(summary)),
      section('How to reproduce it', [code(repeatCommand(seededCommand(summary)), 'sh'), facts(results, summary)]),
      ...(comparison ? [comparisonSection(comparison)] : []),
      section('The queues', [
        paragraph('What each declares of itself, for n pending and k expiring timers; timerq check verifies it.'),
        queueTable(summary)
      ]),
      section('Results', [paragraph(howToRead(summary))], scenarioSections(results, summary)),
      ...(profiles.length + profileFiles.length > 0 ? [profilesSection(profiles, profileFiles)] : []),
      section('Pros and cons', [paragraph(`Computed from the figures above: a con is what takes more than ${NEAR} times the least, or ` +
        'grows with the pending timers. Level means that the intervals overlap, or that one sample gives none.')],
      prosAndCons(summary).map(judgement => section(judgement.queue, prosAndConsOf(judgement, summary)))),
      ...(turns.length > 0
        ? [section('Crossovers', [paragraph('Interpolated between the nearest sizes at which the intervals are apart.'), list(turns)])]
        : []),
      section('Conclusion', [list([...points, ...concludeProfiles(profiles)])]),
      section('Open questions', openQuestions(summary))
    ]
  }
}

/**
 * @param {Summary} summary
 * @returns {Block[]}
 */
function question ({ queues, scenarios, cells }) {
  return [
    paragraph('Servers hold a timer for every socket and start it anew whenever something happens there. Which data structure ' +
      `should these timers be kept in? ${queues.length} queues were measured on ${scenarios.length} ` +
      `${scenarios.length === 1 ? 'scenario' : 'scenarios'}, ${cells.length} cells in all:`),
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
      ['machine', `${e.cores} x ${e.cpu}, ${formatNumber(e.memoryBytes / 2 ** 30)} GiB`],
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
 * @param {Summary} summary
 * @returns {Table}
 */
function queueTable ({ queues }) {
  const titles = ['queue', 'what', 'insert', 'cancel', 'reschedule', 'next', 'advance', 'order', 'accuracy', 'origin']
  return {
    kind: 'table',
    caption: 'The queues and what they promise',
    columns: titles.map(title => ({ title, numeric: false })),
    rows: queues.map(({ name, origin, meta: { title, complexity: c, order, accuracy } }) => ({
      isControl: false,
      cells: [name, title, c.insert, c.cancel, c.reschedule, c.nextExpiry, c.advance, order, formatAccuracy(accuracy), origin].map(text => ({ text }))
    }))
  }
}

/** @param {Summary} summary */
function howToRead ({ cells }) {
  const timed = cells.flatMap(({ metrics }) => Object.values(metrics).filter(({ n }) => n > 1))
  const read = 'Times are medians over samples, each from a fresh process. The best figure is bold, = marks the control, ratios ' +
    'are to the control. Work is counted in basic blocks executed per operation: the same every time.'
  if (timed.length === 0) return `${read} With one sample a cell no interval can be given.`
  const counts = [...new Set(timed.map(({ n }) => n))].sort((a, b) => a - b)
  const coverage = Math.floor(100 * Math.min(...timed.map(({ coverage }) => coverage)))
  const range = [...new Set([counts[0], counts[counts.length - 1]])].join(' to ')
  const caution = ' That is weak: with more rounds, what is called level here may come apart, and the other way round.'
  return `${read} In brackets: the interval that holds the true median with a probability of ${coverage} % or more ` +
    `(${range} samples a cell).${coverage < WEAK_COVERAGE ? caution : ''}`
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
    ...(pros.length + cons.length === 0 ? [paragraph('What was measured speaks neither for it nor against it.')] : [])
  ]
}

/** @param {import('../findings/gather.js').Remark[]} remarks */
function describe (remarks) {
  return gather(remarks).map(({ queue, place, reason }) => `${queue} on ${[place, reason].filter(Boolean).join(': ')}.`)
}

/**
 * @param {Summary} summary
 * @returns {Block[]}
 */
function openQuestions (summary) {
  const { skipped, cells, warnings } = summary
  const open = undecided(summary)
  const odd = cells.flatMap((cell, index) => cell.warnings.map(warning => {
    const [kind] = warning.split(': ', 1)
    return { ...cell, index, kind, reason: warning.slice(kind.length + 2) }
  }))
  const kinds = [...new Set(odd.map(({ kind }) => kind))]
  const blocks = [
    ...warnings.map(warning => paragraph(`${capitalise(warning)}.`)),
    ...(open.length > 0 ? [list(open, 'Undecided')] : []),
    ...(skipped.length > 0 ? [list(describe(skipped), 'Skipped or failed')] : []),
    ...kinds.map(kind => {
      const own = odd.filter(each => each.kind === kind)
      return fold(`${capitalise(kind)}: ${new Set(own.map(({ index }) => index)).size} of ${cells.length} cells`, [list(describe(own))])
    })
  ]
  return blocks.length > 0 ? blocks : [paragraph('None: every cell was measured, and wherever queues were compared, the least is shown to be the least.')]
}
