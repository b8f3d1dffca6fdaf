/** A profile from the bottom up: the most expensive functions, each with its callers below. */
import { sum } from 'simple-statistics'
import { groupBy } from '../../model/group-by.js'
import { functionKey, isIdle } from './cpu-profile.js'
/** @import { CpuProfile, Frame } from './cpu-profile.js' */

/** Rows below this share of their parent are left out, as in V8's tick processor. */
const SMALLEST_SHARE = 0.02

/**
 * @typedef {object} HeavyRow
 * @property {string} name
 * @property {string} url
 * @property {number} line
 * @property {number} ticks
 * @property {number} share  Share of the parent's time; at the top, of busy CPU.
 * @property {HeavyRow[]} callers
 *
 * @typedef {{frame: Frame, ticks: number, time: number}} Path  Ticks and time of a frame, and a frame on its way up to
 *   the root.
 */

/**
 * @param {CpuProfile} profile
 * @param {number} cpuPerTime  See shares.js.
 * @returns {{javascript: HeavyRow[], native: HeavyRow[]}} heaviest first, without idle time. `native`: V8, Node and the
 *   kernel
 */
export function heavyProfile ({ frames }, cpuPerTime) {
  const running = frames
    .filter(frame => frame.ticks > 0 && !isIdle(frame))
    .map(frame => ({ frame, ticks: frame.ticks, time: frame.time }))
  const isNative = (/** @type {Path} */ { frame }) => frame.url === ''
  const rankBusy = (/** @type {Path[]} */ paths) => rank(paths, 1 / cpuPerTime)
  return { javascript: rankBusy(running.filter(path => !isNative(path))), native: rankBusy(running.filter(isNative)) }
}

/**
 * @param {Path[]} paths
 * @param {number} whole  Time of the parent.
 * @returns {HeavyRow[]}
 */
function rank (paths, whole) {
  const rows = []
  for (const same of groupBy(paths, ({ frame }) => functionKey(frame)).values()) {
    const { name, url, line } = same[0].frame
    const ticks = sum(same.map(({ ticks }) => ticks))
    const time = sum(same.map(({ time }) => time))
    if (time / whole < SMALLEST_SHARE) continue
    rows.push({ name, url, line, ticks, share: time / whole, callers: rank(same.flatMap(climb), time) })
  }
  return rows.sort((a, b) => b.ticks - a.ticks || b.share - a.share)
}

/**
 * Returns the caller's frame. The root is no caller.
 *
 * @type {(path: Path) => Path[]}
 */
function climb ({ frame: { caller }, ticks, time }) {
  return caller === null || caller.caller === null ? [] : [{ frame: caller, ticks, time }]
}
