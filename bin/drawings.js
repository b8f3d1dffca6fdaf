/** Heavy profiles, each written next to its profile, and links to all files of tools. */
import { existsSync, lstatSync, rmSync } from 'node:fs'
import path from 'node:path'
import { move, readBeginning, rooms } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { formatParams } from '../harness/model/numbers.js'
import { renderHeavyProfile } from '../reports/documents/heavy-profile.js'
import { writeReport } from './files.js'

/** @import { Results, Sample } from '../harness/store/results.js' */
/** @import { Link } from '../reports/blocks.js' */

const { filesOf, profileFile, readProfiles, recordedSamples } = await rooms.profile()

const CPU_FILES = [
  ['.cpuprofile', 'CPU profile'],
  ['.heavy.txt', 'heavy profile']
]
/** Beginning of a file that this module wrote. */
const DRAWN = /^CPU profile of /
const BEGINNING_BYTES = 4096

/**
 * @param {Results} results
 * @param {ReturnType<typeof readProfiles>} [read]  Profiles of the results, if they are read already.
 */
export function writeProfiles (results, { profiles, faults } = readProfiles(results)) {
  if (faults.length > 0) throw faults[0]
  for (const { sample, heavy, heading } of profiles) {
    writeDrawing(profileFile(results, sample, '.heavy.txt'), renderHeavyProfile(heavy, heading))
  }
  return profiles
}

/**
 * Profiles, faults of reading, and links from a report in a folder.
 *
 * @param {Results} results
 * @param {string} folder
 */
export const profilesOf = (results, folder) => ({
  ...readProfiles(results),
  profileFiles: linkProfiles(results, folder)
})

/** @type {(results: Results, folder: string) => Link[]} */
export function linkProfiles (results, folder) {
  return recordedSamples(results).flatMap(sample => {
    const {
      queue,
      details: { tool }
    } = sample
    /** @type {{file: string, name: string}[]} */
    const recorded =
      tool === 'cpu'
        ? CPU_FILES.map(([ending, name]) => ({ file: profileFile(results, sample, ending), name }))
        : filesOf(results, sample).map(file => ({ file, name: tool }))
    return recorded
      .filter(({ file }) => existsSync(file))
      .map(({ file, name }) => ({
        text: `${queue} on ${describeWorkload(sample)}: ${name}`,
        href: path.relative(folder, file).split(path.sep).map(encodeURIComponent).join('/')
      }))
  })
}

/**
 * Replaces only its own earlier version: neither a foreign file nor the target of a link.
 *
 * @type {(file: string, text: string) => void}
 */
function writeDrawing (file, text) {
  const existing = lstatSync(file, { throwIfNoEntry: false })
  const isOurs = existing === undefined || (existing.isFile() && DRAWN.test(readBeginning(file, BEGINNING_BYTES)))
  if (!isOurs) {
    throw new UsageError(`${file} was not written by timerq, and is left as it is (move it away to draw the profile)`)
  }
  const unfinished = `${file}.new`
  rmSync(unfinished, { force: true })
  writeReport(unfinished, text, 'wx')
  move(unfinished, file)
}

/** @param {Sample} sample */
const describeWorkload = ({ scenario, params, runtime }) => `${scenario} (${formatParams(params)}), Node ${runtime}`
