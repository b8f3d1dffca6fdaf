/** Names of results directories. Two runs that begin in one second have different ones, also in two processes. */
import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../model/errors.js'
import { makeFolder } from './make-folder.js'

const RESULTS = 'results'

/**
 * Folders to remove at the end of this process if they are still empty.
 *
 * @type {Set<string>}
 */
const made = new Set()
process.once('exit', () => {
  for (const folder of made) {
    try {
      rmdirSync(folder)
    } catch {}
  }
})

/**
 * Makes an empty directory in results/.
 *
 * @param {string} [prefix]
 * @param {Date} [started]
 * @returns {string} results/<prefix><time>, with -2, -3 ... at its end if the name is taken
 * @throws {UsageError} when it cannot be made
 */
export function claimDirectory (prefix = '', started = new Date()) {
  const name = path.join(RESULTS, prefix + started.toISOString().slice(0, 19).replaceAll(':', '-'))
  try {
    const isNew = !existsSync(RESULTS)
    makeFolder(RESULTS)
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
