/** The load generator of a run: wrk, autocannon, or a user's command. */
import { UsageError } from '../../model/errors.js'
import { LOOPBACK } from '../../model/machine.js'
import { autocannonVersion, loadWithAutocannon } from './autocannon.js'
import { assertLoadCommand, loadWithCommand } from './load-command.js'
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
  const hasWrk = (await wrkVersion()) !== null
  if (asked === 'wrk' && !hasWrk) {
    throw new UsageError(
      '--load wrk: wrk is not on PATH (install it, for example with apt-get install wrk, or use --load autocannon)'
    )
  }
  return hasWrk ? 'wrk' : 'autocannon'
}

/** @type {(settings: LoadSettings & {program?: object}) => (load: Load) => Promise<LoadResult>} */
export function generatorOf ({ load, loadCommand, program }) {
  if (loadCommand) return loadWithCommand(loadCommand, { needsFigures: program === undefined })
  return load === 'wrk' ? loadWithWrk : loadWithAutocannon
}

/**
 * @param {Pick<LoadSettings, 'listen' | 'target'> & {program?: {path: string}}} settings
 * @param {number} port
 * @param {boolean} [isTls]
 */
export function urlOf ({ listen = LOOPBACK, target = listen, program: { path } = { path: '/' } }, port, isTls = false) {
  return `${isTls ? 'https' : 'http'}://${target.includes(':') ? `[${target}]` : target}:${port}${path}`
}

/**
 * @param {LoadSettings} settings
 * @throws {UsageError} when the user's command does not exist
 */
export async function describeLoadGenerator ({ load, loadCommand }) {
  if (loadCommand) {
    assertLoadCommand(loadCommand)
    return loadCommand.join(' ')
  }
  return `${load} ${load === 'wrk' ? await wrkVersion() : autocannonVersion()}`
}
