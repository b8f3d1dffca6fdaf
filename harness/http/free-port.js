import { createServer } from 'node:net'
import { UsageError } from '../model/errors.js'

/**
 * @param {number} port  0 means any free port.
 * @throws {UsageError} when it is taken or not permitted
 */
export async function assertFreePort (port) {
  const server = createServer()
  const failure = await new Promise(resolve => {
    server.once('error', resolve)
    server.listen(port, '127.0.0.1', () => server.close(resolve))
  })
  if (failure) throw new UsageError(`--port ${port} cannot be used (${failure.code}); choose another, or 0 for any free port`)
}
