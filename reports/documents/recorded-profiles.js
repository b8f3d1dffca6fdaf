/**
 * Profiles that `timerq profile` has just recorded, tool by tool: queue shares, garbage, samples of perf, files of
 * other tools.
 */
import { describeWarning } from '../../harness/model/warnings.js'
import { tableId } from '../../harness/model/cell.js'
import { groupBy } from '../../harness/model/group-by.js'
import { formatCount, formatNumber, placeOf } from '../../harness/model/numbers.js'
import { createDocument, list, number, paragraph, section, table, warnings } from '../blocks.js'
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
    note:
      "own: the queue's functions; with calls: and the native code they call;\n" +
      '+ service: and the timer service; error: of the profile, for a function of\n' +
      'known cost; idle: of the window.',
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
      { title: 'JavaScript', cell: ({ details }) => shareCell(details.shares.javascript) },
      { title: 'native', cell: ({ details }) => shareCell(details.shares.native) },
      { title: 'kernel', cell: ({ details }) => shareCell(details.shares.kernel) },
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
  const { title, note, rank, columns, pauses = () => [] } = TABLES[details.tool]
  const rows = group
    .toSorted((a, b) => rank(a) - rank(b))
    .map(sample => ({ sample, name: nameProfile(sample, group) }))
  const where = placeOf({ scenario, params, runtime: runtime === ownRuntime ? undefined : runtime })
  return section(`${title}: ${where}`, [
    table({
      caption: title,
      short: '',
      columns: ['queue', ...columns.map(({ title }) => number(title))],
      rows: rows.map(({ sample, name }, i) => ({
        queue: sample.queue,
        cells: [{ text: name, tone: i === 0 ? 'good' : undefined }, ...columns.map(({ cell }) => cell(sample))]
      }))
    }),
    list(rows.map(({ sample, name }) => describePauses(name, pauses(sample)))),
    paragraph(note)
  ])
}

/**
 * @param {string} name
 * @param {{upToMs: number, count: number}[]} histogram
 */
function describePauses (name, histogram) {
  const pauses = histogram.map(
    ({ upToMs, count }) => `${formatCount(count, 'pause')} up to ${formatNumber(upToMs)} ms`
  )
  return pauses.length > 0 && `${name}: ${pauses.join(', ')}`
}
