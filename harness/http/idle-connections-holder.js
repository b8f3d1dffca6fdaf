/** Opens connections, asks each for one answer, and holds them. */
import { connect } from 'node:net'
import { answer } from '../answer.js'

/** At once: fewer than a listening socket's backlog, 511. */
const BATCH = 200

let open = 0

answer({ open: openAll, count: () => ({ open }) })

/** @param {{port: number, connections: number}} task */
async function openAll ({ port, connections }) {
  while (open < connections) {
    const batch = Math.min(BATCH, connections - open)
    await Promise.all(Array.from({ length: batch }, () => openOne(port))).catch(error => {
      throw new Error(`${connections} idle connections: ${describe(error)}`)
    })
  }
  return {}
}

/**
 * One that never sent a request would be closed by the server's headersTimeout.
 *
 * @param {number} port
 * @returns {Promise<void>}
 */
function openOne (port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('end', () => reject(new Error('the server closed one at once')))
    socket.once('data', () => {
      open++
      socket.once('close', () => open--)
      resolve()
    })
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  })
}

/** @param {NodeJS.ErrnoException} error */
function describe ({ code, message }) {
  return code === 'EMFILE' ? `${open} are open and no file descriptor is left (raise ulimit -n)` : message
}
