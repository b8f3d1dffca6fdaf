/** The CPU profiles of a results directory, read back: bottom up, top down, and the difference between two. */
import path from 'node:path'
import { lookUp } from '../measure/look-up.js'
import { UsageError } from '../model/errors.js'
import { assertInside } from '../store/input.js'
import { buildTree, countTicks, isIdle, readCpuProfile } from './analysis/cpu-profile.js'
import { differentialTree, flameTree } from './analysis/flame-tree.js'
import { heavyProfile } from './analysis/heavy-profile.js'
import { cpuPerTime, ownersIn } from './analysis/shares.js'
import { PROFILES } from './record-profile.js'
/** @import { Results, Sample } from '../store/results.js' */

/**
 * Reads recorded profiles. A damaged one is reported, and the rest are still read.
 *
 * @param {Results} results
 */
export function readProfiles (results) {
  /** @type {UsageError[]} */
  const faults = []
  const profiles = cpuSamples(results).flatMap(sample => {
    try {
      const { profile, perTime, tree } = readProfile(results, sample)
      const heading = {
        title: `CPU profile of ${sample.cell}`,
        ticks: profile.ticks,
        idleTicks: countTicks(profile, isIdle)
      }
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
 * The difference for each CPU profile that has a counterpart in the baseline.
 *
 * @param {Results} base
 * @param {Results} candidate
 * @param {object} [queues]
 * @param {string | null} [queues.from]  Queue to compare with; default: each queue itself in an earlier run.
 * @param {string | null} [queues.to]  The only queue to compare; default: all.
 */
export function readDifferences (base, candidate, { from = null, to = null } = {}) {
  return cpuSamples(candidate)
    .filter(({ queue }) => to === null || queue === to)
    .flatMap(sample => {
      const partner = partnerOf(cpuSamples(base), sample, from)
      if (!partner) return []
      return [
        {
          sample,
          partner,
          tree: differentialTree(readProfile(base, partner).tree, readProfile(candidate, sample).tree)
        }
      ]
    })
}

/**
 * The profile to compare with, of the same runtime. Only between two runs may the runtime itself be the change.
 *
 * @type {(bases: Sample[], candidate: Sample, queue: string | null) => Sample | undefined}
 */
export function partnerOf (bases, candidate, queue) {
  const partners = bases.filter(
    base =>
      base !== candidate &&
      base.scenario === candidate.scenario &&
      base.queue === (queue ?? candidate.queue) &&
      JSON.stringify(base.params) === JSON.stringify(candidate.params)
  )
  return partners.find(({ runtime }) => runtime === candidate.runtime) ?? (queue === null ? partners[0] : undefined)
}

/** @type {(results: Results) => Sample[]}  Samples of every tool. */
export const recordedSamples = ({ samples }) => samples.filter(({ kind, failure }) => kind === 'profile' && !failure)

/** @type {(results: Results) => Sample[]} */
const cpuSamples = results => recordedSamples(results).filter(({ details }) => details.tool === 'cpu')

/**
 * The files of a sample, as its tool left them.
 *
 * @type {(results: Results, sample: Sample) => string[]}
 * @throws {UsageError} when a file lies outside of the results directory
 */
export function filesOf ({ directory }, { details }) {
  return details.files.map((/** @type {string} */ file) =>
    assertInside(directory, path.join(directory, PROFILES, file))
  )
}

/**
 * Returns the path of a file next to a CPU profile.
 *
 * @type {(results: Results, sample: Sample, ending: string) => string}
 * @throws {UsageError} when it lies outside of the results directory
 */
export function profileFile ({ directory }, { details }, ending) {
  return assertInside(directory, path.join(directory, PROFILES, details.files[0]).replace(/\.cpuprofile$/, ending))
}

/**
 * @param {Results} results
 * @param {Sample} sample
 */
function readProfile (results, sample) {
  const profile = buildTree(readCpuProfile(profileFile(results, sample, '.cpuprofile')))
  const perTime = cpuPerTime(sample.details.window)
  const { httpJob } = lookUp(results.run.plan, sample)
  return { profile, perTime, tree: flameTree(profile, perTime, ownersIn(httpJob)) }
}
