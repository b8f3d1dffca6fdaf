/**
 * A run is continued only where new samples measure the same as the old ones: on its machine, by this timerq, and where
 * its command line, planned again, gives the plan that is stored. run.json may be a stranger's: programs to start,
 * modules to load and addresses to reach must be those of the new plan, whose words the user has typed.
 */
import { isDeepStrictEqual } from 'node:util'
import { UsageError } from '../model/errors.js'
import { machinesOf } from '../model/machine.js'
import { captureEnvironment } from '../processes/environment.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { assertNoLinks, openResults, readResults } from '../store/results.js'
/** @import { Plan } from '../plan/plan.js' */
/** @import { Results, Run, Store } from '../store/results.js' */

/**
 * Titles of results, by the question that they answer. Its command continues them.
 *
 * @type {Record<string, string>}
 */
const TITLES = {
  run: 'a run',
  gate: 'a gate',
  try: "a program's run",
  profile: 'profiles',
  recommend: 'a recommendation',
  reproduce: 'findings'
}

/**
 * Fields of the stored plan that planning again cannot give. They came of measuring (a program that was tried out,
 * sides that were made, the speed of a benchmark file, which sets n and so the cells), say how much to measure and how
 * to judge it, or are only shown. None names a program, a module or an address.
 */
const STORED = {
  plan: ['cells', 'end'],
  queue: ['breaks'],
  fitted: ['values', 'timing'],
  benchmarks: ['leftOut', 'faults'],
  program: ['usesTimers', 'requestsPerSecond', 'askedPort'],
  gate: [
    'baseRef', 'behind', 'rules', 'expect', 'looks', 'budgetSeconds', 'trees', 'headCommit', 'earlier', 'unmatched',
    'warnings', 'unmeasured', 'shared', 'unloaded', 'commands'
  ]
}
/** Characters of a value in a message. */
const LONGEST_VALUE = 80

/**
 * @param {string} directory
 * @param {string} question  Name of the command that asks it.
 * @returns {Results}
 * @throws {UsageError} when the directory cannot be read, or answers another question
 */
export function readStopped (directory, question) {
  const results = readResults(directory)
  const { question: found } = results.run.plan
  if (found === question) {
    assertNoLinks(directory)
    return results
  }
  const remedy = found === 'profile' ? 'record them again' : `continue it with timerq ${found} --resume ${directory}`
  throw new UsageError(`${directory} holds ${TITLES[found]}, not ${TITLES[question]}: ${remedy}`)
}

/**
 * Opens a stopped run or gate, to take the samples that it lacks.
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
 * @param {any} stored  Plan in run.json.
 * @param {any} planned
 */
function assertSamePlan (directory, stored, planned) {
  const { queues, scenarios, of } = planned
  /** @type {(entries: any[], stored: {name: string}) => any} */
  const named = (entries, { name }) => entries.find(entry => entry.name === name)
  const again = {
    ...planned,
    // A pattern of files may match more files by now.
    queues: stored.queues.map((/** @type {any} */ queue) => withStored('queue', named(queues, queue), queue)),
    scenarios: stored.scenarios.map((/** @type {any} */ scenario) => {
      const own = named(scenarios, scenario) ?? {}
      return own.isFitted ? withStored('fitted', own, scenario) : own
    }),
    of: Object.fromEntries(Object.entries(of).map(([name, part]) => [name, withStored(name, part, stored.of[name])]))
  }
  const found = differenceOf(stored, JSON.parse(JSON.stringify(withStored('plan', again, stored))))
  if (found) throw new UsageError(`${directory} ${describeDifference(found)}`)
}

/**
 * @param {string} part
 * @param {Record<string, any>} planned
 * @param {Record<string, any>} [stored]
 */
function withStored (part, planned, stored = {}) {
  const names = /** @type {Record<string, string[]>} */ (STORED)[part] ?? []
  return { ...planned, ...Object.fromEntries(names.map(name => [name, stored[name]])) }
}

/** @typedef {{place: string[], before: unknown, now: unknown}} Difference */

/**
 * The first field that differs.
 *
 * @param {any} before
 * @param {any} now
 * @param {string[]} [place]
 * @returns {Difference | null}
 */
function differenceOf (before, now, place = []) {
  if (isDeepStrictEqual(before, now)) return null
  if (Object(before) !== before || Object(now) !== now) return { place, before, now }
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const found = differenceOf(before[name], now[name], [...place, name])
    if (found) return found
  }
  return { place, before, now }
}

/** @param {Difference} difference */
function describeDifference ({ place, before, now }) {
  const [first, second] = [before, now].map(value => JSON.stringify(value)?.slice(0, LONGEST_VALUE) ?? 'nothing')
  const last = place.at(-1)
  if (last === 'root' || last === 'cwd') return `measured in ${first}, this is ${second}: continue it there`
  const where = place.join('.')
  if (last?.endsWith('ha256')) return `was measured with another file (${where}): start a new run`
  return `was measured with ${where} ${first}, and its command line gives ${second}: start a new run`
}

/**
 * @param {string} directory
 * @param {string} reason
 */
const refusal = (directory, reason) => new UsageError(`${directory} ${reason}: start a new run`)
