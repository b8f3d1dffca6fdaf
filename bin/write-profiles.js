/** What is made of recorded profiles, in files beside them. */
import path from 'node:path'
import { buildTree, countTicks, isIdle, readCpuProfile } from '../harness/profile/cpu-profile.js'
import { heavyProfile } from '../harness/profile/heavy-profile.js'
import { PROFILES } from '../harness/profile/run.js'
import { shareOfTick } from '../harness/profile/shares.js'
import { renderHeavyProfile } from '../reports/profile-heavy.js'
import { writeReport } from './write-report.js'

/**
 * @param {import('../harness/results.js').Results} results
 * @returns {{queue: string, heavy: ReturnType<typeof heavyProfile>}[]}
 */
export function writeProfiles ({ directory, samples }) {
  const recorded = samples.filter(({ channel, failure, details }) => channel === 'profile' && !failure && details.tool === 'cpu')
  return recorded.map(sample => {
    const file = path.join(directory, PROFILES, sample.details.files[0])
    const profile = buildTree(readCpuProfile(file))
    const share = shareOfTick(profile, sample.details.window)
    const heavy = heavyProfile(profile, ticks => ticks * share)
    const heading = { title: `CPU profile of ${sample.cell}`, ticks: profile.ticks, idleTicks: countTicks(profile, isIdle) }
    writeReport(file.replace(/\.cpuprofile$/, '.heavy.txt'), renderHeavyProfile(heavy, heading))
    return { queue: sample.queue, heavy }
  })
}
