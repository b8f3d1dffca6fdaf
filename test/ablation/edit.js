/** Takes an entry out of the source of a registry. */
import { parse } from 'acorn'

/**
 * An entry is an element of an array or a property: the outermost one whose first string, key or variable is the name.
 * An import of that variable goes with it.
 *
 * @param {string} source
 * @param {string} name
 * @param {string} [within]  Variable that holds the registry, where others could have such an entry.
 * @returns {string} the source without the entry
 * @throws {Error} when there is none
 */
export function withoutEntry (source, name, within) {
  const tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module' })
  /** @type {{start: number, end: number} | null} */
  let found = null
  visit(within === undefined ? tree : valueOf(within))
  if (!found) throw new Error(`no entry ${name}`)
  const { start, end } = found
  const comma = /^\s*,/.exec(source.slice(end))?.[0] ?? ''
  const rest = source.slice(0, start) + source.slice(end + comma.length)
  return rest.replace(new RegExp(`^import \\{ ${name} \\} .*\\n`, 'm'), '')

  /** @param {string} variable */
  function valueOf (variable) {
    const declared = tree.body.flatMap((/** @type {any} */ node) => (node.declaration ?? node).declarations ?? [])
    return declared.find((/** @type {any} */ { id }) => id.name === variable)?.init
  }

  /** @param {any} node */
  function visit (node) {
    if (!node || typeof node !== 'object') return
    if (Array.isArray(node)) return node.forEach(visit)
    for (const entry of node.elements ?? node.properties ?? []) if (firstNameOf(entry) === name) found ??= entry
    for (const [key, value] of Object.entries(node)) if (key !== 'type') visit(value)
  }
}

/**
 * @param {any} entry
 * @returns {string | undefined}
 */
function firstNameOf (entry) {
  if (entry.type === 'Identifier') return entry.name
  // An entry that begins with a spread has no name.
  if (entry.type === 'ObjectExpression') return entry.properties[0]?.value && firstNameOf(entry.properties[0].value)
  if (entry.type === 'Property') return entry.key.name ?? entry.key.value
  if (entry.type === 'Literal') return typeof entry.value === 'string' ? entry.value : undefined
  if (entry.type !== 'CallExpression' || !entry.arguments[0]) return undefined
  const text = firstNameOf(entry.arguments[0])
  // The line of a command is its name and arguments.
  return text?.split(' ')[0]
}
