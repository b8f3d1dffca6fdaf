/** Connections that are open and send nothing, held by their own process. */
import { SampleError } from '../../model/errors.js'
import { Child } from '../../processes/child.js'
import { LOOPBACK } from '../../model/machine.js'

const HOLDER = new URL('./idle-connections-holder.js', import.meta.url)
const OPEN_LIMIT_MS = 10_000
const COUNT_LIMIT_MS = 2000

/**
 * @param {{host?: string, port: number, connections: number, pin: string[], signal?: AbortSignal}} options
 * @throws {SampleError} when some of them cannot be opened
 */
export async function openIdleConnections ({ host = LOOPBACK, port, connections, pin, signal }) {
  const holder = new Child(HOLDER, { name: 'the process that holds them', pin, signal })
  const ask = (/** @type {string} */ type, /** @type {number} */ limitMs) =>
    holder.ask({ type, host, port, connections }, limitMs).catch(error => {
      if (!(error instanceof SampleError)) throw error
      // No fault of the server.
      throw new SampleError('load', `${connections} idle connections: ${error.message}`)
    })
  try {
    await ask('open', OPEN_LIMIT_MS)
  } catch (error) {
    await holder.end()
    throw error
  }
  return {
    /** @throws {SampleError} when the server has closed some */
    async assertOpen () {
      const { open } = await ask('count', COUNT_LIMIT_MS)
      if (open < connections) {
        throw new SampleError('load', `${connections - open} of ${connections} idle connections were closed`)
      }
    },
    end: () => holder.end()
  }
}
