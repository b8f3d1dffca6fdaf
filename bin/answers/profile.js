/** The answer of profiled servers: the queue's share of their CPU, and what else takes time there. */
import { rooms, summarise } from '../../harness/index.js'
import { recordedProfilesDocument } from '../../reports/documents/profiles.js'
import { runDocument } from '../../reports/documents/run.js'
import { profilesOf } from '../drawings.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { ReportOptions } from './index.js' */

const { readProfiles } = await rooms.profile()

/**
 * @param {Results} results
 * @param {ReportOptions} [options]
 */
export function answer (results, { folder } = {}) {
  const summary = summarise(results)
  const recorded = folder === undefined ? readProfiles(results) : profilesOf(results, folder)
  const answered = { title: 'Where does the CPU time go?', blocks: [] }
  return {
    summary,
    value: summary,
    document: () => recordedProfilesDocument(results, recorded.profiles),
    whole: () => runDocument(results, summary, { answered, ...recorded }),
    faults: recorded.faults,
    profiles: recorded.profiles
  }
}
