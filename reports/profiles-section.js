/** CPU profiles as a section of a report: shares first, then, folded, what each queue's server did. */
import { code, fold, paragraph, picture, section } from './blocks.js'
import { formatNumber, formatParams } from './format.js'
import { nameFunction, renderHeavyProfile } from './profile-heavy.js'

/**
 * @typedef {import('../harness/results.js').Sample} Sample
 * @typedef {import('../harness/profile/flame-tree.js').FlameNode} FlameNode
 * @typedef {import('./charts/flame.js').Bar} Bar
 *
 * @typedef {object} Profile
 * @property {Sample} sample
 * @property {Parameters<typeof renderHeavyProfile>[0]} heavy
 * @property {Parameters<typeof renderHeavyProfile>[1]} heading
 * @property {FlameNode} tree
 */

/** Smaller bars are not seen. */
const SMALLEST_SHARE = 0.003
/** The rest is in the files beside the profile. */
const EXCERPT_LINES = 32

/**
 * @param {Profile[]} profiles
 * @param {import('./blocks.js').Link[]} files  What the tools left behind.
 * @returns {import('./blocks.js').Section}
 */
export function profilesSection (profiles, files) {
  const places = [...new Set(profiles.map(placeOf))]
  const about = paragraph("Whose CPU it was: V8's sampling profiler on the server under load, its shares corrected by what the " +
    'kernel counted. The error is that of the same profile at a function of known cost.')
  const links = /** @type {const} */ ({ kind: 'links', title: 'Profiles open in Chrome DevTools and speedscope, the rest in a browser', links: files })
  return section('Profiles', [...(profiles.length > 0 ? [about] : []), ...(files.length > 0 ? [fold('Every profile, as files', [links])] : [])], places.map(place => {
    const own = profiles.filter(profile => placeOf(profile) === place).sort((a, b) => shareOf(a) - shareOf(b))
    const closer = own.map(profile => fold(`${profile.sample.queue}: flame graph and heaviest functions`, [picture(flameFigure(profile)), excerpt(profile)]))
    return section(place, [picture(shareFigure(own, place)), shareTable(own), ...closer])
  }))
}

/**
 * What the profiles say, in a sentence for each place.
 *
 * @param {Profile[]} profiles
 */
export function concludeProfiles (profiles) {
  return [...new Set(profiles.map(placeOf))].map(place => {
    const shares = profiles.filter(profile => placeOf(profile) === place).sort((a, b) => shareOf(a) - shareOf(b))
      .map(({ sample: { queue, metrics } }) => `${queue} ${percent(metrics.queueShare).text}`)
    return `Of the CPU that the server used on ${place}, its queue took: ${shares.join(', ')}.`
  })
}

/** @param {Profile} profile */
const placeOf = ({ sample: { scenario, params, runtime } }) => `${scenario}, ${formatParams(params)}, Node ${runtime}`

/** @param {Profile} profile */
const shareOf = ({ sample }) => sample.metrics.queueShare

/**
 * @param {Profile[]} profiles  The least share first.
 * @returns {import('./blocks.js').Table}
 */
function shareTable (profiles) {
  const titles = ['with calls', 'own', '+ service', 'GC', 'error', 'idle']
  return {
    kind: 'table',
    caption: 'Shares of busy CPU: the queue with the native code that it calls, its own functions, and with the timer service',
    columns: [{ title: 'queue', numeric: false }, ...titles.map(title => ({ title, numeric: true }))],
    rows: profiles.map(({ sample: { queue, details: { shares, fidelity } } }, i) => ({
      isControl: false,
      cells: [
        { text: queue },
        { ...percent(shares.queue.inclusive), best: i === 0 },
        ...[shares.queue.self, shares.timers.inclusive, shares.collector, fidelity.error, shares.idle].map(percent)
      ]
    }))
  }
}

/** @param {number} share */
const percent = share => ({ text: `${(100 * share).toFixed(1)} %`, sort: share })

/**
 * @param {Profile[]} profiles
 * @param {string} place
 * @returns {import('./charts/dots.js').DotsFigure}
 */
function shareFigure (profiles, place) {
  return {
    kind: 'dots',
    id: slugOf(`profile-shares-${place}`),
    title: `${profiles[0].sample.scenario}: the queue's share of busy CPU`,
    subtitle: "with the native code that it calls; whiskers are as long as the profile's error at a function of known cost",
    description: profiles.map(({ sample }) => `${sample.queue} ${formatNumber(100 * sample.metrics.queueShare)} %`).join(', ') + '.',
    unit: '%',
    x: { title: '% of the CPU that the server used', log: false },
    marks: [{ title: 'share', symbol: 'circle' }],
    rows: profiles.map(({ sample: { queue, metrics } }) => {
      const value = 100 * metrics.queueShare
      const error = 100 * Math.abs(metrics.fidelityError ?? 0)
      return { name: queue, control: false, hue: 1, dots: [{ value, low: Math.max(0, value - error), high: value + error }], cell: null }
    }),
    reference: null
  }
}

/**
 * @param {Profile} profile
 * @returns {import('./charts/flame.js').FlameFigure}
 */
function flameFigure ({ sample, tree }) {
  const bars = barsOf(tree, 0, 0)
  const { queue, scenario } = sample
  return {
    kind: 'flame',
    id: slugOf(`flame-${placeOf(/** @type {Profile} */ ({ sample }))}-${queue}`),
    title: `${queue} on ${scenario}: who called whom`,
    subtitle: 'each function as wide as its share of busy CPU, below its caller',
    description: `The queue's functions take ${formatNumber(100 * sample.metrics.queueShare)} % of busy CPU.`,
    unit: '%',
    bars
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
 * @returns {import('./blocks.js').Code}
 */
function excerpt ({ heavy, heading }) {
  const lines = renderHeavyProfile(heavy, heading).trimEnd().split('\n')
  const shown = lines.slice(0, EXCERPT_LINES)
  return code([...shown, ...(lines.length > shown.length ? [`  (${lines.length - shown.length} more lines)`] : [])].join('\n'))
}

/** @param {number} value */
const round = value => Math.round(value * 100) / 100

/** @param {string} text */
const slugOf = text => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
