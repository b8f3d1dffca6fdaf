/**
 * Traces of timer operations, format timerq-trace/1 (docs/reference/formats.md): a line of JSON, then one record for
 * each operation. A record is two or three unsigned LEB128 integers: four times the milliseconds since the previous
 * record plus the kind, the timer's number, and the duration of a start. Most operations take four bytes.
 */
import { openSync, writeSync } from 'node:fs'
import { LIMITS, readBeginning, readInput } from './input.js'
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
const LONGEST_HEADER = 4096
/** Node's own limit, in milliseconds. */
export const LONGEST_DURATION = 2 ** 31 - 1
/** 69 years, in milliseconds. */
const LONGEST_TRACE = 2 ** 41
/** Timers are numbered as they start. A larger gap is damage, and would fill the memory. */
const LARGEST_GAP = 2 ** 16

/**
 * @typedef {object} Trace
 * @property {Uint8Array} kinds
 * @property {Float64Array} times  Milliseconds since the first operation.
 * @property {Int32Array} timers  Numbers from 0 on.
 * @property {Float64Array} durations  Durations of starts; 0 for other operations.
 * @property {number} timerCount
 * @property {boolean} isTruncated  The program was killed while it wrote the last record.
 */

/** Writes in blocks, so that memory is bounded and a killed program leaves a readable file. */
export class TraceWriter {
  #path
  #file
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  #used = 0
  #left
  #last = 0
  #isBroken = false

  /**
   * @param {string} path
   * @param {number} now  Whole milliseconds.
   * @param {number} [mostBytes]  Where the trace ends: no reader takes a longer one.
   */
  constructor (path, now, mostBytes = LIMITS.recording) {
    this.#path = path
    this.#file = openSync(path, 'w')
    this.#last = now
    this.#left = mostBytes
    this.#used = this.#buffer.write(
      JSON.stringify({ format: TRACE_FORMAT, node: process.version, started: new Date().toISOString() }) + '\n'
    )
    this.flush()
  }

  /**
   * @param {number} kind
   * @param {number} now Whole milliseconds. Two clocks may differ: a time before the last one counts as the last one.
   * @param {number} timer
   * @param {number} [duration]  Duration of a start.
   * @returns {number} the time as written
   */
  write (kind, now, timer, duration) {
    if (this.#used + LONGEST_RECORD > BUFFER_BYTES) this.flush()
    const passed = now - this.#last
    if (passed > 0) this.#last = now
    this.#append(passed > 0 ? passed * KINDS + kind : kind)
    this.#append(timer)
    if (duration !== undefined) this.#append(duration)
    return this.#last
  }

  /** A full disk, or the limit of a trace, ends the trace but not the program. */
  flush () {
    try {
      this.#left -= this.#used
      if (this.#left < 0 && !this.#isBroken) throw new Error('recommend reads no longer one')
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
      this.#buffer[this.#used++] = (value % 0x80) | 0x80
      value = Math.floor(value / 0x80)
    }
    this.#buffer[this.#used++] = value
  }
}

/**
 * @param {string} path
 * @returns {Trace}
 * @throws {UsageError} when the file is not a trace, has another format, or is damaged
 */
export function readTrace (path) {
  return parseTrace(readInput(path, 'recording'), path)
}

/** @param {string} path */
export function isTrace (path) {
  const [header] = readBeginning(path, LONGEST_HEADER).split('\n')
  return parseHeader(header)?.format === TRACE_FORMAT
}

/** @type {(bytes: Buffer, where: string) => Trace} */
function parseTrace (bytes, where) {
  const headerEnd = bytes.indexOf('\n')
  const header = parseHeader(bytes.subarray(0, Math.min(LONGEST_HEADER, Math.max(0, headerEnd))).toString('utf8'))
  if (header?.format !== TRACE_FORMAT) {
    throw new UsageError(
      `${where} is not a trace: format ${JSON.stringify(header?.format)}, expected "${TRACE_FORMAT}"`
    )
  }
  return decode(bytes, headerEnd + 1, where)
}

/** @param {string} line */
function parseHeader (line) {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** @type {(bytes: Buffer, position: number, where: string) => Trace} */
function decode (bytes, position, where) {
  const { count, isTruncated } = countRecords(bytes, position)
  const kinds = new Uint8Array(count)
  const times = new Float64Array(count)
  const timers = new Int32Array(count)
  const durations = new Float64Array(count)
  let time = 0
  let timerCount = 0

  function next () {
    let value = 0
    for (let unit = 1; ; unit *= 0x80) {
      const byte = bytes[position++]
      value += (byte & 0x7f) * unit
      if (byte < 0x80) return value
    }
  }

  for (let i = 0; i < count; i++) {
    const kind = bytes[position] % KINDS
    const head = next()
    const timer = next()
    const duration = kind === START ? next() : 0
    // The first record counts from the start of the recorder.
    if (i > 0) time += Math.floor(head / KINDS)
    // Numbers too large to be exact may come out as NaN.
    const isPossible =
      timer < count + LARGEST_GAP &&
      time <= LONGEST_TRACE &&
      (kind !== START || (duration >= 1 && duration <= LONGEST_DURATION))
    if (!isPossible) {
      throw new UsageError(
        `${where} is damaged: operation ${i + 1} is of timer ${timer}, after ${time} ms, for ${duration} ms ` +
          '(try to record it again)'
      )
    }
    kinds[i] = kind
    times[i] = time
    timers[i] = timer
    durations[i] = duration
    timerCount = Math.max(timerCount, timer + 1)
  }
  return { kinds, times, timers, durations, timerCount, isTruncated }
}

/** @type {(bytes: Buffer, position: number) => {count: number, isTruncated: boolean}} */
function countRecords (bytes, position) {
  let count = 0
  while (position < bytes.length) {
    let numbers = bytes[position] % KINDS === START ? 3 : 2
    while (numbers > 0 && position < bytes.length) if (bytes[position++] < 0x80) numbers--
    if (numbers > 0) return { count, isTruncated: true }
    count++
  }
  return { count, isTruncated: false }
}
