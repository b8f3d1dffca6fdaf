/**
 * A run as a document, in the manner of the wiki page that timerq started from: the question, how to reproduce, the
 * queues, results, pros and cons, conclusion, open questions. What it says, not how it looks: markdown.js and page/ do that.
 */
import { code, fold, list, paragraph, picture, section } from './blocks.js'
import { comparisonSection } from './comparison-section.js'
import { formatInterval, formatNumber, formatParams, formatRatio } from './format.js'
import { figuresOf } from './figures.js'
import { conclusion, crossovers, prosAndCons, undecided } from './findings/index.js'
import { formatAccuracy } from './list.js'
import { metricTitle } from './metric-names.js'
import { concludeProfiles, profilesSection } from './profiles-section.js'
import { isMapped, linesOf, sweepsOf } from './sweeps.js'
import { tablesOf } from './tables.js'

/**
 * @typedef {import('../harness/results.js').Results} Results
 * @typedef {import('../harness/summary.js').Summary} Summary
 * @typedef {import('../harness/summary.js').CellSummary} CellSummary
 * @typedef {import('./blocks.js').Document} Document
 * @typedef {import('./blocks.js').Section} Section
 * @typedef {import('./blocks.js').Block} Block
 * @typedef {import('./blocks.js').Table} Table
 * @typedef {import('./blocks.js').TableCell} TableCell
 * @typedef {import('./blocks.js').Facts} Facts
 */

/** Intervals that hold the true median less often than this, in percent, say little. */
const WEAK_COVERAGE = 90

/**
 * @param {Results} results
 * @param {Summary} summary
 * @param {object} [more]
 * @param {import('../harness/compare.js').ComparisonRecord | null} [more.comparison]  With another run.
 * @param {import('./profiles-section.js').Profile[]} [more.profiles]
 * @returns {Document}
 */
