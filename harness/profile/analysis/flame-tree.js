/**
 * A profile from the top down, for a flame graph. Frames of one function with the same callers are merged; idle time is left
 * out.
 */
import { groupBy } from '../../model/group-by.js'
import { isIdle } from './cpu-profile.js'

/**
 * @typedef {import('./cpu-profile.js').Frame} Frame
 * @typedef {import('./shares.js').Owner} Owner
 *
 * @typedef {object} FlameNode
 * @property {string} name
 * @property {string} url
 * @property {number} line
 * @property {Owner} owner
 * @property {number} share  Of busy CPU, with all that it calls.
 * @property {FlameNode[]} callees
 *
 * @typedef {FlameNode & {base: number, callees: DifferentialNode[]}} DifferentialNode  `base`: its share in the baseline.
 */

/**
 * @param {import('./cpu-profile.js').CpuProfile} profile
 * @param {number} cpuPerTime  The share of busy CPU that the whole time of the profile stands for (see shares.js).
 * @param {(frame: Frame) => Owner} ownerOf
 * @returns {FlameNode}
 */
export function flameTree ({ root }, cpuPerTime, ownerOf) {
  return merge([root])

  /**
   * @param {Frame[]} same
   * @returns {FlameNode}
   */
  function merge (same) {
    const [{ name, url, line }] = same
    const running = same.flatMap(({ callees }) => callees).filter(callee => !isIdle(callee))
    const callees = [...groupBy(running, keyOf).values()].map(merge).filter(({ share }) => share > 0)
    const own = same.reduce((sum, { time }) => sum + time, 0) * cpuPerTime
    return { name, url, line, owner: ownerOf(same[0]), share: own + sumShares(callees), callees: callees.sort((a, b) => b.share - a.share) }
  }
}

/**
 * Merges two trees, so that each function has both shares; what only one tree has is 0 in the other. Functions are matched by
 * name and file name, because between two versions they move to other lines and folders.
 *
 * @param {FlameNode} base
 * @param {FlameNode} candidate
 * @returns {DifferentialNode}
 */
export function differentialTree (base, candidate) {
  const left = new Set(base.callees)
  const callees = candidate.callees.map(callee => {
    const partner = [...left].find(other => isSame(other, callee)) ?? without(callee)
    left.delete(partner)
    return differentialTree(partner, callee)
  })
  const gone = [...left].map(callee => differentialTree(callee, without(callee)))
  return { ...candidate, base: base.share, callees: [...callees, ...gone] }
}

/**
 * @param {FlameNode} one
 * @param {FlameNode} other
 */
function isSame (one, other) {
  return one.name === other.name && one.url.split('/').at(-1) === other.url.split('/').at(-1)
}

/**
 * @param {FlameNode} node
 * @returns {FlameNode}
 */
const without = node => ({ ...node, share: 0, callees: [] })

/** @param {{name: string, url: string, line: number}} frame */
const keyOf = ({ name, url, line }) => `${name} ${line} ${url}`

/** @param {{share: number}[]} nodes */
const sumShares = nodes => nodes.reduce((sum, { share }) => sum + share, 0)
