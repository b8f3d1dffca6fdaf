import picocolors from 'picocolors'

/**
 * @param {import('./main.js').Streams['stdout']} stream
 * @param {boolean} [color]  What the user asked for; else colours are for terminals, unless NO_COLOR is set.
 */
export function terminalStyle (stream, color) {
  return picocolors.createColors(color ?? (stream.isTTY === true && !process.env.NO_COLOR))
}
