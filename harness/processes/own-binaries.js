/**
 * A Node binary of its own for each process of a heat. All processes of one file share its pages, whose places in
 * memory are fixed while the file is cached: luck that would favour one of two equal binaries in every heat. A new
 * file has new places (T. Mytkowicz et al., "Producing wrong data without doing anything obviously wrong!", ASPLOS
 * 2009, of other accidents that all processes share).
 */
import { mkdtempSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '../store/make-folder.js'
import { removeAtEnd } from './processes.js'

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
    await Promise.all(runtimes.map((runtime, i) => copyFile(runtime.path, own[i].path)))
    return await work(own)
  } finally {
    await rm(copies, { recursive: true, force: true })
    forget()
  }
}
