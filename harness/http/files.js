import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * Gives a scenario's server its files, in a folder that is gone after use.
 *
 * @template T
 * @param {Record<string, string> | undefined} files  Content by name.
 * @param {(directory: string | null) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withFiles (files, use) {
  if (files === undefined) return use(null)
  const directory = mkdtempSync(path.join(os.tmpdir(), 'timerq-files-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(directory, name), content)
    return await use(directory)
  } finally {
    // Again when a server that was killed had still been writing.
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
