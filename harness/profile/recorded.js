/** CPU profiles of a results directory: bottom up, top down, and the difference between two. */
import path from 'node:path'
import { assertInside } from '../store/input.js'
import { lookUp } from '../measure/sample.js'
import { UsageError } from '../model/errors.js'
import { buildTree, countTicks, isIdle, readCpuProfile } from './analysis/cpu-profile.js'
import { differentialTree, flameTree } from './analysis/flame-tree.js'
import { heavyProfile } from './analysis/heavy-profile.js'
import { cpuPerTime, ownersIn } from './analysis/shares.js'
import { PROFILES } from './run.js'

/** @import { Results, Sample } from '../store/results.js' */

/**
 * Reports damaged profiles beside the sound ones.
 *
 * @param {Results} results
 */
export function readProfiles (results) {
  /** @type {UsageError[]} */
  const faults = []
  const profiles = cpuSamples(results).flatMap(sample => {
    try {
      const { profile, perTime, tree } = readProfile(results, sample)
      const heading = { title: `CPU profile of ${sample.cell}`, ticks: profile.ticks, idleTicks: countTicks(profile, isIdle) }
      return [{ sample, profile, heavy: heavyProfile(profile, perTime), heading, tree }]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error)
      return []
    }
  })
  return { profiles, faults }
}

/**
 * Differences of all CPU profiles that have a counterpart in the baseline.
 *
 * @param {Results} base
 * @param {Results} candidate
 * @param {object} [queues]
 * @param {string | null} [queues.from]  Queue to compare with; null: each queue with itself in an earlier run.
 * @param {string | null} [queues.to]  Queue to compare; null: all.
 */
export function readDifferences (base, candidate, { from = null, to = null } = {}) {
  return cpuSamples(candidate).filter(({ queue }) => to === null || queue === to).flatMap(sample => {
    const partner = partnerOf(cpuSamples(base), sample, from)
    if (!partner) return []
    return [{ sample, partner, tree: differentialTree(readProfile(base, partner).tree, readProfile(candidate, sample).tree) }]
  })
}

/**
 * Profile to compare with, of the same runtime. Between two runs, the runtime may differ.
 *
 * @param {Sample[]} bases
 * @param {Sample} candidate
 * @param {string | null} queue
 * @returns {Sample | undefined}
 */
export function partnerOf (bases, candidate, queue) {
  const partners = bases.filter(base => base !== candidate && base.scenario === candidate.scenario &&
    base.queue === (queue ?? candidate.queue) && JSON.stringify(base.params) === JSON.stringify(candidate.params))
  return partners.find(({ runtime }) => runtime === candidate.runtime) ?? (queue === null ? partners[0] : undefined)
}

/**
 * Samples of every tool.
 *
 * @param {Results} results
 */
export function recordedSamples ({ samples }) {
  return samples.profiles().filter(({ failure }) => !failure)
}

/**
 * A file beside a CPU profile.
 *
 * @param {Results} results
 * @param {Sample} sample
 * @param {string} ending
 * @throws {UsageError} when the file lies outside of the results directory
 */
export function profileFile ({ directory }, { details }, ending) {
  return assertInside(directory, path.join(directory, PROFILES, details.files[0]).replace(/\.cpuprofile$/, ending))
}

/**
 * Files of a sample.
 *
 * @param {Results} results
 * @param {Sample} sample
 * @returns {string[]}
 * @throws {UsageError} when a file lies outside of the results directory
 */
export function filesOf ({ directory }, { details }) {
  return details.files.map((/** @type {string} */ file) => assertInside(directory, path.join(directory, PROFILES, file)))
}

/** @param {Results} results */
const cpuSamples = results => recordedSamples(results).filter(({ details }) => details.tool === 'cpu')

/**
 * @param {Results} results
 * @param {Sample} sample
 */
function readProfile (results, sample) {
  const profile = buildTree(readCpuProfile(profileFile(results, sample, '.cpuprofile')))
  const perTime = cpuPerTime(sample.details.window)
  const { httpTask } = lookUp(results.run.plan, sample)
  return { profile, perTime, tree: flameTree(profile, perTime, ownersIn(httpTask)) }
}
