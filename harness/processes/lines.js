/** Messages of one line of JSON each, over a socket: between a user's program and timerq. */
/** @import { Socket } from 'node:net' */

/**
 * @param {Socket} socket  A process that ends takes its socket along, which is no fault here.
 * @param {(message: any) => void} onMessage
 * @param {(error: unknown) => void} [onFault]  Called where a line is no JSON, or with what `onMessage` throws.
 * @returns {(message: object) => void} sends a message
 */
export function connectLines (socket, onMessage, onFault) {
  let text = ''
  socket
    .setEncoding('utf8')
    .on('error', () => {})
    .on('data', chunk => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      try {
        for (const line of lines) onMessage(JSON.parse(line))
      } catch (error) {
        if (!onFault) throw error
        onFault(error)
      }
    })
  return message => {
    socket.write(JSON.stringify(message) + '\n')
  }
}
