/** What profiles say, for a terminal of 80 columns: queue shares first, then garbage, then other tools' files. */
import { getBorderCharacters, table } from 'table'
import { formatNumber, formatPoints, placeOf } from '../../harness/model/numbers.js'
import { nameProfile } from './profile-names.js'

/**
 * @typedef {import('../../harness/results.js').Sample} Sample
 * @typedef {import('../render/terminal.js').Style} Style
 *
 * @typedef {object} Column
 * @property {string} title
 * @property {(sample: Sample) => string} text
 */

/** @type {Record<string, {title: string, note: string, rank: (sample: Sample) => number, columns: Column[], more?: (sample: Sample, name: string) => string}>} */
const TABLES = {
  cpu: {
    title: 'Queue shares of busy CPU',
    note: "own: the queue's functions; with calls: and the native code they call;\n+ service: and the timer service; error: of the profile, at a function of known\ncost; idle: of the window.",
    rank: ({ metrics }) => metrics.queueShare,
    columns: [
      { title: 'with calls', text: ({ details }) => percent(details.shares.queue.inclusive) },
      { title: 'own', text: ({ details }) => percent(details.shares.queue.self) },
      { title: '+ service', text: ({ details }) => percent(details.shares.timers.inclusive) },
      { title: 'GC', text: ({ details }) => percent(details.shares.collector) },
      { title: 'error', text: ({ details }) => formatPoints(details.fidelity.error) },
      { title: 'idle', text: ({ details }) => percent(details.shares.idle) }
    ]
  },
  gc: {
    title: 'Garbage',
    note: 'allocated: on the heap, per request or operation, and per second.',
    more: ({ details: { garbage: { histogram } } }, name) =>
      histogram.length === 0 ? '' : `${name}: ${histogram.map((/** @type {any} */ { upToMs, count }) => `${count} ${count === 1 ? 'pause' : 'pauses'} up to ${formatNumber(upToMs)} ms`).join(', ')}\n`,
    rank: ({ metrics }) => metrics.allocatedBytesPerOp ?? metrics.allocatedBytesPerRequest,
    columns: [
      { title: 'allocated', text: ({ metrics }) => metrics.allocatedBytesPerOp === undefined ? `${formatNumber(metrics.allocatedBytesPerRequest)} B/req` : `${formatNumber(metrics.allocatedBytesPerOp)} B/op` },
      { title: 'rate', text: ({ details }) => `${formatNumber(details.garbage.allocatedBytesPerSecond / 1e6)} MB/s` },
      { title: 'GCs', text: ({ metrics }) => formatNumber(metrics.gcCount) },
      { title: 'pauses', text: ({ metrics }) => `${formatNumber(metrics.gcPauseMs)} ms` },
      { title: 'longest', text: ({ details }) => `${formatNumber(details.garbage.all.longestMs)} ms` },
      { title: 'of CPU', text: ({ metrics }) => percent(metrics.gcShare) }
    ]
  },
  perf: {
    title: 'Samples of perf',
    note: 'kernel: system calls too, which V8 calls idle or charges to their callers.',
    rank: ({ details }) => details.shares.javascript,
    columns: [
      { title: 'JavaScript', text: ({ details }) => percent(details.shares.javascript) },
      { title: 'native', text: ({ details }) => percent(details.shares.native) },
      { title: 'kernel', text: ({ details }) => percent(details.shares.kernel) },
      { title: 'samples', text: ({ details }) => formatNumber(details.shares.samples) }
    ]
  }
}

/**
 * @param {import('../../harness/results.js').Results} results
 * @param {Style} style
 */
export function renderProfiles ({ run, samples }, style) {
  const taken = samples.filter(({ channel, failure }) => channel === 'profile' && !failure)
  const failed = samples.filter(({ channel, failure }) => channel === 'profile' && failure)
  const groupOf = (/** @type {Sample} */ { details, scenario, params, runtime }) => JSON.stringify([details.tool, scenario, params, runtime])
  const groups = [...new Set(taken.map(groupOf))].filter(key => JSON.parse(key)[0] in TABLES)
  const sections = groups.map(key => renderGroup(key, taken.filter(sample => groupOf(sample) === key), run.environment.node, style))
  const warnings = taken.flatMap(({ queue, warnings }) => warnings.map(warning => style.yellow(`warning: ${queue}: ${warning}\n`)))
  const pages = taken.filter(({ details }) => !(details.tool in TABLES))
    .map(({ queue, details }) => `${queue}, ${details.tool}: ${details.files.join(', ')}\n`)
  const failures = failed.map(({ queue, scenario, failure }) => style.yellow(`failed: ${queue} on ${scenario}, ${failure?.message}\n`))
  return [...sections, pages.join(''), [...warnings, ...failures].join('')].filter(Boolean).join('\n')
}

/**
 * @param {string} key
 * @param {Sample[]} group
 * @param {string} ownRuntime
 * @param {Style} style
 */
function renderGroup (key, group, ownRuntime, style) {
  const [tool, scenario, params, runtime] = JSON.parse(key)
  const { title, note, rank, columns, more = () => '' } = TABLES[tool]
  const rows = [...group].sort((a, b) => rank(a) - rank(b)).map(sample => ({ sample, name: nameProfile(sample, group) }))
  const lines = [
    ['', ...columns.map(({ title }) => style.dim(title))],
    ...rows.map(({ sample, name }, index) => [index === 0 ? style.green(name) : name, ...columns.map(({ text }) => text(sample))])
  ]
  const where = placeOf({ scenario, params, runtime: runtime === ownRuntime ? undefined : runtime })
  return `${style.bold(title)}: ${where}\n${columnsOf(lines)}${rows.map(({ sample, name }) => more(sample, name)).join('')}${style.dim(note)}\n`
}

/** @param {string[][]} lines */
function columnsOf (lines) {
  return table(lines, {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: 2, alignment: 'right' },
    columns: { 0: { alignment: 'left' } },
    drawHorizontalLine: () => false
  }).replaceAll(/ +$/gm, '')
}

/** @param {number} share */
const percent = share => `${(100 * share).toFixed(1)} %`
