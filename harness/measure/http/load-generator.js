import { UsageError } from '../../model/errors.js'
import { autocannonVersion, loadWithAutocannon } from './autocannon.js'
import { loadWithCommand } from './load-command.js'
import { LOOPBACK } from './loopback.js'
import { loadWithWrk, wrkVersion } from './wrk.js'
/** @import { Load, LoadResult } from './wrk.js' */

/**
 * @typedef {object} LoadSettings
 * @property {'wrk' | 'autocannon'} load
 * @property {string[]} [loadCommand]  Replaces `load`: see load-command.js.
 * @property {string} [listen]  Address that servers listen on.
 * @property {string} [target]  This machine's name or address on the load generator's machine, if that is another.
 */

/**
 * Chooses wrk if it is on the PATH, unless the user asks for another.
 *
 * @type {(asked?: string) => Promise<'wrk' | 'autocannon'>}
 * @throws {UsageError} when wrk is asked for and missing
 */
export async function chooseLoadGenerator (asked) {
  if (asked === 'autocannon') return asked
  const hasWrk = await wrkVersion() !== null
  if (asked === 'wrk' && !hasWrk) {
    throw new UsageError('--load wrk: wrk is not on PATH (install it, for example with apt-get install wrk, or use --load autocannon)')
  }
  return hasWrk ? 'wrk' : 'autocannon'
}

/** @type {(settings: LoadSettings) => (load: Load) => Promise<LoadResult>} */
export function generatorOf ({ load, loadCommand }) {
  if (loadCommand) return loadWithCommand(loadCommand)
  return load === 'wrk' ? loadWithWrk : loadWithAutocannon
}

/** @type {(settings: Pick<LoadSettings, 'listen' | 'target'>, port: number) => string} */
export function urlOf ({ listen = LOOPBACK, target = listen }, port) {
  return `http://${target.includes(':') ? `[${target}]` : target}:${port}/`
}

/** @param {LoadSettings} settings */
export async function describeLoadGenerator ({ load, loadCommand }) {
  if (loadCommand) return loadCommand.join(' ')
  return `${load} ${load === 'wrk' ? await wrkVersion() : autocannonVersion()}`
}
