/** The load generator of a run: wrk, autocannon, or a user's command. */
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
 */

/** @returns {Promise<'wrk' | 'autocannon'>} wrk if it is on the PATH */
export const chooseLoadGenerator = async () => ((await wrkVersion()) === null ? 'autocannon' : 'wrk')

/** @type {(settings: LoadSettings & {program?: object}) => (load: Load) => Promise<LoadResult>} */
export function generatorOf ({ load, loadCommand, program }) {
  if (loadCommand) return loadWithCommand(loadCommand, { needsFigures: program === undefined })
  return load === 'wrk' ? loadWithWrk : loadWithAutocannon
}

/**
 * @param {Pick<LoadSettings, 'listen'> & {program?: {path: string}}} settings
 * @param {number} port
 * @param {boolean} [isTls]
 */
export function urlOf ({ listen = LOOPBACK, program: { path } = { path: '/' } }, port, isTls = false) {
  return `${isTls ? 'https' : 'http'}://${listen.includes(':') ? `[${listen}]` : listen}:${port}${path}`
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
