/** Servers and clients for the tests of sockets. */
import { once } from 'node:events'

/**
 * @param {import('node:net').Server} server
 * @returns {Promise<number>} its port
 */
export async function listen (server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port
}

/** @param {import('node:http').Server | import('node:net').Server} server */
export async function close (server) {
  if ('closeAllConnections' in server) server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

/** @param {number} ms  Time in which the event loop does nothing else. */
export function block (ms) {
  for (const end = performance.now() + ms; performance.now() < end;);
}
