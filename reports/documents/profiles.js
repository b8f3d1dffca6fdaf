/**
 * Profiles, as a report shows them and as `timerq profile` has just recorded them: queue shares, garbage, samples of
 * perf, files of other tools.
 */
import { tableId } from '../../harness/model/cell.js'
import { groupBy } from '../../harness/model/group-by.js'
import { formatCount, formatNumber, formatPoints, formatShare, placeOf } from '../../harness/model/numbers.js'
import { describeWarning } from '../../harness/model/warnings.js'
import { code, createDocument, figure, fold, list, number, paragraph, section, table, warnings } from '../blocks.js'
import { renderHeavyProfile } from './heavy-profile.js'

/**
 * @import { Results, Sample } from '../../harness/store/results.js'
 * @import { Code, Document, Link, Section, TableCell } from '../blocks.js'
 *
 * @typedef {object} Profile
 * @property {Sample} sample
 * @property {Parameters<typeof renderHeavyProfile>[0]} heavy
 * @property {Parameters<typeof renderHeavyProfile>[1]} heading
 *
 * @typedef {object} ToolTable
 * @property {string} title
 * @property {string} note
 * @property {(sample: Sample) => number} rank  The lowest first.
 * @property {Record<string, (sample: Sample) => TableCell>} columns
 */

/** Lines of a heavy profile; the file next to the profile has all of them. */
const EXCERPT_LINES = 32

/** @param {number} share */
const shareCell = share => figure(formatShare(share), share)

/**
 * @param {number} value
 * @param {string} [unit]
 */
const numberCell = (value, unit = '') => figure(`${formatNumber(value)}${unit}`, value)

/**
 * Tables of the tools that give figures.
 *
 * @type {Record<string, ToolTable>}
 */
const TABLES = {
  cpu: {
    title: 'Queue shares of busy CPU',
    note:
      "own: the queue's functions; with calls: and the native code they call;\n" +
      '+ service: and the timer service; error: of the profile, for a function of\n' +
      'known cost; idle: of the window.',
    rank: ({ metrics }) => metrics.queueShare,
    columns: {
      'with calls': ({ details }) => shareCell(details.shares.queue.inclusive),
      own: ({ details }) => shareCell(details.shares.queue.self),
      '+ service': ({ details }) => shareCell(details.shares.timers.inclusive),
      GC: ({ details }) => shareCell(details.shares.collector),
      error: ({ details: { fidelity } }) => figure(fidelity ? formatPoints(fidelity.error) : '-', fidelity?.error),
      idle: ({ details }) => shareCell(details.shares.idle)
    }
  },
  gc: {
    title: 'Garbage',
    note: 'allocated: on the heap, per request or operation, and per second.',
    rank: ({ metrics }) => metrics.allocatedBytesPerOp ?? metrics.allocatedBytesPerRequest,
    columns: {
      allocated: ({ metrics: { allocatedBytesPerOp: perOp, allocatedBytesPerRequest: perRequest } }) =>
        perOp === undefined ? numberCell(perRequest, ' B/req') : numberCell(perOp, ' B/op'),
      rate: ({ details }) => numberCell(details.garbage.allocatedBytesPerSecond / 1e6, ' MB/s'),
      GCs: ({ metrics }) => numberCell(metrics.gcCount),
      pauses: ({ metrics }) => numberCell(metrics.gcPauseMs, ' ms'),
      longest: ({ details }) => numberCell(details.garbage.all.longestMs, ' ms'),
      'of CPU': ({ metrics }) => shareCell(metrics.gcShare)
    }
  },
  perf: {
    title: 'Samples of perf',
    note: 'kernel: with system calls, which V8 counts as idle or as time of their callers.',
    rank: ({ details }) => details.shares.javascript,
    columns: {
      JavaScript: ({ details }) => shareCell(details.shares.javascript),
      native: ({ details }) => shareCell(details.shares.native),
      kernel: ({ details }) => shareCell(details.shares.kernel),
      samples: ({ details }) => numberCell(details.shares.samples)
    }
  }
}

/**
 * CPU profiles in a report: shares first; then, folded, the heaviest functions of each queue's server.
 *
 * @param {Profile[]} profiles
 * @param {Link[]} files  Written by the tools.
 * @returns {Section}
 */
