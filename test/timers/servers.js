/** Servers and clients for the tests of sockets. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

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

/**
 * A server with one connection, which ends with the test.
 *
 * @param {import('node:test').TestContext} t
 * @param {(socket: import('node:net').Socket) => unknown} [listener]
 * @param {import('node:net').ServerOpts} [options]
 */
export async function connected (t, listener, options = {}) {
  const server = createServer(options, listener)
  const accepted = once(server, 'connection')
  const client = connect(await listen(server), '127.0.0.1')
  const [[accepting]] = await Promise.all([accepted, once(client, 'connect')])
  t.after(async () => {
    client.destroy()
    accepting.destroy()
    await close(server)
  })
  return { server, client, accepting }
}

/** @param {number} ms  Time in which the event loop does nothing else. */
export function block (ms) {
  for (const end = performance.now() + ms; performance.now() < end;);
}
