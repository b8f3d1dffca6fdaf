/**
 * Traces of timer operations, format timerq-trace/1 (docs/trace-format.md): a line of JSON, then one record for each operation.
 * A record is two or three unsigned LEB128 integers: four times the milliseconds since the previous record plus the kind, the
 * timer's number, and for a start its duration. Most operations take four bytes.
 */
import { openSync, readFileSync, writeSync } from 'node:fs'
import { UsageError } from '../model/errors.js'

const TRACE_FORMAT = 'timerq-trace/1'

export const START = 0
export const REFRESH = 1
export const CANCEL = 2
export const FIRE = 3
const KINDS = 4

const BUFFER_BYTES = 1 << 16
/** Three integers below 2 ** 53. */
const LONGEST_RECORD = 3 * 8

/**
 * @typedef {object} Trace
 * @property {Uint8Array} kinds
 * @property {Float64Array} times  Milliseconds since the first operation.
 * @property {Int32Array} timers  Numbers from 0 on.
 * @property {Float64Array} durations  Of starts; 0 for other operations.
 * @property {number} timerCount
 * @property {boolean} isTruncated  The last record is cut off, because the program was killed while writing it.
 */

/** Writes in blocks: memory is bounded, and what is on disk stays readable whatever happens to the program. */
export class TraceWriter {
  #path
  #file
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  #used = 0
  #last = 0
  #isBroken = false

  /**
   * @param {string} path
   * @param {number} now  Whole milliseconds.
   */
  constructor (path, now) {
    this.#path = path
    this.#file = openSync(path, 'w')
    this.#last = now
    this.#used = this.#buffer.write(JSON.stringify({ format: TRACE_FORMAT, node: process.version, started: new Date().toISOString() }) + '\n')
    this.flush()
  }

  /**
   * @param {number} kind
   * @param {number} now  Whole milliseconds. Where it is less than before, as two clocks may differ by one, no time passes.
   * @param {number} timer
   * @param {number} [duration]  Of a start.
   */
  write (kind, now, timer, duration) {
    if (this.#used + LONGEST_RECORD > BUFFER_BYTES) this.flush()
    const passed = now - this.#last
    if (passed > 0) this.#last = now
    this.#append(passed > 0 ? passed * KINDS + kind : kind)
    this.#append(timer)
    if (duration !== undefined) this.#append(duration)
  }

  /** A full disk ends the trace but not the program. */
  flush () {
    try {
      for (let written = 0; written < this.#used && !this.#isBroken;) {
        written += writeSync(this.#file, this.#buffer, written, this.#used - written)
      }
    } catch (error) {
      this.#isBroken = true
      process.emitWarning(`timerq: ${this.#path} ends here: ${/** @type {Error} */ (error).message}`)
    }
    this.#used = 0
  }

  /** @param {number} value  Not negative. */
  #append (value) {
    while (value >= 0x80) {
      this.#buffer[this.#used++] = value % 0x80 | 0x80
      value = Math.floor(value / 0x80)
    }
    this.#buffer[this.#used++] = value
  }
}

/**
 * @param {string} path
 * @returns {Trace}
 * @throws {UsageError} when it is not a trace or has another format
 */
export function readTrace (path) {
  const bytes = readBytes(path)
  const headerEnd = bytes.indexOf('\n')
  const header = parseHeader(bytes.subarray(0, Math.max(0, headerEnd)).toString('utf8'))
  if (header?.format !== TRACE_FORMAT) {
    throw new UsageError(`${path} is not a trace: format ${JSON.stringify(header?.format)}, expected "${TRACE_FORMAT}"`)
  }
  return decode(bytes, headerEnd + 1)
}

/** @param {string} path */
function readBytes (path) {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${/** @type {Error} */ (error).message}`)
  }
}

/** @param {string} line */
function parseHeader (line) {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} position  Of the first record.
 * @returns {Trace}
 */
function decode (bytes, position) {
  /** @type {number[]} */
  const kinds = []
  /** @type {number[]} */
  const times = []
  /** @type {number[]} */
  const timers = []
  /** @type {number[]} */
  const durations = []
  let time = 0
  let isTruncated = false

  /** Reads the next integer; NaN at the end of the file. */
  function next () {
    let value = 0
    for (let place = 1; position < bytes.length; place *= 0x80) {
      const byte = bytes[position++]
      value += (byte & 0x7f) * place
      if (byte < 0x80) return value
    }
    isTruncated = true
    return NaN
  }

  while (position < bytes.length) {
    const head = next()
    const timer = next()
    const duration = head % KINDS === START ? next() : 0
    if (isTruncated) break
    // The first record counts from the start of the recorder.
    time += times.length === 0 ? 0 : Math.floor(head / KINDS)
    kinds.push(head % KINDS)
    times.push(time)
    timers.push(timer)
    durations.push(duration)
  }
  return {
    kinds: Uint8Array.from(kinds),
    times: Float64Array.from(times),
    timers: Int32Array.from(timers),
    durations: Float64Array.from(durations),
    timerCount: timers.reduce((most, timer) => Math.max(most, timer + 1), 0),
    isTruncated
  }
}
