/** CPU profiles as a section of a report: shares first, then, folded, what each queue's server did. */
import { groupBy } from '../../harness/model/group-by.js'
import { formatPoints, formatShare, placeOf } from '../../harness/model/numbers.js'
import { code, fold, number, paragraph, picture, section, words } from '../blocks.js'
import { uniqueId } from '../figures/index.js'
import { nameFunction, renderHeavyProfile } from './heavy-profile.js'

/**
 * @typedef {import('../../harness/store/results.js').Sample} Sample
 * @typedef {import('../../harness/profile/analysis/flame-tree.js').FlameNode} FlameNode
 * @typedef {import('../charts/flame.js').Bar} Bar
 *
 * @typedef {object} Profile
 * @property {Sample} sample
 * @property {Parameters<typeof renderHeavyProfile>[0]} heavy
 * @property {Parameters<typeof renderHeavyProfile>[1]} heading
 * @property {FlameNode} tree
 *
 * @typedef {Profile & {name: string}} NamedProfile
 * @typedef {{place: string, profiles: NamedProfile[]}} ProfiledPlace  The lowest share first.
 */

/** Smaller bars could not be seen. */
const SMALLEST_SHARE = 0.003
/** The files beside the profile have all of it. */
const EXCERPT_LINES = 32

/**
 * @param {Profile[]} profiles
 * @param {import('../blocks.js').Link[]} files  What the tools left behind.
 * @returns {import('../blocks.js').Section}
 */
export function profilesSection (profiles, files) {
  /** @type {Set<string>} */
  const taken = new Set()
  const about = paragraph("Where the server spent its CPU under load: V8's sampling profiler, its shares corrected by what the kernel counted. " +
    'The error is that of the same profile for a function of known cost.')
  const links = /** @type {const} */ ({ kind: 'links', title: 'Profiles open in Chrome DevTools and speedscope, the rest in a browser', links: files })
  return section('Profiles', [...(profiles.length > 0 ? [about] : []), ...(files.length > 0 ? [fold('Every profile, as files', [links])] : [])], placesOf(profiles).map(({ place, profiles }) => {
    const closer = profiles.map(profile => fold(`${profile.name}: flame graph and heaviest functions`, [
      picture(flameFigure(profile, uniqueId(taken, `flame ${place} ${profile.name}`))),
      excerpt(profile)
    ]))
    return section(place, [picture(shareFigure(profiles, uniqueId(taken, `profile shares ${place}`))), shareTable(profiles), ...closer])
  }))
}

/**
 * What the profiles say, in a sentence for each place.
 *
 * @param {Profile[]} profiles
 */
export function concludeProfiles (profiles) {
  return placesOf(profiles).map(({ place, profiles }) => {
    const shares = profiles.map(({ name, sample: { metrics } }) => `${name} ${formatShare(metrics.queueShare)}`)
    return `Of the CPU that the server used on ${place}, its queue took: ${shares.join(', ')}.`
  })
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
      profiles: own.map(profile => ({ ...profile, name: nameProfile(profile.sample, samples) })).sort((a, b) => shareOf(a) - shareOf(b))
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

/** What a CPU profile says of one queue. @type {{title: string, cell: (sample: Sample) => import('../blocks.js').TableCell}[]} */
export const CPU_COLUMNS = [
  { title: 'with calls', cell: ({ details }) => shareCell(details.shares.queue.inclusive) },
  { title: 'own', cell: ({ details }) => shareCell(details.shares.queue.self) },
  { title: '+ service', cell: ({ details }) => shareCell(details.shares.timers.inclusive) },
  { title: 'GC', cell: ({ details }) => shareCell(details.shares.collector) },
  { title: 'error', cell: ({ details: { fidelity } }) => fidelity ? { text: formatPoints(fidelity.error), sort: fidelity.error } : { text: '-' } },
  { title: 'idle', cell: ({ details }) => shareCell(details.shares.idle) }
]

/** @param {number} share */
export const shareCell = share => ({ text: formatShare(share), sort: share })

/**
 * @param {NamedProfile[]} profiles  The lowest share first.
 * @returns {import('../blocks.js').Table}
 */
function shareTable (profiles) {
  return {
    kind: 'table',
    caption: 'Shares of busy CPU: the queue with the native code that it calls, its own functions, and with the timer service',
    columns: [words('queue'), ...CPU_COLUMNS.map(({ title }) => number(title))],
    rows: profiles.map(({ name, sample }, i) => ({
      queue: sample.queue,
      cells: [{ text: name }, ...CPU_COLUMNS.map(({ cell }, column) => ({ ...cell(sample), best: i === 0 && column === 0 }))]
    }))
  }
}

/**
 * @param {NamedProfile[]} profiles
 * @param {string} id
 * @returns {import('../charts/dots.js').DotsFigure}
 */
function shareFigure (profiles, id) {
  return {
    kind: 'dots',
    id,
    title: `${profiles[0].sample.scenario}: the queue's share of busy CPU`,
    subtitle: "with the native code that it calls; whiskers are as long as the profile's error for a function of known cost",
    description: profiles.map(({ name, sample }) => `${name} ${formatShare(sample.metrics.queueShare)}`).join(', ') + '.',
    unit: '%',
    x: { title: '% of the CPU that the server used', log: false },
    marks: [{ title: 'share', symbol: 'circle' }],
    rows: profiles.map(({ name, sample: { queue, metrics } }) => {
      const value = 100 * metrics.queueShare
      const error = 100 * Math.abs(metrics.fidelityError ?? 0)
      return { name, queue, control: false, hue: 1, dots: [{ value, low: Math.max(0, value - error), high: value + error }], cell: null }
    }),
    reference: null
  }
}

/**
 * @param {NamedProfile} profile
 * @param {string} id
 * @returns {import('../charts/flame.js').FlameFigure}
 */
function flameFigure ({ name, sample, tree }, id) {
  return {
    kind: 'flame',
    id,
    title: `${name} on ${sample.scenario}: who called whom`,
    subtitle: 'each function as wide as its share of busy CPU, below its caller',
    description: `The queue's functions take ${formatShare(sample.metrics.queueShare)} of busy CPU.`,
    unit: '%',
    bars: barsOf(tree, 0, 0)
  }
}

/**
 * The root itself is no function.
 *
 * @param {FlameNode} node
 * @param {number} depth
 * @param {number} from
 * @returns {Bar[]}
 */
function barsOf ({ callees }, depth, from) {
  let start = from
  return callees.flatMap(callee => {
    const left = start
    start += 100 * callee.share
    if (callee.share < SMALLEST_SHARE) return []
    return [{ name: nameFunction(callee), owner: callee.owner, depth, from: round(left), to: round(start) }, ...barsOf(callee, depth + 1, left)]
  })
}

/**
 * @param {Profile} profile
 * @returns {import('../blocks.js').Code}
 */
function excerpt ({ heavy, heading }) {
  const lines = renderHeavyProfile(heavy, heading).trimEnd().split('\n')
  const shown = lines.slice(0, EXCERPT_LINES)
  return code([...shown, ...(lines.length > shown.length ? [`  (${lines.length - shown.length} more lines)`] : [])].join('\n'))
}

/** @param {number} value */
const round = value => Math.round(value * 100) / 100
