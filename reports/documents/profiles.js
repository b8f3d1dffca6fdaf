/** CPU profiles as a section of a report: shares first; then, folded, the heaviest functions of each queue's server. */
import { groupBy } from '../../harness/model/group-by.js'
import { formatPoints, formatShare, placeOf } from '../../harness/model/numbers.js'
import { code, figure, fold, number, paragraph, section, table } from '../blocks.js'
import { renderHeavyProfile } from './heavy-profile.js'

/**
 * @import { Sample } from '../../harness/store/results.js'
 * @import { Code, Link, Section, TableCell } from '../blocks.js'
 *
 * @typedef {object} Profile
 * @property {Sample} sample
 * @property {Parameters<typeof renderHeavyProfile>[0]} heavy
 * @property {Parameters<typeof renderHeavyProfile>[1]} heading
 *
 * @typedef {Profile & {name: string}} NamedProfile
 *
 * @typedef {{place: string, profiles: NamedProfile[]}} ProfiledPlace  The lowest share first.
 */

/** Lines of a heavy profile; the file beside the profile has all of them. */
const EXCERPT_LINES = 32

/**
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
  return section(
    'Profiles',
    [profiles.length > 0 && about, files.length > 0 && fold('Every profile, as files', [links])],
    placesOf(profiles).map(({ place, profiles }) => {
      const closer = profiles.map(profile => fold(`${profile.name}: heaviest functions`, [excerpt(profile)]))
      return section(place, [shareTable(profiles), ...closer])
    })
  )
}

/**
 * @param {Profile[]} profiles
 * @returns {ProfiledPlace[]}
 */
function placesOf (profiles) {
  return [...groupBy(profiles, ({ sample }) => placeOf(sample))].map(([place, own]) => {
    const samples = own.map(({ sample }) => sample)
    return {
      place,
      profiles: own
        .map(profile => ({ ...profile, name: nameProfile(profile.sample, samples) }))
        .sort((a, b) => shareOf(a) - shareOf(b))
    }
  })
}

/** @param {Profile} profile */
const shareOf = ({ sample }) => sample.metrics.queueShare

/**
 * Names a profile among those of its place: its queue, and the round if that queue was profiled in several.
 *
 * @param {{queue: string, round: number}} sample
 * @param {{queue: string}[]} samples
 */
export function nameProfile ({ queue, round }, samples) {
  const isOnly = samples.filter(other => other.queue === queue).length === 1
  return isOnly ? queue : `${queue} (round ${round + 1})`
}

/**
 * Columns of a CPU profile.
 *
 * @type {{title: string, cell: (sample: Sample) => TableCell}[]}
 */
export const CPU_COLUMNS = [
  { title: 'with calls', cell: ({ details }) => shareCell(details.shares.queue.inclusive) },
  { title: 'own', cell: ({ details }) => shareCell(details.shares.queue.self) },
  { title: '+ service', cell: ({ details }) => shareCell(details.shares.timers.inclusive) },
  { title: 'GC', cell: ({ details }) => shareCell(details.shares.collector) },
  {
    title: 'error',
    cell: ({ details: { fidelity } }) => figure(fidelity ? formatPoints(fidelity.error) : '-', fidelity?.error)
  },
  { title: 'idle', cell: ({ details }) => shareCell(details.shares.idle) }
]

/** @param {number} share */
export const shareCell = share => figure(formatShare(share), share)

/** @param {NamedProfile[]} profiles  The lowest share first. */
const shareTable = profiles =>
  table({
    caption:
      'Shares of busy CPU: the queue with the native code that it calls, its own functions, and with the timer service',
    columns: ['queue', ...CPU_COLUMNS.map(({ title }) => number(title))],
    rows: profiles.map(({ name, sample }, i) => ({
      queue: sample.queue,
      cells: [name, ...CPU_COLUMNS.map(({ cell }, column) => ({ ...cell(sample), best: i === 0 && column === 0 }))]
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
