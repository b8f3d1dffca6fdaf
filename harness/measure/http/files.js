import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * Makes a temporary folder for a scenario's files, which the measured process writes, and removes the folder after use.
 *
 * @type {<T>(use: (directory: string) => Promise<T>) => Promise<T>}
 */
export async function withFolder (use) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'timerq-files-'))
  try {
    return await use(directory)
  } finally {
    // Retries because a killed server may still have been writing.
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
