import { UsageError } from '../../model/errors.js'
import { autocannonVersion, loadWithAutocannon } from './autocannon.js'
import { loadWithCommand } from './load-command.js'
import { LOOPBACK } from './loopback.js'
import { loadWithWrk, wrkVersion } from './wrk.js'

/**
 * @typedef {object} LoadSettings  Who makes the load, and from where.
 * @property {'wrk' | 'autocannon'} load
 * @property {string[]} [loadCommand]  Instead of it: see load-command.js.
 * @property {string} [listen]  Address that servers listen on.
 * @property {string} [target]  Name or address of this machine as the load generator knows it, where that is another.
 */

/**
 * Chooses wrk if it is on the PATH, unless the user asks for another.
 *
 * @param {string} [asked]
 * @returns {Promise<'wrk' | 'autocannon'>}
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

/**
 * @param {LoadSettings} settings
 * @returns {(load: import('./wrk.js').Load) => Promise<import('./wrk.js').LoadResult>}
 */
export function generatorOf ({ load, loadCommand }) {
  if (loadCommand) return loadWithCommand(loadCommand)
  return load === 'wrk' ? loadWithWrk : loadWithAutocannon
}

/**
 * @param {Pick<LoadSettings, 'listen' | 'target'>} settings
 * @param {number} port
 */
export function urlOf ({ listen = LOOPBACK, target = listen }, port) {
  return `http://${target.includes(':') ? `[${target}]` : target}:${port}/`
}

/** @param {LoadSettings} settings */
export async function describeLoadGenerator ({ load, loadCommand }) {
  if (loadCommand) return loadCommand.join(' ')
  return `${load} ${load === 'wrk' ? await wrkVersion() : autocannonVersion()}`
}
