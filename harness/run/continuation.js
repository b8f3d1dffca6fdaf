/**
 * A run is continued only where new samples measure the same as the old ones: on its machine, by this timerq, with the
 * same queues, scenarios and runtimes. It uses nothing that run.json alone names (trust.js).
 */
import { UsageError } from '../model/errors.js'
import { machinesOf } from '../model/machine.js'
import { captureEnvironment } from '../processes/environment.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { resolveRuntime } from '../processes/runtimes.js'
import { assertNoLinks, openResults, readResults } from '../store/results.js'
import { refusalsOf } from './trust.js'
/** @import { Results, Run, Store } from '../store/results.js' */
/** @import { Named } from './trust.js' */

/** @typedef {keyof typeof KINDS} ResultsKind */

/** Kinds of results, and the command that continues each. */
const KINDS = {
  run: { title: 'a run', command: 'run' },
  gate: { title: 'a gate', command: 'gate' },
  try: { title: "a program's run", command: 'try' },
  findings: { title: 'findings', command: 'reproduce' }
}

/**
 * @param {string} directory
 * @param {keyof typeof KINDS} kind
 * @returns {Results}
 * @throws {UsageError} when the directory cannot be read, or holds another kind
 */
export function readStopped (directory, kind) {
  const results = readResults(directory)
  const { plan } = results.run
  const found = 'gate' in plan ? 'gate' : plan.claims ? 'findings' : plan.settings.program ? 'try' : 'run'
  if (found === kind) {
    assertNoLinks(directory)
    return results
  }
  throw new UsageError(
    `${directory} holds ${KINDS[found].title}, not ${KINDS[kind].title}: ` +
      `continue it with timerq ${KINDS[found].command} --resume ${directory}`
  )
}

/**
 * Opens a stopped run or gate, to take the samples that it lacks.
 *
 * @param {Results} stopped
 * @param {{named?: Named, onNote?: (note: string) => void}} [options]
 * @returns {Promise<Store>}
 * @throws {UsageError} when new samples would measure something else, or another process takes them
 */
export async function continueRun (stopped, { named, onNote = () => {} } = {}) {
  const { directory } = stopped
  await assertContinuable(stopped, named)
  assertOpenFiles(stopped.run.plan)
  const { store, killed } = openResults(directory)
  if (killed !== null) onNote(`process ${killed}, which wrote to ${directory}, was killed: continuing its work`)
  return store
}

/**
 * @param {Results} results
 * @param {Named} [named]
 * @throws {UsageError} when new samples would measure something else, or use what the user has not named
 */
async function assertContinuable ({ directory, run }, named = {}) {
  assertSameMachine(directory, run)
  const { runtimes = [await resolveRuntime(process.execPath, [])] } = named
  const refusals = refusalsOf(run.plan, { ...named, runtimes })
  const reason = refusals.find(({ reason }) => reason)?.reason
  if (reason !== undefined) throw new UsageError(`${directory} ${reason}`)
  const again = [...new Set(refusals.flatMap(({ again = [] }) => again))]
  if (again.length === 0) return
  throw new UsageError(
    `${directory} used files, programs or addresses that are not part of timerq. For safety, name ` +
      `${again.length === 1 ? 'it' : 'them'} again: add ${again.join(' ')}`
  )
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
  if (machinesOf(run, { environment }).length > 1) {
    const others = machinesOf(run, { environment }).filter(machine => machine !== machinesOf({ environment }, run)[0])
    throw refusal(directory, `was measured on ${others.join(' and ')}, this is ${machinesOf({ environment }, run)[0]}`)
  }
  if (timerq !== environment.timerq) {
    throw refusal(directory, `was measured by timerq ${timerq}, this is ${environment.timerq}`)
  }
}

/**
 * @param {string} directory
 * @param {string} reason
 */
const refusal = (directory, reason) => new UsageError(`${directory} ${reason}: start a new run`)
