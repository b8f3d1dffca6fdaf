/** Folders for results. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

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
