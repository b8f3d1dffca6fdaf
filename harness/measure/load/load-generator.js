/** The load generator of a run: wrk, autocannon, or a user's command. */
import { LOOPBACK } from '../../model/machine.js'
import { autocannonVersion, loadWithAutocannon } from './autocannon.js'
import { assertLoadCommand, loadWithCommand } from './load-command.js'
import { loadWithWrk, wrkVersion } from './wrk.js'
export { splitLoadCommand } from './load-command.js'
/** @import { Load, LoadResult } from './wrk.js' */

/**
 * @typedef {object} LoadSettings
 * @property {'wrk' | 'autocannon'} generator
 * @property {string[]} [command]  Replaces the generator: see load-command.js.
 * @property {string} [listen]  Address that servers listen on.
 * @property {number} port  0: any free port.
 */

/** @returns {Promise<'wrk' | 'autocannon'>} wrk if it is on the PATH */
export const chooseLoadGenerator = async () => ((await wrkVersion()) === null ? 'autocannon' : 'wrk')

/** @type {(job: {load: LoadSettings, program?: object}) => (load: Load) => Promise<LoadResult>} */
export function generatorOf ({ load: { generator, command }, program }) {
  if (command) return loadWithCommand(command, { needsFigures: program === undefined })
  return generator === 'wrk' ? loadWithWrk : loadWithAutocannon
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
export async function describeLoadGenerator ({ generator, command }) {
  if (command) {
    assertLoadCommand(command)
    return command.join(' ')
  }
  return `${generator} ${generator === 'wrk' ? await wrkVersion() : autocannonVersion()}`
}
