/** Takes the types out of TypeScript, so that a change of types alone is known to change no program. */
import module, { createRequire } from 'node:module'
import path from 'node:path'

const TYPESCRIPT = /\.[cm]?ts$/
/** Their types may be values of the program. */
const DECORATOR = /^\s*@\w/m
/** An import stays, although nothing but types seems to use it. */
const OPTIONS = { loader: 'ts', tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } }

/**
 * @param {string} root  Folder of a project, whose esbuild is used where Node cannot do it.
 * @returns {(file: string, text: string) => string} the text itself where it has no types, or they cannot be taken out
 */
export function typeStripper (root) {
  /** @type {((text: string) => string) | undefined} */
  let strip
  return (file, text) => {
    if (!TYPESCRIPT.test(file) || DECORATOR.test(text)) return text
    try {
      strip ??= 'stripTypeScriptTypes' in module ? stripByNode : stripperOf(root)
      return strip(text)
    } catch {
      return text
    }
  }
}

/** @param {string} root */
function stripperOf (root) {
  const { transformSync } = createRequire(path.join(root, 'package.json'))('esbuild')
  return (/** @type {string} */ text) => transformSync(text, OPTIONS).code
}

/** @param {string} text */
function stripByNode (text) {
  const { emitWarning } = process
  // That it is experimental is nothing that the user could change.
  process.emitWarning = () => {}
  try {
    return /** @type {any} */ (module).stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}
