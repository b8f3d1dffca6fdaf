/**
 * Profiles, as a report shows them and as `timerq profile` has just recorded them: queue shares, files of other tools.
 */
import { groupBy } from '../../harness/model/group-by.js'
import { formatPoints, formatShare, placeOf } from '../../harness/model/numbers.js'
import { describeWarning } from '../../harness/model/warnings.js'
import { code, createDocument, figure, fold, list, number, paragraph, section, table, warnings } from '../blocks.js'
import { renderHeaviest, renderHeavyProfile } from './heavy-profile.js'

/**
 * @import { Results, Sample } from '../../harness/store/results.js'
 * @import { Block, Code, Document, Link, Section, TableCell } from '../blocks.js'
 *
 * @typedef {{name: string, sample: Sample}} Row
 *
 * @typedef {object} Profile
 * @property {Sample} sample
 * @property {Parameters<typeof renderHeavyProfile>[0]} heavy
 * @property {Parameters<typeof renderHeavyProfile>[1]} heading
 */

/** Functions shown per queue in a terminal. */
const HEAVIEST = 3
/** Lines of a heavy profile; the file next to the profile has all of them. */
const EXCERPT_LINES = 32
const NOTE =
  "own: the queue's functions; with calls: and the native code they call;\n" +
  '+ service: and the timer service; error: of the profile, for a function of\n' +
  'known cost; idle: of the window.'

/** @param {number} share */
const shareCell = share => figure(formatShare(share), share)

/** @type {Record<string, (details: Sample['details']) => TableCell>} */
const COLUMNS = {
  'with calls': ({ shares }) => shareCell(shares.queue.inclusive),
  own: ({ shares }) => shareCell(shares.queue.self),
  '+ service': ({ shares }) => shareCell(shares.timers.inclusive),
  GC: ({ shares }) => shareCell(shares.collector),
  error: ({ fidelity }) => figure(fidelity ? formatPoints(fidelity.error) : '-', fidelity?.error),
  idle: ({ shares }) => shareCell(shares.idle)
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
    sharesSections([...drawn.keys()], ({ name, sample }) =>
      fold(`${name}: heaviest functions`, [excerpt(/** @type {Profile} */ (drawn.get(sample)))])
    )
  )
}

/**
 * Profiles that `timerq profile` has recorded: the shares, the files of other tools, and the heaviest functions.
 *
 * @param {Pick<Results, 'samples'>} results
 * @param {Profile[]} [profiles]
 * @returns {Document}
 */
export function recordedProfilesDocument ({ samples }, profiles = []) {
  const profiled = [...samples].filter(({ kind }) => kind === 'profile')
  const recorded = profiled.filter(({ failure }) => !failure)
  const [measured, others] = [true, false].map(isCpu =>
    recorded.filter(({ details }) => (details.tool === 'cpu') === isCpu)
  )
  return createDocument(
    [],
    [
      ...sharesSections(measured),
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
      ]),
      ...profiles.map(({ sample, heavy }) =>
        section(`${sample.queue}: its heaviest functions`, [
          code(renderHeaviest([...heavy.javascript, ...heavy.native], HEAVIEST))
        ])
      )
    ]
  )
}

/**
 * @param {Sample[]} samples  CPU profiles.
 * @param {(row: Row) => Block} [describe]  More about a row, below the table.
 * @returns {Section[]} one for each place
 */
const sharesSections = (samples, describe) =>
  [...groupBy(samples, placeOf)].map(([place, group]) => {
    const rows = rowsOf(group)
    return section(place, [sharesTable(rows), paragraph(NOTE), ...(describe ? rows.map(describe) : [])])
  })

/**
 * @param {Sample[]} group
 * @returns {Row[]} the lowest share first; `name`: the queue, and the round if it was
 *   profiled in several
 */
const rowsOf = group =>
  group
    .toSorted((a, b) => a.metrics.queueShare - b.metrics.queueShare)
    .map(sample => {
      const isOnly = group.filter(({ queue }) => queue === sample.queue).length === 1
      return { sample, name: isOnly ? sample.queue : `${sample.queue} (round ${sample.round + 1})` }
    })

/** @param {Row[]} rows */
const sharesTable = rows =>
  table({
    caption: 'Queue shares of busy CPU, lowest first',
    columns: ['queue', ...Object.keys(COLUMNS).map(title => number(title))],
    rows: rows.map(({ sample, name }, i) => ({
      queue: sample.queue,
      cells: [
        { text: name, tone: i === 0 ? 'good' : undefined },
        ...Object.values(COLUMNS).map(cell => cell(sample.details))
      ]
    }))
  })

/**
 * @param {Profile} profile
 * @returns {Code}
 */
function excerpt ({ heavy, heading }) {
  const lines = renderHeavyProfile(heavy, heading).trimEnd().split('\n')
  const rest = lines.splice(EXCERPT_LINES).length
  return code([...lines, ...(rest > 0 ? [`  (${rest} more lines)`] : [])].join('\n'))
}
