/** Benchmark files of a test, in a folder that ends with it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { descriptionsOf } from '../descriptions.js'
import { temporaryFolder } from '../temporary-folder.js'

/** @param {import('node:test').TestContext} t */
export function projectFolder (t) {
  const folder = temporaryFolder(t)
  const hrefOf = (/** @type {string} */ file) => pathToFileURL(path.join(folder, file)).href
  return {
    hrefOf,
    write (/** @type {Record<string, string>} */ files) {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
        writeFileSync(path.join(folder, file), text)
      }
    },
    tasksIn: async (/** @type {string} */ file) => (await descriptionsOf(hrefOf(file))).map(({ tasks }) => tasks)
  }
}

/** @type {(t: import('node:test').TestContext, source: string, file?: string) => string} URL of the file */
export function benchmarkFile (t, source, file = 'mine.mjs') {
  const { hrefOf, write } = projectFolder(t)
  write({ [file]: source })
  return hrefOf(file)
}
