/**
 * Damages bytes as disks, editors and attackers do. Every damage follows from the random numbers, so a seed repeats it.
 */
import { createRandom } from '../../harness/model/random.js'

/** Values on which parsers and the code behind them stumble. */
const TOKENS = [
  'null',
  '-1',
  '0',
  '1e999',
  '-1e308',
  '1e15',
  '""',
  '[]',
  '{}',
  '[null]',
  'true',
  '99999999999999999999',
  'NaN',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '{"__proto__":{"polluted":1}}',
  '"../../x"',
  '"\\u001b[2J\\u0007"',
  '"\\u202e"',
  '"<script>x</script>"',
  '"a|b\\r\\n::error::x"',
  '"##[error]x"',
  '"',
  '{',
  ']',
  ',',
  '\n',
  '\r\n',
  '\0',
  '\ufeff',
  '\x1b[2J'
]
/** A JSON value: a number, a string, a name or a word. */
const VALUE = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|"(?:[^"\\]|\\.)*"|\b(?:null|true|false)\b/g
const MOST_BYTES_SPLICED = 64

/** @typedef {(limit: number) => number} Random  An integer below the limit. */

/** @type {((bytes: Buffer, random: Random) => Buffer)[]} */
const kinds = [
  flip,
  truncate,
  duplicate,
  splice,
  (bytes, random) => replaceRange(bytes, random, Buffer.from(TOKENS[random(TOKENS.length)])),
  replaceValue,
  replaceValue,
  swapLines
]

/**
 * @param {Buffer} bytes
 * @param {number} seed
 * @returns {Buffer} other bytes, unless several damages undo each other
 */
export function damage (bytes, seed) {
  const random = createRandom(Math.imul(seed + 1, 0x9e3779b1))
  let damaged = bytes
  for (let left = 1 + (random(4) === 0 ? random(4) : 0); left > 0 && damaged.length > 0; left--) {
    damaged = kinds[random(kinds.length)](damaged, random)
  }
  return damaged
}

/**
 * @param {Buffer} bytes
 * @param {Random} random
 */
function flip (bytes, random) {
  const flipped = Buffer.from(bytes)
  flipped[random(bytes.length)] ^= 1 << random(8)
  return flipped
}

/**
 * @param {Buffer} bytes
 * @param {Random} random
 */
function truncate (bytes, random) {
  return bytes.subarray(0, random(bytes.length))
}

/**
 * A stretch once more, often a whole line.
 *
 * @param {Buffer} bytes
 * @param {Random} random
 */
function duplicate (bytes, random) {
  const [start, end] = random(2) === 0 ? range(bytes, random) : line(bytes, random)
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
}

/**
 * A stretch is moved over another one.
 *
 * @param {Buffer} bytes
 * @param {Random} random
 */
function splice (bytes, random) {
  const [start, end] = range(bytes, random)
  return replaceRange(bytes, random, bytes.subarray(start, end))
}

/**
 * @param {Buffer} bytes
 * @param {Random} random
 */
function swapLines (bytes, random) {
  const [a, b] = [line(bytes, random), line(bytes, random)].sort((one, other) => one[0] - other[0])
  return random(2) === 0
    ? Buffer.concat([bytes.subarray(0, a[0]), bytes.subarray(a[1])])
    : Buffer.concat([bytes.subarray(0, a[0]), bytes.subarray(...b), bytes.subarray(a[1])])
}

/**
 * @param {Buffer} bytes
 * @param {Random} random
 * @param {Buffer} put
 */
function replaceRange (bytes, random, put) {
  const [start, end] = range(bytes, random)
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(random(2) === 0 ? start : end)])
}

/**
 * Stays JSON, mostly.
 *
 * @param {Buffer} bytes
 * @param {Random} random
 */
function replaceValue (bytes, random) {
  const text = bytes.toString()
  const values = [...text.matchAll(VALUE)]
  if (values.length === 0) return flip(bytes, random)
  const { index, 0: old } = values[random(values.length)]
  const put = random(3) === 0 ? values[random(values.length)][0] : TOKENS[random(TOKENS.length)]
  return Buffer.from(text.slice(0, index) + put + text.slice(index + old.length))
}

/**
 * @param {Buffer} bytes
 * @param {Random} random
 * @returns {[number, number]}
 */
function range (bytes, random) {
  const start = random(bytes.length)
  return [start, Math.min(bytes.length, start + 1 + random(MOST_BYTES_SPLICED))]
}

/**
 * @param {Buffer} bytes
 * @param {Random} random
 * @returns {[number, number]}
 */
function line (bytes, random) {
  const at = random(bytes.length)
  const start = bytes.lastIndexOf('\n', at) + 1
  const end = bytes.indexOf('\n', start)
  return [start, end === -1 ? bytes.length : end + 1]
}
