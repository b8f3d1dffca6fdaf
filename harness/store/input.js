/**
 * Reads files that others may have written: results, traces, profiles. Only regular files are read, for a
 * pipe may never end, and only up to a size that fits into memory. The caller checks the content.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../model/errors.js'

const MIB = 2 ** 20

/** Limits in bytes, by what is read. The largest files that timerq itself writes are far smaller. */
export const LIMITS = {
  /** A plan of 5 000 cells has 2 MiB. */
  run: 64 * MIB,
  /** 200 000 samples of heats have 120 MiB. */
  samples: 1024 * MIB,
  sample: 4 * MIB,
  /** Four bytes an operation: an hour at 18 000 operations a second. */
  recording: 256 * MIB,
  /** Also the limit of what a compressed profile unfolds to. */
  profile: 256 * MIB,
  /** Output of a load generator. */
  load: 16 * MIB
}

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
    // The file may have grown since its size was checked.
    assertSize(file, bytes.length, LIMITS[kind])
    return bytes
  })
}

/**
 * Reads enough of a file to tell its kind.
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
 * @param {string} file
 * @param {{file: keyof typeof LIMITS, line: keyof typeof LIMITS}} kinds
 * @returns {Generator<{text: string, number: number, isWhole: boolean}>} lines, numbered from 1; the last one is not
 *   whole where no line feed ends it
 * @throws {UsageError} when it is no file, is too large, or cannot be read
 */
export function * readLines (file, kinds) {
  const bytes = readInput(file, kinds.file)
  for (let start = 0, number = 1; start < bytes.length; number++) {
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    const end = lineFeed === -1 ? bytes.length : lineFeed
    assertSize(`${file}:${number}`, end - start, LIMITS[kinds.line])
    yield { text: bytes.toString('utf8', start, end), number, isWhole: lineFeed !== -1 }
    start = end + 1
  }
}

/**
 * Names come from data, and links lead anywhere: a file of a results directory must lie in it all the same.
 *
 * @param {string} directory
 * @param {string} file  Path of a file in it, which need not exist.
 * @returns {string} the file
 * @throws {UsageError} when it lies elsewhere
 */
export function assertInside (directory, file) {
  const [folder, real] = [directory, existsSync(file) ? file : path.dirname(file)].map(name =>
    existsSync(name) ? realpathSync(name) : path.resolve(name)
  )
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
 * @param {string} where
 * @param {number} bytes
 * @param {number} limit
 */
function assertSize (where, bytes, limit) {
  if (bytes > limit) {
    throw new UsageError(`${where}: ${Math.ceil(bytes / MIB)} MiB are more than timerq reads (${limit / MIB} MiB)`)
  }
}
