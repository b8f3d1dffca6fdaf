/** Checks before a run that its servers can have their ports. */
import { createServer } from 'node:net'
import { UsageError } from '../../model/errors.js'
import { LOOPBACK } from '../../model/machine.js'

/**
 * @param {number} port  0: any free port.
 * @param {number} [count]  Consecutive ports: servers that run at the same time have one each.
 * @param {string} [address]
 * @throws {UsageError} when a port is taken or not permitted
 */
export async function assertFreePort (port, count = 1, address = LOOPBACK) {
  if (port === 0) return assertFree(0, address)
  if (port + count > 65_536) {
    throw new UsageError(
      `--port ${port} leaves too few for ${count} servers that run at the same time, each on a separate port: ` +
        'choose a lower one, or 0 for any free ports'
    )
  }
  for (let i = 0; i < count; i++) await assertFree(port + i, address)
}

/** @type {(port: number, address: string) => Promise<void>} */
async function assertFree (port, address) {
  const server = createServer()
  const failure = await new Promise(resolve => {
    server.once('error', resolve)
    server.listen(port, address, () => server.close(resolve))
  })
  if (!failure) return
  if (failure.code === 'EADDRNOTAVAIL') {
    throw new UsageError(`--listen must be an address of this machine, got ${address}`)
  }
  throw new UsageError(
    port === 0
      ? `no port of ${address} is free for a server (${failure.code}): end the programs that hold them`
      : `--port ${port} cannot be used (${failure.code}); choose another, or 0 for any free port`
  )
}
