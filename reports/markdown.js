/** A run as a markdown report, in the manner of the wiki page that timerq started from. */
import { markdownTable } from 'markdown-table'
import { formatInterval, formatNumber, formatParams, formatRatio } from './format.js'
import { formatAccuracy } from './list.js'
import { tablesOf } from './tables.js'

/**
 * @param {import('../harness/summary.js').Summary} summary
 */
export function renderMarkdown (summary) {
  const tables = tablesOf(summary)
  return [
    '# Which queue should hold the pending timers?',
    question(summary),
    '## How to reproduce',
    reproduction(summary),
    '## The queues',
    queueTable(summary),
    '## Results',
    `The best figure of each table is **bold**; = is the control. Medians of ${summary.settings.rounds} samples, each from a fresh process, with their intervals; ratios are to the control. Work is counted in basic blocks executed per operation, exactly.`,
    ...tables.flatMap((table, index) => [
      ...(table.scenario === tables[index - 1]?.scenario ? [] : [`### ${table.scenario}`, `${table.title}.`]),
      `${capitalise(formatParams(table.params))}, Node ${table.runtime}:`,
      ...(table.rows.length > 0 ? [resultTable(table)] : ['Nothing was measured here.'])
    ]),
    ...openQuestions(summary)
  ].join('\n\n') + '\n'
}

/** @param {import('../harness/summary.js').Summary} summary */
function question ({ queues, scenarios, cells }) {
  return `${queues.length} queues, ${scenarios.length} scenarios, ${cells.length} cells measured: ${scenarios.map(({ name, source }) => `${name} (${source})`).join('; ')}.`
}

/** @param {import('../harness/summary.js').Summary} summary */
function reproduction ({ command, settings, environment: e, run, started }) {
  const memory = `${formatNumber(e.memoryBytes / 2 ** 30)} GiB`
  return [
    '```sh\n' + [...command, ...(command.some(part => part.startsWith('--seed')) ? [] : ['--seed', String(settings.seed)])].join(' ') + '\n```',
    markdownTable([
      ['', ''],
      ['machine', `${e.cores} x ${e.cpu}, ${memory}`],
      ['system', `${e.kernel}${e.governor ? `, governor ${e.governor}` : ''}`],
      ['noise before the run', `load average ${e.loadAverage.join(', ')}${e.stealPercent === null ? '' : `; ${e.stealPercent} % of the time since boot stolen by other guests`}`],
      ['Node', `${e.node}, V8 ${e.v8}`],
      ['load generator', e.loadGenerator],
      ['pinning', e.pinning],
      ['revision', e.gitCommit ?? 'not in a repository'],
      ['started', started],
      ['results', `\`${run}\``]
    ])
  ].join('\n\n')
}

/** @param {import('../harness/summary.js').Summary} summary */
function queueTable ({ queues }) {
  return markdownTable([
    ['queue', 'what', 'insert', 'cancel', 'reschedule', 'next expiry', 'advance', 'order', 'accuracy', 'origin'],
    ...queues.map(({ name, origin, meta: { title, complexity: c, order, accuracy } }) =>
      [name, title, c.insert, c.cancel, c.reschedule, c.nextExpiry, c.advance, order, formatAccuracy(accuracy), origin])
  ].map(row => row.map(escapeCell)))
}

/** @param {import('./tables.js').Table} content */
function resultTable ({ columns, rows }) {
  return markdownTable([
    ['queue', ...columns.flatMap(({ title, ratio }) => ratio ? [title, 'ratio'] : [title]), 'samples'],
    ...rows.map(({ queue, isControl, values }) => [
      isControl ? `= ${escapeCell(queue)}` : escapeCell(queue),
      ...values.flatMap((value, index) => columns[index].ratio ? [renderValue(value), renderRatio(value)] : [renderValue(value)]),
      String(values[0]?.metric.n ?? '')
    ])
  ], { align: ['l', ...columns.flatMap(({ ratio }) => ratio ? ['r', 'r'] : ['r']), 'r'] })
}

/** @param {import('./tables.js').Value | null} value */
function renderValue (value) {
  if (value === null) return '-'
  const text = formatInterval(value.metric)
  return value.best ? `**${text}**` : text
}

/** @param {import('./tables.js').Value | null} value */
const renderRatio = value => value === null || value.ratio === null ? '' : formatRatio(value.ratio)

/**
 * @param {import('../harness/summary.js').Summary} summary
 * @returns {string[]}
 */
function openQuestions ({ skipped, cells, warnings }) {
  const lines = [
    ...skipped.map(({ scenario, params, queue, reason }) => `- ${queue}, ${scenario}, ${formatParams(params)}: ${reason}`),
    ...cells.flatMap(({ scenario, params, queue, warnings }) => warnings.map(warning => `- ${queue}, ${scenario}, ${formatParams(params)}: ${warning}`)),
    ...warnings.map(warning => `- ${warning}`)
  ]
  return lines.length === 0 ? [] : ['## Open questions', 'What was skipped, failed or looked odd:', lines.map(escapeCell).join('\n')]
}

/** @param {string} text */
function escapeCell (text) {
  return text.replaceAll(/[|<>\\`*_]/g, '\\$&').replaceAll('\n', ' ')
}

/** @param {string} text */
const capitalise = text => text.charAt(0).toUpperCase() + text.slice(1)
