/**
 * How files are read that others may have written: results, baselines, traces, profiles. Only files are read, for a pipe may
 * never end, and only up to a size that fits into memory. What is in them is checked by whoever reads it.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../model/errors.js'

const MIB = 2 ** 20

/** In bytes, by what is read. The largest that timerq itself writes are far smaller. */
export const LIMITS = {
  /** A plan of 5 000 cells has 2 MiB. */
  run: 64 * MIB,
  /** Read line by line. A million samples of heats have 600 MiB. */
  samples: 16 * 1024 * MIB,
  sample: 4 * MIB,
  baseline: 16 * MIB,
  /** Four bytes an operation: an hour at 18 000 operations a second. */
  trace: 256 * MIB,
  /** Also of what a compressed profile unfolds to. */
  profile: 256 * MIB,
  /** What a load generator prints. */
  load: 16 * MIB
}

const CHUNK_BYTES = MIB
const LINE_FEED = 10

/**
 * @param {string} file
 * @param {keyof typeof LIMITS} kind
 * @returns {Buffer}
 * @throws {UsageError} when it is no file, is too large, or cannot be read
 */
export function readInput (file, kind) {
  return withFile(file, LIMITS[kind], descriptor => {
    const bytes = readFileSync(descriptor)
    // It may have grown since.
    assertSize(file, bytes.length, LIMITS[kind])
    return bytes
  })
}

/**
 * Enough of a file to tell what it is.
 *
 * @param {string} file
 * @param {number} bytes
 */
export function readBeginning (file, bytes) {
  return withFile(file, Infinity, descriptor => {
    const beginning = Buffer.alloc(bytes)
    return beginning.subarray(0, readSync(descriptor, beginning)).toString()
  })
}

/**
 * The lines of a file, of which only one is in memory. The last one is not whole where no line feed ends it.
 *
 * @param {string} file
 * @param {{file: keyof typeof LIMITS, line: keyof typeof LIMITS}} kinds
 * @param {(line: string, number: number, isWhole: boolean, end: number) => void} read  Lines are numbered from 1. `end`: the byte of
 *   the file at which the next one starts.
 * @throws {UsageError} when it is no file, is too large, or cannot be read
 */
export function readLines (file, kinds, read) {
  withFile(file, LIMITS[kinds.file], descriptor => {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    let filled = 0
    let passed = 0
    let number = 0
    for (let bytes; (bytes = readSync(descriptor, buffer, filled, buffer.length - filled, null)) > 0;) {
      filled += bytes
      let start = 0
      for (let end; (end = buffer.subarray(0, filled).indexOf(LINE_FEED, start)) !== -1; start = end + 1) {
        read(buffer.toString('utf8', start, end), ++number, true, passed + end + 1)
      }
      const rest = filled - start
      if (rest > LIMITS[kinds.line]) throw new UsageError(`${file}:${number + 1}: ${tooLarge(rest, LIMITS[kinds.line])}`)
      const room = rest < buffer.length ? buffer : Buffer.allocUnsafe(2 * buffer.length)
      buffer.copy(room, 0, start, filled)
      buffer = room
      filled = rest
      passed += start
    }
    if (filled > 0) read(buffer.toString('utf8', 0, filled), number + 1, false, passed + filled)
  })
}

/**
 * @param {string} file
 * @param {{start: number, end: number}[]} parts  In bytes.
 * @param {(bytes: Buffer, index: number) => void} use  Called with each part. The buffer is used again for the next one.
 * @throws {UsageError} when it cannot be read, or is shorter
 */
export function readParts (file, parts, use) {
  withFile(file, Infinity, descriptor => {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (const [i, { start, end }] of parts.entries()) {
      if (buffer.length < end - start) buffer = Buffer.allocUnsafe(end - start)
      if (readSync(descriptor, buffer, 0, end - start, start) < end - start) throw new Error('it is shorter than it was')
      use(buffer.subarray(0, end - start), i)
    }
  })
}

/**
 * Names come from data, and links lead anywhere: a file of a results directory must lie in it whatever the two say.
 *
 * @param {string} directory
 * @param {string} file  In it, by its path. It need not be there.
 * @returns {string} the file
 * @throws {UsageError} when it lies elsewhere
 */
export function assertInside (directory, file) {
  const [folder, real] = [directory, existsSync(file) ? file : path.dirname(file)].map(name => existsSync(name) ? realpathSync(name) : path.resolve(name))
  if (real === folder || real.startsWith(folder + path.sep)) return file
  throw new UsageError(`${file} leads out of ${directory}, to ${real}: timerq neither reads nor writes there`)
}

/**
 * @template T
 * @param {string} file
 * @param {number} limit
 * @param {(descriptor: number) => T} use
 * @returns {T}
 */
function withFile (file, limit, use) {
  let descriptor
  try {
    // Opening a pipe would wait for its other end.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new Error('it is not a file')
    assertSize(file, stats.size, limit)
    return use(descriptor)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be read: ${/** @type {Error} */ (error).message}`)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/**
 * @param {string} file
 * @param {number} bytes
 * @param {number} limit
 */
function assertSize (file, bytes, limit) {
  if (bytes > limit) throw new UsageError(`${file}: ${tooLarge(bytes, limit)}`)
}

/**
 * @param {number} bytes
 * @param {number} limit
 */
const tooLarge = (bytes, limit) => `${Math.ceil(bytes / MIB)} MiB are more than timerq reads (${limit / MIB} MiB)`
