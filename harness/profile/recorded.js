/** The CPU profiles of a results directory, read back from the bottom up. */
import path from 'node:path'
import { UsageError } from '../model/errors.js'
import { assertInside } from '../store/input.js'
import { buildTree, countTicks, isIdle, readCpuProfile } from './analysis/cpu-profile.js'
import { heavyProfile } from './analysis/heavy-profile.js'
import { cpuPerTime } from './analysis/shares.js'
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
      const profile = buildTree(readCpuProfile(profileFile(results, sample, '.cpuprofile')))
      const heading = {
        title: `CPU profile of ${sample.cell}`,
        ticks: profile.ticks,
        idleTicks: countTicks(profile, isIdle)
      }
      return [{ sample, heavy: heavyProfile(profile, cpuPerTime(sample.details.window)), heading }]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error)
      return []
    }
  })
  return { profiles, faults }
}

/** @type {(results: Results) => Sample[]}  Samples of every tool. */
export const recordedSamples = ({ samples }) => samples.filter(({ kind, failure }) => kind === 'profile' && !failure)

/** @type {(results: Results) => boolean}  Whether a command left profiles and nothing else. */
export const holdsProfiles = ({ samples }) => samples[0]?.kind === 'profile'

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
