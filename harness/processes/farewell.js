/**
 * A channel over which a user's program is asked to end where the system has no signals. All of its processes that have
 * the hook listen to it: see subject/program/presence.js.
 */
import { once } from 'node:events'
import net from 'node:net'
import { socketAt } from './system.js'
/** @import { Socket } from 'node:net' */

/** @param {string} file  Name of a file that does not exist. */
export async function openFarewell (file) {
  /** @type {Set<Socket>} */
  const sockets = new Set()
  const server = net.createServer(socket => sockets.add(socket.on('error', () => {})))
  const address = socketAt(file)
  await once(server.listen(address).unref(), 'listening')
  return {
    env: { TIMERQ_FAREWELL: address },
    ask: () => sockets.forEach(socket => socket.end('end')),
    close () {
      server.close()
      sockets.forEach(socket => socket.destroy())
    }
  }
}
