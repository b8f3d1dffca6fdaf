/** The answer of a run of queues, and of a program's run. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { summarise } from '../../harness/index.js'
import { machinesOf } from '../../harness/model/machine.js'
import { withAnswer } from '../../reports/answers/run.js'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument } from '../../reports/documents/run.js'
import { againOf } from '../request/again.js'
import { optionsOf } from '../request/options.js'
import { commandIn } from '../request/request.js'

/** @import { Results, Run } from '../../harness/store/results.js' */
/** @import { ReportOptions } from './index.js' */

/**
 * @param {Results} results
 * @param {ReportOptions} [options]
 */
export async function answer (results, { folder, comparison } = {}) {
  const summary = summarise(results)
  const again = wordsToResume(results.run)
  const recorded = folder === undefined ? null : await recordedIn(results, folder)
  return {
    summary,
    value: withAnswer(summary, again),
    document: () => summaryDocument(summary, again),
    whole: () => runDocument(results, summary, { again, comparison, ...recorded }),
    faults: recorded?.faults
  }
}

/**
 * Words that a resumed run needs again.
 *
 * @param {Run} run
 * @returns {string[] | null} null: it cannot be resumed, as it is of several machines, or no command of timerq began it
 */
function wordsToResume (run) {
  const { command } = commandIn(run.command.slice(1))
  const isResumable = command !== undefined && optionsOf(command).some(({ name }) => name === 'resume')
  return isResumable && machinesOf(run).length === 1 ? againOf(run.command) : null
}

/**
 * Profiles of the results, and links to them from a report in a folder.
 *
 * @param {Results} results
 * @param {string} folder
 */
export const recordedIn = async (results, folder) =>
  existsSync(path.join(results.directory, 'profiles'))
    ? (await import('../drawings.js')).profilesOf(results, folder)
    : null
