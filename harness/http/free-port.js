import { createServer } from 'node:net'
import { UsageError } from '../model/errors.js'

/**
 * @param {number} port  0 means any free port.
 * @param {number} [count]  Ports from there on: servers that run at the same time have one each.
 * @throws {UsageError} when one is taken or not permitted
 */
export async function assertFreePort (port, count = 1) {
  if (port === 0) return assertFree(0)
  if (port + count > 65_536) throw new UsageError(`--port ${port} leaves too few for ${count} servers that run at the same time, each on a port of its own; choose a lower one, or 0 for any free ports`)
  for (let i = 0; i < count; i++) await assertFree(port + i)
}

/** @param {number} port */
async function assertFree (port) {
  const server = createServer()
  const failure = await new Promise(resolve => {
    server.once('error', resolve)
    server.listen(port, '127.0.0.1', () => server.close(resolve))
  })
  if (!failure) return
  throw new UsageError(port === 0
    ? `no port of 127.0.0.1 is free for a server (${failure.code}): end the programs that hold them`
    : `--port ${port} cannot be used (${failure.code}); choose another, or 0 for any free port`)
}
