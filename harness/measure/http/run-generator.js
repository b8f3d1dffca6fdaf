import { checkWith } from '../../store/json.js'
import { runProgram, SampleError } from '../../processes/processes.js'

const checkLoad = checkWith('load')

/**
 * @param {string} name
 * @param {string[]} command
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} what the load generator printed
 * @throws {SampleError} when it cannot be started or fails
 * @throws {Error} the signal's reason when it is aborted, but only once the generator is gone: it may still send
 */
export async function runGenerator (name, command, signal) {
  const { ok, ending, output } = await runProgram(command, signal)
  if (!ok) throw new SampleError('load', `${name} ${ending}`)
  return output
}

/**
 * @param {string} name
 * @param {() => unknown} parse  What it printed.
 * @returns {import('./wrk.js').LoadResult}
 * @throws {SampleError} when that is no result
 */
export function readLoad (name, parse) {
  try {
    return /** @type {import('./wrk.js').LoadResult} */ (checkLoad(parse(), 'its summary'))
  } catch (error) {
    throw new SampleError('load', `${name} printed no result: ${/** @type {Error} */ (error).message.slice(0, 200)}`)
  }
}
