/**
 * Folders and files of results: made, named, and refused as wrong use. Two runs that begin in one second have different
 * names, also in two processes.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../model/errors.js'

const RESULTS = 'results'
/** File by which git ignores the results, and itself. */
const IGNORE = '.gitignore'

/**
 * Folders to remove at the end of this process if they are still empty.
 *
 * @type {Set<string>}
 */
const made = new Set()
process.once('exit', () => {
  for (const folder of made) {
    try {
      if (readdirSync(folder).join() === IGNORE) rmSync(path.join(folder, IGNORE))
      rmdirSync(folder)
    } catch {}
  }
})

/**
 * Makes an empty directory in results/.
 *
 * @param {string} [question]  Name of the command that asks it.
 * @param {Date} [started]
 * @returns {string} results/<question>-<time>, of a run results/<time>, with -2, -3 ... at its end if the name is taken
 * @throws {UsageError} when it cannot be made
 */
export function claimDirectory (question = 'run', started = new Date()) {
  const prefix = question === 'run' ? '' : `${question}-`
  const name = path.join(RESULTS, prefix + started.toISOString().slice(0, 19).replaceAll(':', '-'))
  try {
    const isNew = !existsSync(RESULTS)
    makeFolder(RESULTS)
    if (isNew) writeFileSync(path.join(RESULTS, IGNORE), '*\n')
    for (let n = 1; ; n++) {
      const directory = n === 1 ? name : `${name}-${n}`
      if (!makeNew(directory)) continue
      made.add(path.resolve(directory))
      if (isNew) made.add(path.resolve(RESULTS))
      return directory
    }
  } catch (error) {
    throw new UsageError(`cannot create ${name}: ${/** @type {Error} */ (error).message}; choose another with --out`)
  }
}

/**
 * @param {string} directory
 * @returns {boolean} false when it exists
 */
function makeNew (directory) {
  try {
    mkdirSync(directory)
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Makes a folder with all that it lies in, one level at a time: where none can be made, as in /proc, Node's own
 * recursive mkdirSync tries for ever, and takes no signal.
 *
 * @param {string} folder
 * @throws {NodeJS.ErrnoException} when it cannot be made
 */
export function makeFolder (folder) {
  const parent = path.dirname(folder)
  if (!existsSync(parent)) makeFolder(parent)
  try {
    mkdirSync(folder)
  } catch (error) {
    const isThere = existsSync(folder) && statSync(folder).isDirectory()
    if (!isThere) throw error
  }
}

/** Codes of Windows for a file that another process has open: a virus scanner, a search index. */
const OPEN = ['EBUSY', 'EPERM', 'EACCES']
const TRIES = 10
const PAUSE_MS = 50

/**
 * Renames a file or folder, and tries again where another process has it open.
 *
 * @param {string} from
 * @param {string} to
 * @throws {NodeJS.ErrnoException} with the names of both, when it is still open after half a second
 */
export function move (from, to, rename = renameSync) {
  for (let tries = 1; ; tries++) {
    try {
      return rename(from, to)
    } catch (error) {
      if (tries === TRIES || !OPEN.includes(String(/** @type {NodeJS.ErrnoException} */ (error).code))) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}

/**
 * Writes a file that its user has named.
 *
 * @param {string} file
 * @param {() => void} write
 * @throws {UsageError} when the system refuses
 */
export function writing (file, write) {
  try {
    write()
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${/** @type {Error} */ (error).message}; choose another file`)
  }
}
