import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * Writes a scenario's files, contents by name, to a temporary folder that is removed after use.
 *
 * @type {<T>(files: Record<string, string> | undefined, use: (directory: string | null) => Promise<T>) => Promise<T>}
 */
export async function withFiles (files, use) {
  if (files === undefined) return use(null)
  const directory = mkdtempSync(path.join(os.tmpdir(), 'timerq-files-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(directory, name), content)
    return await use(directory)
  } finally {
    // Retries because a killed server may still have been writing.
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
