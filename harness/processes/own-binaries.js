/**
 * Copies of a Node binary. All processes of one file share its pages, whose places in memory are fixed while the file
 * is cached: luck that would favour one of two equal binaries in every heat. So each process draws one of a few files
 * (T. Mytkowicz et al., "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009, of other accidents
 * that all processes share).
 */
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { MeasurementError } from '../model/errors.js'
import { makeFolder } from '../store/folders.js'
import { runProgram } from './processes.js'
import { isWindows } from './system.js'

/** A new copy for each process wrote 90 GB in a gate of 20 rows. */
const COPIES = 4

/**
 * @param {string} binary
 * @param {string} folder  Folder for the copies.
 * @param {string} name  First part of their names; of one length for all binaries that are compared: the path of a
 *   program is in its memory.
 * @returns {Promise<string[]>}
 * @throws {MeasurementError} when the disk is full, for example
 */
export async function copyBinary (binary, folder, name) {
  makeFolder(folder)
  const copies = Array.from({ length: COPIES }, (_, i) => path.join(folder, `${name}${i}${path.extname(binary)}`))
  for (const copy of copies) await copyAs(binary, copy)
  return copies
}

/**
 * Copies in another process: Linux executes no file that is open for writing, and a process that this one starts
 * meanwhile has all its files, for an instant.
 *
 * @param {string} from
 * @param {string} to
 */
async function copyAs (from, to) {
  if (isWindows) return copyFile(from, to)
  const { ok, ending } = await runProgram(['cp', from, to])
  if (!ok) throw new MeasurementError(`a copy of ${from} could not be made: cp ${ending}`)
}
