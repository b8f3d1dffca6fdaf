import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Hash of the file itself, not of what it imports. @param {{url: string}} file */
export function hashOf ({ url }) {
  return createHash('sha256').update(readFileSync(fileURLToPath(url))).digest('hex')
}
