/** Ports for servers that tests start. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * @param {number} count
 * @returns {Promise<number>} the first of so many free ports
 */
export async function freePorts (count) {
  while (true) {
    // Below those that systems hand out, which any other program may get in the meantime.
    const first = 20_000 + Math.floor(12_000 * Math.random())
    const all = await Promise.all(Array.from({ length: count }, (_, i) => listen(first + i).catch(() => null)))
    if (all.every(Boolean)) return first
  }
}

/**
 * Listens for a moment.
 *
 * @param {number} port
 * @returns {Promise<number>} the port
 */
export async function listen (port) {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: bound } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return bound
}
