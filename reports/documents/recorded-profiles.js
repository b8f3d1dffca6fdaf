/**
 * Profiles that `timerq profile` has just recorded, tool by tool: queue shares, garbage, samples of perf, files of
 * other tools.
 */
import { tableId } from '../../harness/model/cell.js'
import { groupBy } from '../../harness/model/group-by.js'
import { formatCount, formatNumber, placeOf } from '../../harness/model/numbers.js'
import { createDocument, list, number, paragraph, section, warnings, words } from '../blocks.js'
import { profilesAmong } from '../samples.js'
import { CPU_COLUMNS, nameProfile, shareCell } from './profiles.js'

/**
 * @import { Results, Sample } from '../../harness/store/results.js'
 * @import { Document } from '../blocks.js'
 *
 * @typedef {object} ToolTable
 * @property {string} title
 * @property {string} note
 * @property {(sample: Sample) => number} rank  The lowest first.
 * @property {typeof CPU_COLUMNS} columns
 * @property {(sample: Sample) => {upToMs: number, count: number}[]} [pauses]
 */

/** @type {Record<string, ToolTable>} */
const TABLES = {
  cpu: {
    title: 'Queue shares of busy CPU',
    note: "own: the queue's functions; with calls: and the native code they call;\n+ service: and the timer service; error: of the profile, for a function of\nknown cost; idle: of the window.",
    rank: ({ metrics }) => metrics.queueShare,
    columns: CPU_COLUMNS
  },
  gc: {
    title: 'Garbage',
    note: 'allocated: on the heap, per request or operation, and per second.',
    rank: ({ metrics }) => metrics.allocatedBytesPerOp ?? metrics.allocatedBytesPerRequest,
    pauses: ({ details }) => details.garbage.histogram,
    columns: [
      {
        title: 'allocated',
        cell: ({ metrics: { allocatedBytesPerOp: perOp, allocatedBytesPerRequest: perRequest } }) => ({
          text: perOp === undefined ? `${formatNumber(perRequest)} B/req` : `${formatNumber(perOp)} B/op`
        })
      },
      {
        title: 'rate',
        cell: ({ details }) => ({ text: `${formatNumber(details.garbage.allocatedBytesPerSecond / 1e6)} MB/s` })
      },
      { title: 'GCs', cell: ({ metrics }) => ({ text: formatNumber(metrics.gcCount) }) },
      { title: 'pauses', cell: ({ metrics }) => ({ text: `${formatNumber(metrics.gcPauseMs)} ms` }) },
      { title: 'longest', cell: ({ details }) => ({ text: `${formatNumber(details.garbage.all.longestMs)} ms` }) },
      { title: 'of CPU', cell: ({ metrics }) => shareCell(metrics.gcShare) }
    ]
  },
  perf: {
    title: 'Samples of perf',
    note: 'kernel: with system calls, which V8 counts as idle or as time of their callers.',
    rank: ({ details }) => details.shares.javascript,
    columns: [
      ...['javascript', 'native', 'kernel'].map(part => ({
        title: part === 'javascript' ? 'JavaScript' : part,
        cell: (/** @type {Sample} */ { details }) => shareCell(details.shares[part])
      })),
      { title: 'samples', cell: ({ details }) => ({ text: formatNumber(details.shares.samples) }) }
    ]
  }
}

/**
 * @param {Results} results
 * @returns {Document}
 */
export function recordedProfilesDocument ({ run, samples }) {
  const profiled = profilesAmong(samples)
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
        ...(others.length > 0
          ? [list(others.map(({ queue, details }) => `${queue}, ${details.tool}: ${details.files.join(', ')}`))]
          : []),
        ...warnings([
          ...recorded.flatMap(({ queue, warnings }) => warnings.map(warning => `${queue}: ${warning}`)),
          ...profiled.flatMap(({ queue, scenario, failure }) =>
            failure ? [`failed: ${queue} on ${scenario}, ${failure.message}`] : []
          )
        ])
      ])
    ]
  )
}

/**
 * @param {Sample[]} group  Of one tool and place.
 * @param {string} ownRuntime
 */
function toolSection (group, ownRuntime) {
  const [
    {
      details: { tool },
      scenario,
      params,
      runtime
    }
  ] = group
  const { title, note, rank, columns, pauses = () => [] } = TABLES[tool]
  const rows = [...group]
    .sort((a, b) => rank(a) - rank(b))
    .map(sample => ({ sample, name: nameProfile(sample, group) }))
  const where = placeOf({ scenario, params, runtime: runtime === ownRuntime ? undefined : runtime })
  const paused = rows.filter(({ sample }) => pauses(sample).length > 0)
  return section(`${title}: ${where}`, [
    {
      kind: 'table',
      caption: title,
      short: '',
      columns: [words('queue'), ...columns.map(({ title }) => number(title))],
      rows: rows.map(({ sample, name }, i) => ({
        queue: sample.queue,
        cells: [
          { text: name, ...(i === 0 ? { tone: /** @type {const} */ ('good') } : {}) },
          ...columns.map(({ cell }) => cell(sample))
        ]
      }))
    },
    ...(paused.length > 0
      ? [list(paused.map(({ sample, name }) => `${name}: ${describePauses(pauses(sample))}`))]
      : []),
    paragraph(note)
  ])
}

/** @param {{upToMs: number, count: number}[]} histogram */
function describePauses (histogram) {
  return histogram
    .map(({ upToMs, count }) => `${formatCount(count, 'pause')} up to ${formatNumber(upToMs)} ms`)
    .join(', ')
}
