/** Faults of writing, told as wrong use. */
import { UsageError } from '../model/errors.js'

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