export function profilesSection (profiles, files) {
  const about = paragraph(
    "CPU of the server under load, by V8's sampling profiler, with shares corrected by the kernel's counts. " +
      'The error is that of the same profile for a function of known cost.'
  )
  const links = /** @type {const} */ ({
    kind: 'links',
    title: 'Profiles open in Chrome DevTools and speedscope, the rest in a browser',
    links: files
  })
  const drawn = new Map(profiles.map(profile => [profile.sample, profile]))
  return section(
    'Profiles',
    [profiles.length > 0 && about, files.length > 0 && fold('Every profile, as files', [links])],
    [...groupBy(drawn.keys(), placeOf)].map(([place, group]) => {
      const rows = rowsOf(group, TABLES.cpu)
      const excerpts = rows.map(({ name, sample }) =>
        fold(`${name}: heaviest functions`, [excerpt(/** @type {Profile} */ (drawn.get(sample)))])
      )
      return section(place, [toolTable(rows, TABLES.cpu), paragraph(TABLES.cpu.note), ...excerpts])
    })
  )
}

/**
 * Profiles that `timerq profile` has just recorded, tool by tool.
 *
 * @param {Results} results
 * @returns {Document}
 */
export function recordedProfilesDocument ({ run, samples }) {
  const profiled = [...samples].filter(({ kind }) => kind === 'profile')
  const recorded = profiled.filter(({ failure }) => !failure)
  const [tabled, others] = [true, false].map(isTabled =>
    recorded.filter(({ details }) => Object.hasOwn(TABLES, details.tool) === isTabled)
  )
  const groups = groupBy(tabled, sample => `${sample.details.tool} ${tableId(sample)}`)
  return createDocument(
    [],
    [
      ...[...groups.values()].map(group => toolSection(group, run.environment.node)),
      section('', [
        list(others.map(({ queue, details }) => `${queue}, ${details.tool}: ${details.files.join(', ')}`)),
        warnings([
          ...recorded.flatMap(({ queue, warnings }) =>
            warnings.map(warning => `${queue}: ${describeWarning(warning)}`)
          ),
          ...profiled.map(
            ({ queue, scenario, failure }) => failure && `failed: ${queue} on ${scenario}, ${failure.message}`
          )
        ])
      ])
    ]
  )
}

/**
 * @param {Sample[]} group  Samples of one tool and place; at least one.
 * @param {string} ownRuntime
 */
function toolSection (group, ownRuntime) {
  const [{ details, scenario, params, runtime }] = group
  const tool = TABLES[details.tool]
  const rows = rowsOf(group, tool)
  const where = placeOf({ scenario, params, runtime: runtime === ownRuntime ? undefined : runtime })
  return section(`${tool.title}: ${where}`, [
    toolTable(rows, tool),
    list(rows.map(({ sample, name }) => describePauses(name, sample))),
    paragraph(tool.note)
  ])
}

/**
 * @param {Sample[]} group
 * @param {ToolTable} tool
 * @returns {{name: string, sample: Sample}[]} `name`: the queue, and the round if it was profiled in several
 */
const rowsOf = (group, { rank }) =>
  group
    .toSorted((a, b) => rank(a) - rank(b))
    .map(sample => {
      const isOnly = group.filter(({ queue }) => queue === sample.queue).length === 1
      return { sample, name: isOnly ? sample.queue : `${sample.queue} (round ${sample.round + 1})` }
    })

/**
 * @param {ReturnType<typeof rowsOf>} rows
 * @param {ToolTable} tool
 */
const toolTable = (rows, { title, columns }) =>
  table({
    caption: title,
    short: '',
    columns: ['queue', ...Object.keys(columns).map(title => number(title))],
    rows: rows.map(({ sample, name }, i) => ({
      queue: sample.queue,
      cells: [{ text: name, tone: i === 0 ? 'good' : undefined }, ...Object.values(columns).map(cell => cell(sample))]
    }))
  })

/** @type {(name: string, sample: Sample) => string | false} */
function describePauses (name, { details: { garbage } }) {
  const pauses = (garbage?.histogram ?? []).map(
    (/** @type {{upToMs: number, count: number}} */ { upToMs, count }) =>
      `${formatCount(count, 'pause')} up to ${formatNumber(upToMs)} ms`
  )
  return pauses.length > 0 && `${name}: ${pauses.join(', ')}`
}

/**
 * @param {Profile} profile
 * @returns {Code}
 */
function excerpt ({ heavy, heading }) {
  const lines = renderHeavyProfile(heavy, heading).trimEnd().split('\n')
  const rest = lines.splice(EXCERPT_LINES).length
  return code([...lines, ...(rest > 0 ? [`  (${rest} more lines)`] : [])].join('\n'))
}
