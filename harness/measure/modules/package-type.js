/** Whether Node reads the .js files of a folder as CommonJS, where `export` is a syntax error. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * npm init writes "type": "commonjs". Without a type Node looks at the file itself.
 *
 * @param {string} folder  Absolute.
 * @returns {{file: string, line: number} | null} the line of package.json that says so
 */
export function commonJsDeclaration (folder) {
  const file = path.join(folder, 'package.json')
  const text = readIfThere(file)
  const parent = path.dirname(folder)
  if (text === null) return parent === folder ? null : commonJsDeclaration(parent)
  const at = /"type"\s*:\s*"commonjs"/.exec(text)?.index
  return at === undefined ? null : { file, line: text.slice(0, at).split('\n').length }
}

/** @param {string} file */
function readIfThere (file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
