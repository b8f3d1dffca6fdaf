import { runProgram, SampleError } from '../processes.js'

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
