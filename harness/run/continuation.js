/**
 * A run is continued only where new samples measure the same as the old ones: on its machine, by this timerq, with the
 * same queues, scenarios and runtimes.
 *
 * run.json names programs and modules to run, and an address to listen on, and may come from somebody else. Only
 * timerq's own modules and the Node that runs timerq are taken from there; the user names everything else again.
 */
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isOwn } from '../measure/modules/own-modules.js'
import { UsageError } from '../model/errors.js'
import { machinesOf } from '../model/machine.js'
import { shellQuoted } from '../model/text.js'
import { captureEnvironment, hashOf } from '../processes/environment.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { resolveRuntime } from '../processes/runtimes.js'
import { openResults, readResults } from '../store/results.js'
/** @import { Plan } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */
/** @import { Results, Store } from '../store/results.js' */

/**
 * @typedef {object} PlannedFile  A queue or a scenario.
 * @property {string} name
 * @property {string} url  Empty for the sides of a gate and for a user's program, which have no file of their own.
 * @property {string} [sha256]  Hash when the run began.
 * @property {string[]} [scenarios]  Scenarios that measure it, if it is no queue.
 *
 * @typedef {object} Named  Programs and files that the user, not run.json, allows to run.
 * @property {Runtime[]} [runtimes]  Default: the Node that runs timerq, without flags.
 * @property {string[]} [modules]  URLs of queues and scenarios. Default: those that run.json names.
 * @property {string[]} [loadCommand]  Default: none.
 * @property {string} [listen]  Address. Default: the one that only this machine reaches.
 * @property {string[]} [program]  Command. Default: none.
 *
 * @typedef {keyof typeof KINDS} ResultsKind
 */

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
  if (found === kind) return results
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
 * @throws {UsageError} when new samples would measure something else, or run what the user has not named
 */
async function assertContinuable (results, { runtimes, modules, loadCommand, listen, program } = {}) {
  const {
    directory,
    run: { plan }
  } = results
  assertSameMachine(results)
  assertRuntimes(results, runtimes ?? [await resolveRuntime(process.execPath, [])])
  const { settings } = plan
  if (settings.loadCommand && settings.loadCommand.join('\0') !== loadCommand?.join('\0')) {
    const { joinLoadCommand } = await import('../measure/load/load-command.js')
    throw new UsageError(
      `${directory} was loaded by another program. For safety, name it again: ` +
        `add --load-command ${shellQuoted(joinLoadCommand(settings.loadCommand))}`
    )
  }
  if (settings.program && settings.program.command.join('\0') !== program?.join('\0')) {
    throw new UsageError(
      `${directory} measured another program. For safety, name it again: ` +
        `add -- ${settings.program.command.map(shellQuoted).join(' ')}`
    )
  }
  if (settings.listen !== undefined && settings.listen !== listen) {
    throw new UsageError(
      `${directory} was measured on servers that listened on ${settings.listen}. For safety, name it again: ` +
        `add --listen ${settings.listen}`
    )
  }
  assertFiles(directory, plan, modules)
}

/** @param {Results} results */
function assertSameMachine ({ directory, run }) {
  const { pinning, loadGenerator, timerq } = run.environment
  const now = captureEnvironment({ pinning, loadGenerator })
  const here = machinesOf({ environment: now }).join()
  const machines = machinesOf(run)
  if (machines.join() !== here) throw refusal(directory, `was measured on ${machines.join(' and ')}, this is ${here}`)
  if (timerq !== now.timerq) throw refusal(directory, `was measured by timerq ${timerq}, this is ${now.timerq}`)
}

/**
 * @param {Results} results
 * @param {Runtime[]} allowed
 */
function assertRuntimes ({ directory, run }, allowed) {
  for (const { name, path, flags } of run.plan.runtimes) {
    const runtime = allowed.find(
      runtime => isSameProgram(runtime.path, path) && runtime.flags.join(' ') === flags.join(' ')
    )
    if (!runtime) {
      const options = [`--runtime ${path}`, ...(flags.length > 0 ? [`--node-flags "${flags.join(' ')}"`] : [])]
      throw new UsageError(
        `${directory} was measured with ${path}. For safety, name it again: add ${options.join(' ')}`
      )
    }
    // In a gate of two runtimes of one version, the path follows the version.
    if (runtime.name !== name && !name.startsWith(`${runtime.name} (`)) {
      throw refusal(directory, `was measured with ${name}, ${path} is now ${runtime.name}`)
    }
  }
}

/**
 * @param {string} directory
 * @param {Plan} plan
 * @param {string[]} [modules]  URLs that may run besides timerq's own. Default: all.
 */
function assertFiles (directory, { queues, scenarios }, modules) {
  /** @type {PlannedFile[]} */
  const files = [
    ...queues.filter(({ origin, url }) => url !== '' || origin !== 'code'),
    ...scenarios.filter(({ url }) => url !== '')
  ]
  const foreign = modules && files.find(file => !isOwn(file.url) && !modules.includes(file.url))
  if (foreign) {
    const scenario = scenarios.find(({ name, url }) => url === foreign.url || foreign.scenarios?.includes(name))
    const again = `--${scenario ? 'scenario' : 'queue'} ${pathOf(scenario ?? foreign) ?? foreign.name}`
    throw new UsageError(
      `${directory} was measured with ${foreign.name} from ${foreign.url}. For safety, name it again: add ${again}`
    )
  }
  const changed = files.find(hasChanged)
  if (changed) {
    throw refusal(
      directory,
      `was measured with another ${changed.name}: ${pathOf(changed) ?? changed.url} has changed since`
    )
  }
}

/**
 * @param {string} directory
 * @param {string} reason
 */
const refusal = (directory, reason) => new UsageError(`${directory} ${reason}: start a new run`)

/**
 * @param {string} one
 * @param {string} other
 */
function isSameProgram (one, other) {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return false
  }
}

/**
 * @param {PlannedFile} file
 * @returns {string | null} null for other URLs than files: a data URL holds its code itself
 */
function pathOf ({ url }) {
  return URL.canParse(url) && new URL(url).protocol === 'file:' ? fileURLToPath(url) : null
}

/** @param {PlannedFile} file */
function hasChanged (file) {
  // The queue of a gate has a copy in the folder of each side.
  if (file.url === '') return false
  if (pathOf(file) === null) return true
  try {
    return hashOf(file) !== file.sha256
  } catch {
    return true
  }
}
