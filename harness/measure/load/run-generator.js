/** Runs a load generator and reads its result. */
import { SampleError } from '../../model/errors.js'
import { runProgram } from '../../processes/processes.js'
import { checkWith } from '../../store/json.js'
/** @import { LoadResult } from './wrk.js' */

const checkLoad = checkWith('load')

/**
 * Returns the output of a load generator.
 *
 * @type {(name: string, command: string[], signal?: AbortSignal) => Promise<string>}
 * @throws {SampleError} when it cannot be started or fails
 * @throws {Error} the signal's reason when it is aborted, but only once the generator is gone: it may still send
 */
export async function runGenerator (name, command, signal) {
  const { ok, ending, output } = await runProgram(command, signal).catch(error => {
    if (error.code !== 'E2BIG') throw error
    throw new SampleError(
      'load',
      `${name} cannot take this many requests as arguments: let the scenario ask for fewer or shorter ones`
    )
  })
  if (!ok) throw new SampleError('load', `${name} ${ending}`)
  return output
}

/**
 * Runs a load until a signal says that it is over, which is no failure.
 *
 * @template T
 * @param {AbortSignal} over
 * @param {AbortSignal | undefined} signal  Ends the load with an error.
 * @param {(end: AbortSignal) => Promise<T>} load
 * @returns {Promise<T | undefined>} undefined if the load had to be ended
 */
export async function loadUntil (over, signal, load) {
  try {
    return await load(signal ? AbortSignal.any([over, signal]) : over)
  } catch (error) {
    if (!over.aborted || signal?.aborted) throw error
  }
}

/**
 * @type {(name: string, parse: () => unknown) => LoadResult}
 * @throws {SampleError} when `parse` fails or returns no result
 */
export function readLoad (name, parse) {
  try {
    return /** @type {LoadResult} */ (checkLoad(parse(), 'its summary'))
  } catch (error) {
    throw new SampleError('load', `${name} printed no result: ${/** @type {Error} */ (error).message.slice(0, 200)}`)
  }
}
