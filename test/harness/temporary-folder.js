/** Folders and modules that are gone after the test. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Makes a folder that is removed when the test ends. Its path is free of links, as Node names modules: on macOS the
 * folder for temporary files is reached by one.
 *
 * @param {Pick<import('node:test').TestContext, 'after'>} t  Or `after` of a whole file.
 */
export function temporaryFolder (t) {
  const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'timerq-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * @param {Parameters<typeof temporaryFolder>[0]} t
 * @param {string} source
 * @param {string} [name]
 * @returns {string} URL of a module in a temporary folder
 */
export function temporaryModule (t, source, name = 'module.mjs') {
  const file = path.join(temporaryFolder(t), name)
  writeFileSync(file, source)
  return pathToFileURL(file).href
}
