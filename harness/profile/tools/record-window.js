/** A window of load in which a module records inside the server. */
import { assertRequests } from '../../measure/http/settle.js'
/** @import { RunningServer } from '../../measure/http/running-server.js' */

/**
 * @param {Pick<RunningServer, 'ask' | 'load'>} server
 * @param {number} seconds
 * @param {{moduleUrl: string, start: string, stop: string, options?: object}} calls  Functions of a module that the
 *   server loads; `options` are those of `start`.
 * @throws {SampleError} when no request reached the server
 */
export async function recordWindow ({ ask, load }, seconds, { moduleUrl, start, stop, options }) {
  await ask({ type: 'open' })
  await ask({ type: 'call', moduleUrl, name: start, ...options })
  await load(seconds)
  const recorded = await ask({ type: 'call', moduleUrl, name: stop })
  const window = await ask({ type: 'close' })
  assertRequests(window)
  return { ...window, recorded }
}
