/** Opens connections, sends one request on each, and keeps them open. */
import { connect } from 'node:net'
import { answer } from '../../processes/answer.js'

/** Connections opened at once. A listening socket queues 511 at most (its backlog). */
const BATCH = 200

let open = 0

answer({ open: openAll, count: () => ({ open }) })

/** @param {{host: string, port: number, connections: number}} job */
async function openAll ({ host, port, connections }) {
  while (open < connections) {
    const batch = Math.min(BATCH, connections - open)
    const opening = Array.from({ length: batch }, () => openOne(host, port))
    await Promise.all(opening).catch(({ code, message }) => {
      throw new Error(
        code === 'EMFILE' ? `${open} are open, and no file descriptor is left (raise ulimit -n)` : message
      )
    })
  }
  return {}
}

/**
 * The server's headersTimeout would close a connection that never sent a request.
 *
 * @type {(host: string, port: number) => Promise<void>}
 */
function openOne (host, port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host)
    socket.once('error', reject)
    socket.once('end', () => reject(new Error('the server closed one at once')))
    socket.once('data', () => {
      open++
      socket.once('close', () => open--)
      resolve()
    })
    socket.write('GET / HTTP/1.1\r\nHost: timerq\r\n\r\n')
  })
}
