/** Connections that are open and send nothing, held by their own process. */
import { Child } from '../../processes/child.js'
import { SampleError } from '../../processes/processes.js'
import { LOOPBACK } from './loopback.js'

const HOLDER = new URL('./idle-connections-holder.js', import.meta.url)
const OPEN_LIMIT_MS = 10_000
const COUNT_LIMIT_MS = 2000

/**
 * @param {{host?: string, port: number, connections: number, pin: string[], signal?: AbortSignal}} options
 * @throws {SampleError} when some of them cannot be opened
 */
export async function openIdleConnections ({ host = LOOPBACK, port, connections, pin, signal }) {
  const holder = new Child(HOLDER, { runtime: { name: 'idle connections', path: process.execPath, flags: [] }, pin })
  const ask = (/** @type {{type: string, [option: string]: unknown}} */ message, /** @type {number} */ limitMs) =>
    holder.ask(message, limitMs, signal).catch(error => { throw faultOf(error, connections) })
  try {
    await ask({ type: 'open', host, port, connections }, OPEN_LIMIT_MS)
  } catch (error) {
    await holder.end()
    throw error
  }
  return {
    /** @throws {SampleError} when the server has closed some */
    async assertOpen () {
      const { open } = await ask({ type: 'count' }, COUNT_LIMIT_MS)
      const closed = connections - open
      if (closed > 0) throw new SampleError('load', `${closed} of ${connections} idle connections were closed`)
    },

    /** Closes them all. */
    end: () => holder.end()
  }
}

/**
 * Not the server's, unless it has closed connections.
 *
 * @param {unknown} error
 * @param {number} connections
 */
function faultOf (error, connections) {
  if (!(error instanceof SampleError)) return error
  return new SampleError('load', `${connections} idle connections: ${error.message.replace(/^the process/, 'the process that holds them')}`)
}
