/**
 * A separate copy of the Node binary for each process of a heat. All processes of one file share its pages, whose
 * places in memory are fixed while the file is cached: luck that would favour one of two equal binaries in every heat.
 * A new file has new places (T. Mytkowicz et al., "Producing wrong data without doing anything obviously wrong!",
 * ASPLOS 2009, of other accidents that all processes share).
 */
import { mkdtempSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { MeasurementError } from '../model/errors.js'
import { makeFolder } from '../store/folders.js'
import { removeAtEnd, runProgram, together } from './processes.js'

/** @import { Runtime } from './child.js' */

/**
 * @template T
 * @param {Runtime[]} runtimes
 * @param {string} folder  Folder for the copies, which are gone when the work is done, or this process.
 * @param {(runtimes: Runtime[]) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withOwnBinaries (runtimes, folder, work) {
  makeFolder(folder)
  const copies = mkdtempSync(path.join(folder, 'binaries-'))
  const forget = removeAtEnd(copies)
  try {
    const own = runtimes.map((runtime, i) => ({
      ...runtime,
      // Paths of equal length: they are in every process's memory.
      path: path.join(copies, `${i}${path.extname(runtime.path)}`)
    }))
    await together(runtimes.map((runtime, i) => () => copy(runtime.path, own[i].path)))
    return await work(own)
  } finally {
    await rm(copies, { recursive: true, force: true })
    forget()
  }
}

/**
 * Copies in another process: Linux executes no file that is open for writing, and a process that this one starts
 * meanwhile has all its files, for an instant.
 *
 * @param {string} from
 * @param {string} to
 * @throws {MeasurementError} when the disk is full, for example
 */
async function copy (from, to) {
  if (process.platform === 'win32') return copyFile(from, to)
  const { ok, ending } = await runProgram(['cp', from, to])
  if (!ok) throw new MeasurementError(`a copy of ${from} could not be made: cp ${ending}`)
}
