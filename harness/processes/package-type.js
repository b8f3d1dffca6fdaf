/** Whether a folder's package.json makes Node read its .js files as CommonJS. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * In CommonJS, `export` is a syntax error. npm init writes "type": "commonjs". Without a type, Node decides by the file
 * itself.
 *
 * @param {string} folder  Absolute.
 * @returns {{file: string, line: number} | null} the line of package.json that says so
 */
export function commonJsDeclaration (folder) {
  const file = path.join(folder, 'package.json')
  const parent = path.dirname(folder)
  if (!existsSync(file)) return parent === folder ? null : commonJsDeclaration(parent)
  const text = readFileSync(file, 'utf8')
  const at = /"type"\s*:\s*"commonjs"/.exec(text)?.index
  return at === undefined ? null : { file, line: text.slice(0, at).split('\n').length }
}
