import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * Makes a folder that is removed when the test ends.
 *
 * @param {import('node:test').TestContext} t
 */
export function temporaryFolder (t) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
