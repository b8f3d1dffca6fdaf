/**
 * A run is only continued where it measures the same: on its machine, by this timerq, with the same queues, scenarios and
 * runtimes.
 *
 * run.json names programs and modules to run, and an address to listen on, and may come from somebody else. Only timerq's own
 * modules and the Node that runs timerq are taken from there; the user names everything else again.
 */
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { captureEnvironment } from '../processes/environment.js'
import { UsageError } from '../model/errors.js'
import { joinLoadCommand } from '../measure/http/load-command.js'
import { machinesOf } from '../model/machine.js'
import { shellQuoted } from '../model/text.js'
import { resolveRuntime } from '../processes/runtimes.js'

/**
 * @typedef {object} PlannedFile  A queue or a scenario.
 * @property {string} name
 * @property {string} url
 * @property {string} [sha256]  When the run began; runs from before it was kept have none.
 */

/**
 * Of the file of a queue or a scenario alone: what it imports does not count.
 *
 * @param {Pick<PlannedFile, 'url'>} file
 */
export function hashOf ({ url }) {
  return createHash('sha256').update(readFileSync(fileURLToPath(url))).digest('hex')
}

/**
 * @typedef {object} Named  What the user, not run.json, allows to run.
 * @property {import('../processes/child.js').Runtime[]} [runtimes]  Default: the Node that runs timerq, without flags.
 * @property {string[]} [modules]  URLs of queues. Default: those that run.json names.
 * @property {string[]} [loadCommand]  Default: none.
 * @property {string} [listen]  Address. Default: the one that only this machine reaches.
 */

/** Below these is what comes with timerq. */
const OWN = ['../../queues/', '../../scenarios/'].map(folder => new URL(folder, import.meta.url).href)

/**
 * @param {import('../store/results.js').Results} results
 * @param {Named} [named]
 * @throws {UsageError} when new samples would measure something else than the old ones, or run what nobody has named
 */
export async function assertContinuable ({ directory, run }, { runtimes, modules, loadCommand, listen } = {}) {
  const { pinning, loadGenerator, timerq } = run.environment
  const now = captureEnvironment({ pinning, loadGenerator })
  const here = machinesOf({ environment: now }).join()
  const machines = machinesOf(run)
  if (machines.join() !== here) refuse(`was measured on ${machines.join(' and ')}, this is ${here}`)
  if (timerq !== now.timerq) refuse(`was measured by timerq ${timerq}, this is ${now.timerq}`)
  const allowed = runtimes ?? [await resolveRuntime(process.execPath, [])]
  for (const { name, path, flags } of run.plan.runtimes) {
    const runtime = allowed.find(runtime => isSameProgram(runtime.path, path) && runtime.flags.join(' ') === flags.join(' '))
    if (!runtime) {
      const options = [`--runtime ${path}`, ...(flags.length > 0 ? [`--node-flags "${flags.join(' ')}"`] : [])]
      throw new UsageError(`${directory} was measured with ${path}, which only runs when you name it: add ${options.join(' ')}`)
    }
    if (runtime.name !== name) refuse(`was measured with ${name}, ${path} is now ${runtime.name}`)
  }
  const { settings } = run.plan
  if (settings.loadCommand && settings.loadCommand.join('\0') !== loadCommand?.join('\0')) {
    throw new UsageError(`${directory} was loaded by another program, which only runs when you name it: add --load-command ${shellQuoted(joinLoadCommand(settings.loadCommand))}`)
  }
  if (settings.listen !== undefined && settings.listen !== listen) {
    throw new UsageError(`${directory} was measured on servers that listened on ${settings.listen}, which only happens when you ask for it: add --listen ${settings.listen}`)
  }
  const { queues, scenarios } = run.plan
  const files = [...queues, ...scenarios]
  const foreign = modules && files.find(file => !isOwn(file) && !modules.includes(file.url))
  if (foreign && scenarios.some(scenario => scenario === foreign)) refuse(`was measured with ${foreign.name} from ${foreign.url}, which is no scenario of timerq's own`)
  if (foreign) throw new UsageError(`${directory} was measured with ${foreign.name} from ${foreign.url}, which only runs when you name it: add --queue ${pathOf(foreign) ?? foreign.name}`)
  const changed = files.find(hasChanged)
  if (changed) refuse(`was measured with another ${changed.name}: ${pathOf(changed) ?? changed.url} has changed since`)

  /** @param {string} reason */
  function refuse (reason) {
    throw new UsageError(`${directory} ${reason}: start a new run`)
  }
}

/** @param {PlannedFile} file */
function isOwn ({ url }) {
  // Without any `..` in it.
  const { href } = URL.canParse(url) ? new URL(url) : { href: '' }
  return OWN.some(folder => href.startsWith(folder))
}

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
 * @returns {string | null} null where it is no file: a data URL holds its code itself
 */
function pathOf ({ url }) {
  return URL.canParse(url) && new URL(url).protocol === 'file:' ? fileURLToPath(url) : null
}

/** @param {PlannedFile} file */
function hasChanged (file) {
  // The queue of a gate has a copy in the folder of each side.
  if (file.url === '') return false
  if (pathOf(file) === null) return true
  if (file.sha256 === undefined) return false
  try {
    return hashOf(file) !== file.sha256
  } catch {
    return true
  }
}
