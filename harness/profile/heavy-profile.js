/** The profile bottom up: the functions that cost most, and below each who called it. */
import { groupBy } from '../group-by.js'
import { isIdle } from './cpu-profile.js'

/** Rows below this share of their parent are left out, as V8's own tick processor does. */
const SMALLEST_SHARE = 0.02

/**
 * @typedef {import('./cpu-profile.js').Frame} Frame
 *
 * @typedef {object} HeavyRow
 * @property {string} name
 * @property {string} url
 * @property {number} line
 * @property {number} ticks
 * @property {number} share  Of its parent's ticks; at the top, of busy CPU.
 * @property {HeavyRow[]} callers
 */

/**
 * @param {import('./cpu-profile.js').CpuProfile} profile
 * @param {(ticks: number) => number} shareOfCpu
 * @returns {{javascript: HeavyRow[], native: HeavyRow[]}} heaviest first. What V8, Node and the kernel do on behalf of any
 *   queue is apart; idle time is left out.
 */
export function heavyProfile ({ frames }, shareOfCpu) {
  const running = frames.filter(frame => frame.ticks > 0 && !isIdle(frame)).map(frame => ({ frame, ticks: frame.ticks }))
  const isNative = (/** @type {{frame: Frame}} */ { frame }) => frame.url === ''
  return {
    javascript: rank(running.filter(path => !isNative(path)), shareOfCpu),
    native: rank(running.filter(isNative), shareOfCpu)
  }
}

/**
 * @param {{frame: Frame, ticks: number}[]} paths  Where the ticks were, and the frame reached on the way up.
 * @param {(ticks: number) => number} shareOf
 * @returns {HeavyRow[]}
 */
function rank (paths, shareOf) {
  const rows = []
  for (const same of groupBy(paths, ({ frame }) => `${frame.name} ${frame.line} ${frame.url}`).values()) {
    const [{ frame: { name, url, line } }] = same
    const ticks = same.reduce((sum, { ticks }) => sum + ticks, 0)
    const share = shareOf(ticks)
    if (share < SMALLEST_SHARE) continue
    rows.push({ name, url, line, ticks, share, callers: rank(same.flatMap(climb), callerTicks => callerTicks / ticks) })
  }
  return rows.sort((a, b) => b.ticks - a.ticks)
}

/**
 * One frame up; the root is no caller.
 *
 * @param {{frame: Frame, ticks: number}} path
 */
function climb ({ frame: { caller }, ticks }) {
  return caller === null || caller.caller === null ? [] : [{ frame: caller, ticks }]
}
