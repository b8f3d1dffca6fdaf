/** Messages of one line each, over a socket: between a measured process, or a user's program, and timerq. */
import { deserialize, serialize } from 'node:v8'
/** @import { Socket } from 'node:net' */

const { parse, stringify } = JSON
const { from } = Buffer

/**
 * @typedef {object} Codec
 * @property {(message: object) => string} encode
 * @property {(line: string) => any} decode
 */

/** @type {Codec} */
const PLAIN = { encode: stringify, decode: parse }

/**
 * Keeps what JSON loses: undefined, Infinity, maps, typed arrays.
 *
 * @type {Codec}
 */
export const STRUCTURED = {
  encode: message => serialize(message).toString('base64'),
  decode: line => deserialize(from(line, 'base64'))
}

/**
 * @param {Socket} socket  A process that ends takes its socket along, which is no fault here.
 * @param {(message: any) => void} onMessage
 * @param {(error: unknown) => void} [onFault]  Called where a line cannot be read, or with what `onMessage` throws.
 * @param {Codec} [codec]
 * @returns {(message: object) => void} sends a message
 */
export function connectLines (socket, onMessage, onFault, { encode, decode } = PLAIN) {
  const write = socket.write.bind(socket)
  let text = ''
  socket
    .setEncoding('utf8')
    .on('error', () => {})
    .on('data', chunk => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      try {
        for (const line of lines) onMessage(decode(line))
      } catch (error) {
        if (!onFault) throw error
        onFault(error)
      }
    })
  return message => {
    write(encode(message) + '\n')
  }
}
