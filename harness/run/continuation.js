/**
 * A run is continued only where new samples measure the same as the old ones: on its machine, by this timerq, and where
 * its command line, planned again, gives the plan that is stored, part by part. run.json may be a
 * stranger's: programs to start, modules to load and addresses to reach must be those of the new plan, whose words the
 * user has typed.
 */
import { UsageError } from '../model/errors.js'
import { machinesOf } from '../model/machine.js'
import { enumerate } from '../model/numbers.js'
import { captureEnvironment } from '../processes/environment.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { assertNoLinks, openResults, readResults } from '../store/results.js'
/** @import { Plan } from '../plan/plan.js' */
/** @import { Results, Run, Store } from '../store/results.js' */

/** Fields that measuring found, so planning again cannot give them. None names a program, a module or an address. */
const FOUND = ['breaks', 'leftOut', 'faults', 'usesTimers', 'requestsPerSecond', 'askedPort']
/** The same of a benchmark file whose operations are fitted to the machine. */
const FITTED = ['values', 'timing']

/**
 * @param {string} directory
 * @param {string} question  Name of the command that asks it.
 * @returns {Results}
 * @throws {UsageError} when the directory cannot be read, or answers another question
 */
export function readStopped (directory, question) {
  const results = readResults(directory)
  const { question: found } = results.run.plan
  if (found !== question) {
    throw new UsageError(
      `${directory} holds the results of timerq ${found}, not of ${question} (timerq report ${directory})`
    )
  }
  assertNoLinks(directory)
  return results
}

/**
 * Opens a stopped run, to take the samples that it lacks.
 *
 * @param {Results} stopped
 * @param {object} options
 * @param {Plan} options.plan  Plan of its command line, made again, with the hashes of its files.
 * @param {(note: string) => void} [options.onNote]
 * @returns {Promise<Store>}
 * @throws {UsageError} when new samples would measure something else, or another process takes them
 */
export async function continueRun (stopped, { plan, onNote = () => {} }) {
  const { directory, run } = stopped
  assertSameMachine(directory, run)
  assertSamePlan(directory, run.plan, plan)
  assertOpenFiles(run.plan)
  const { store, killed } = openResults(directory)
  if (killed !== null) onNote(`process ${killed}, which wrote to ${directory}, was killed: continuing its work`)
  return store
}

/**
 * Machines of one kind differ in their ids.
 *
 * @param {string} directory
 * @param {Run} run
 */
function assertSameMachine (directory, run) {
  const { pinning, loadGenerator, timerq } = run.environment
  const environment = captureEnvironment({ pinning, loadGenerator })
  const [own, ...others] = machinesOf({ environment }, run)
  if (others.length > 0) throw refusal(directory, `was measured on ${others.join(' and ')}, this is ${own}`)
  if (timerq !== environment.timerq) {
    throw refusal(directory, `was measured by timerq ${timerq}, this is ${environment.timerq}`)
  }
}

/**
 * @param {string} directory
 * @param {Plan} stored  Plan in run.json.
 * @param {Plan} planned
 */
function assertSamePlan (directory, stored, planned) {
  const [before, now] = [stored, JSON.parse(JSON.stringify(planned))].map(partsOf)
  const others = Object.keys({ ...before, ...now }).filter(part => before[part] !== now[part])
  if (others.length === 0) return
  throw new UsageError(
    `${directory} was measured with other ${enumerate(others)} than its command line gives now ` +
      '(go back to its folder, files and Node, or start a new run)'
  )
}

/**
 * Parts of a plan as texts, without what measuring found.
 *
 * @param {Plan} plan
 * @returns {Record<string, string>}
 */
const partsOf = ({ cells, end, of, ...plan }) =>
  Object.fromEntries(Object.entries({ ...plan, ...of }).map(([name, part]) => [name, textOf(part)]))

/** @param {unknown} part */
const textOf = part =>
  JSON.stringify(part, function (name, value) {
    return FOUND.includes(name) || (this.isFitted && FITTED.includes(name)) ? undefined : value
  })

/**
 * @param {string} directory
 * @param {string} reason
 */
const refusal = (directory, reason) => new UsageError(`${directory} ${reason}: start a new run`)
