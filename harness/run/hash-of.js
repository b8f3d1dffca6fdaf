import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Hash of the file itself, not of its imports. Modules of the sides of a gate, and programs, have no file of their own. @param {{url: string}} file */
export function hashOf ({ url }) {
  if (url === '') return ''

  return createHash('sha256').update(readFileSync(fileURLToPath(url))).digest('hex')
}