export function documentOf (results, summary, { comparison = null, profiles = [] } = {}) {
  const { short, points } = conclusion(summary)
  const turns = crossovers(summary)
  return {
    title: 'Which queue should hold the pending timers?',
    blocks: [paragraph(`In short: ${short}`)],
    sections: [
      section('The question', question(summary)),
      section('How to reproduce it', [code(shellCommand(summary), 'sh'), facts(summary)]),
      ...(comparison ? [comparisonSection(comparison)] : []),
      section('The queues', [
        paragraph('What each declares of itself, for n pending and k expiring timers; timerq check verifies it.'),
        queueTable(summary)
      ]),
      section('Results', [paragraph(howToRead(summary))], scenarioSections(results, summary)),
      ...(profiles.length > 0 ? [profilesSection(profiles)] : []),
      section('Pros and cons', [paragraph('Computed from the figures above: a con is what takes twice the least or more, or grows ' +
        'with the pending timers. Level means that the intervals overlap.')],
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
function shellCommand ({ command, settings }) {
  const seed = command.some(part => part.startsWith('--seed')) ? [] : ['--seed', String(settings.seed)]
  return [...command, ...seed].map(quote).join(' ')
}

/**
 * For a shell.
 *
 * @param {string} argument
 */
function quote (argument) {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}

/**
 * @param {Summary} summary
 * @returns {Facts}
 */
function facts ({ environment: e, run, started, settings }) {
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
      ['results', run]
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
 * @param {Results} results
 * @param {Summary} summary
 * @returns {Section[]}
 */
function scenarioSections (results, summary) {
  const figures = figuresOf(results, summary)
  const tables = tablesOf(summary)
  const sweeps = sweepsOf(summary)
  return summary.scenarios.map(({ name, title, kind }) => {
    const own = tables.filter(({ scenario }) => scenario === name)
    const all = own.map(table => resultTable(table, summary))
    const drawn = figures.filter(({ scenario }) => scenario === name)
    const lines = sweeps.filter(({ scenario }) => scenario === name).flatMap(linesOf).filter(({ parameter }) => parameter !== null)
    const mapped = lines.filter(({ sweep }) => isMapped(sweep))
    const pivots = lines.filter(line => !mapped.includes(line)).flatMap(line => pivotTables(line, kind, summary))
    return section(name, [
      paragraph(`What is measured: ${title}.`),
      ...drawn.filter(({ line }) => line === null).map(({ figure }) => picture(figure)),
      ...pivots,
      ...mapped.map(line => fold(capitalise(formatParams(line.others)), [
        ...drawn.filter(other => other.line !== null && isSameLine(other.line, line)).map(({ figure }) => picture(figure)),
        ...pivotTables(line, kind, summary)
      ])),
      ...(lines.length > 0 ? [fold('All figures, one by one', all)] : all),
      ...(own.some(({ rows }) => rows.length > 0) ? [] : [paragraph('Nothing was measured here.')])
    ])
  })
}

/**
 * @param {import('./sweeps.js').Line} a
 * @param {import('./sweeps.js').Line} b
 */
function isSameLine (a, b) {
  return a.sweep.runtime === b.sweep.runtime && formatParams(a.others) === formatParams(b.others)
}

/**
 * What matters most over the swept parameter.
 *
 * @param {import('./sweeps.js').Line} line
 * @param {'micro' | 'http'} kind
 * @param {Summary} summary
 * @returns {Table[]}
 */
function pivotTables (line, kind, summary) {
  const has = (/** @type {string} */ metric) => line.cells.some(({ metrics }) => metrics[metric])
  const wanted = kind === 'http' ? ['cpuMicrosPerRequest'] : has('startNsPerTimer') ? ['startNsPerTimer', 'expireNsPerTimer'] : ['nsPerOp']
  return wanted.filter(has).map(metric => pivotTable(line, metric, summary))
}

/**
 * @param {import('./sweeps.js').Line} line
 * @param {string} metric
 * @param {Summary} summary
 * @returns {Table}
 */
function pivotTable ({ sweep, parameter, values, others, cells }, metric, summary) {
  const name = /** @type {string} */ (parameter)
  const measured = cells.filter(({ metrics }) => metrics[metric])
  const leastAt = new Map(values.map(value => {
    const here = measured.filter(({ params }) => params[name] === value)
    return [value, Math.min(...here.map(({ metrics }) => metrics[metric].median))]
  }))
  const largest = (/** @type {string} */ queue) => {
    const own = measured.filter(cell => cell.queue === queue).sort((a, b) => b.params[name] - a.params[name])
    return { reach: -own[0].params[name], median: own[0].metrics[metric].median }
  }
  const queues = [...new Set(measured.map(({ queue }) => queue))].map(queue => ({ queue, ...largest(queue) }))
    .sort((a, b) => a.reach - b.reach || a.median - b.median)
  return {
    kind: 'table',
    caption: [
      `${capitalise(metricTitle(metric))}, ${measured[0].metrics[metric].unit}, by ${name}`,
      formatParams(others),
      sweep.onlyRuntime ? '' : `Node ${sweep.runtime}`
    ].filter(Boolean).join(', '),
    columns: [{ title: 'queue', numeric: false }, ...values.map(value => ({ title: formatParams({ '': value }).trim(), numeric: true }))],
    rows: queues.map(({ queue }) => ({
      isControl: queue === sweep.control,
      cells: [{ text: queue }, ...values.map(value => {
        const cell = measured.find(({ queue: own, params }) => own === queue && params[name] === value)
        return cell ? figureCell(summary, cell, metric, cell.metrics[metric].median === leastAt.get(value)) : { text: '-' }
      })]
    }))
  }
}

/**
 * @param {import('./tables.js').Table} content
 * @param {Summary} summary
 * @returns {Table}
 */
function resultTable ({ scenario, params, runtime, columns, rows }, summary) {
  const cellOf = (/** @type {string} */ queue) => /** @type {CellSummary} */ (summary.cells.find(cell =>
    cell.queue === queue && cell.scenario === scenario && cell.runtime === runtime && formatParams(cell.params) === formatParams(params)))
  return {
    kind: 'table',
    caption: `${capitalise([formatParams(params), `Node ${runtime}`].filter(Boolean).join(', '))}`,
    columns: [
      { title: 'queue', numeric: false },
      ...columns.flatMap(({ title, ratio }) => [{ title, numeric: true }, ...(ratio ? [{ title: 'ratio', numeric: true }] : [])]),
      { title: 'samples', numeric: true }
    ],
    rows: rows.map(({ queue, isControl, values }) => ({
      isControl,
      cells: [
        { text: queue },
        ...values.flatMap((value, i) => {
          const cell = value ? figureCell(summary, cellOf(queue), columns[i].metric, value.best) : { text: '-' }
          return columns[i].ratio ? [cell, value?.ratio ? { text: formatRatio(value.ratio), sort: value.ratio } : { text: '' }] : [cell]
        }),
        { text: String(values[0]?.metric.n ?? ''), sort: values[0]?.metric.n }
      ]
    }))
  }
}

/**
 * @param {Summary} summary
 * @param {CellSummary} cell
 * @param {string} metric
 * @param {boolean} best
 * @returns {TableCell}
 */
function figureCell ({ cells }, cell, metric, best) {
  return { text: formatInterval(cell.metrics[metric]), best, sort: cell.metrics[metric].median, cell: cells.indexOf(cell) }
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
    ...(pros.length + cons.length === 0 ? [paragraph('Nothing that was measured tells it apart from the others.')] : [])
  ]
}

/**
 * @param {Summary} summary
 * @returns {Block[]}
 */
function openQuestions (summary) {
  const { skipped, cells, warnings } = summary
  const open = undecided(summary)
  const missing = skipped.map(({ scenario, params, queue, reason }) => `${queue} on ${scenario}, ${formatParams(params)}: ${reason}.`)
  const odd = cells.flatMap(({ scenario, params, queue, warnings }) => warnings.map(warning => {
    const [kind] = warning.split(':')
    return { kind, text: `${queue} on ${scenario}, ${formatParams(params)}${warning.slice(kind.length)}.` }
  }))
  const kinds = [...new Set(odd.map(({ kind }) => kind))]
  const blocks = [
    ...warnings.map(warning => paragraph(`${capitalise(warning)}.`)),
    ...(open.length > 0 ? [list(open, 'Undecided')] : []),
    ...(missing.length > 0 ? [list(missing, 'Skipped or failed')] : []),
    ...kinds.map(kind => {
      const own = odd.filter(each => each.kind === kind)
      return fold(`${capitalise(kind)}: ${own.length} of ${cells.length} cells`, [list(own.map(({ text }) => text))])
    })
  ]
  return blocks.length > 0 ? blocks : [paragraph('None: every cell was measured, and where two queues led, their intervals are apart.')]
}

/** @param {string} text */
const capitalise = text => text.charAt(0).toUpperCase() + text.slice(1)
