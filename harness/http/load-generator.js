import { UsageError } from '../model/errors.js'
import { autocannonVersion } from './autocannon.js'
import { wrkVersion } from './wrk.js'

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

/** @param {'wrk' | 'autocannon'} load */
export async function describeLoadGenerator (load) {
  return `${load} ${load === 'wrk' ? await wrkVersion() : autocannonVersion()}`
}
