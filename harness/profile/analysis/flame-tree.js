/**
 * A profile from the top down, for a flame graph. Merges frames of one function with the same callers. Idle time is
 * left out.
 */
import { sum } from 'simple-statistics'
import { groupBy } from '../../model/group-by.js'
import { functionKey, isIdle } from './cpu-profile.js'
/** @import { CpuProfile, Frame } from './cpu-profile.js' */
/** @import { Owner } from './shares.js' */

/**
 * @typedef {object} FlameNode
 * @property {string} name
 * @property {string} url
 * @property {number} line
 * @property {Owner} owner
 * @property {number} share  Share of busy CPU, including all calls.
 * @property {FlameNode[]} callees
 *
 * @typedef {FlameNode & {base: number, callees: DifferentialNode[]}} DifferentialNode  `base`: share in the baseline.
 */

/**
 * @param {CpuProfile} profile
 * @param {number} cpuPerTime  See shares.js.
 * @param {(frame: Frame) => Owner} ownerOf
 * @returns {FlameNode}
 */
export function flameTree ({ root }, cpuPerTime, ownerOf) {
  return merge([root])

  /** @type {(same: Frame[]) => FlameNode} */
  function merge (same) {
    const [{ name, url, line }] = same
    const running = same.flatMap(({ callees }) => callees).filter(callee => !isIdle(callee))
    const callees = [...groupBy(running, functionKey).values()].map(merge).filter(({ share }) => share > 0)
    const self = sum(same.map(({ time }) => time)) * cpuPerTime
    return {
      name,
      url,
      line,
      owner: ownerOf(same[0]),
      share: self + sum(callees.map(({ share }) => share)),
      callees: callees.sort((a, b) => b.share - a.share)
    }
  }
}

/**
 * Merges two trees, so that each function has both shares. A function of one tree has a share of 0 in the other.
 * Functions are matched by name and file name: between two versions, lines and folders change.
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

/** @type {(one: FlameNode, other: FlameNode) => boolean} */
const isSame = (one, other) => one.name === other.name && one.url.split('/').at(-1) === other.url.split('/').at(-1)

/** @type {(node: FlameNode) => FlameNode} */
const without = node => ({ ...node, share: 0, callees: [] })
