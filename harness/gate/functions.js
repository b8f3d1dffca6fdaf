/**
 * Functions of a module that differ between two texts of it. A function is compared by its syntax tree: without
 * comments and layout, and without the functions in it, which are compared for themselves. So the function around a
 * changed one has not changed. The body of the module is a function, too.
 *
 * Same trees mean the same program if all functions around them have the same trees: names refer to the same things.
 */
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'acorn'
/** @import { Node } from 'acorn' */

/**
 * @typedef {object} ModuleFunction
 * @property {string} name  Empty where it has none; `BODY` for the body of the module.
 * @property {number} start  Offset in the text, as V8's coverage has it.
 * @property {number} end
 * @property {number} line
 *
 * @typedef {object} OwnFunction
 * @property {ModuleFunction} place
 * @property {Node} node
 * @property {string} path  Names of the functions around it.
 *
 * @typedef {object} ParsedModule
 * @property {OwnFunction[]} functions
 * @property {{start: number, end: number}[]} classes  Where a constructor runs that is not written.
 * @property {Set<string>} names
 */

export const BODY = '(module)'

/**
 * Nodes that give a name to a function: the fields of the name, and of the function.
 *
 * @type {Record<string, [string, string]>}
 */
const GIVING = {
  VariableDeclarator: ['id', 'init'],
  AssignmentExpression: ['left', 'right'],
  Property: ['key', 'value'],
  PropertyDefinition: ['key', 'value']
}
/** Fields of a node that say where it stands. */
const PLACE = new Set(['start', 'end', 'loc'])
/** Comments that the tools of a project read. */
const PRAGMA = /(\/\*|\/\/)\s*@(jsx|vite|vitest)[^*\n]*|__(PURE|NO_SIDE_EFFECTS)__/g

/**
 * @param {string} base  Text of the module.
 * @param {string} head
 * @returns {ModuleFunction[] | null} functions of the head that the base does not have; null where a text is no
 *   JavaScript, or too deep
 */
export function changedFunctions (base, head) {
  if (base === head) return []
  const [before, after] = [base, head].map(parseModule)
  if (!before || !after) return null
  try {
    const known = new Set(keysOf(before, after))
    const keys = keysOf(after, before)
    return after.functions.flatMap(({ place }, i) => (known.has(keys[i]) ? [] : place))
  } catch {
    // A sum of thousands of terms is a tree that is too deep for the stack.
    return null
  }
}

/**
 * Whether two texts of a source are known to make the same program; false: not known.
 *
 * @param {string} base
 * @param {string} head
 */
export const isSameProgram = (base, head) =>
  isDeepStrictEqual(base.match(PRAGMA), head.match(PRAGMA)) && changedFunctions(base, head)?.length === 0

/**
 * The changed functions that have run.
 *
 * @param {string} text  Text of the module as V8 ran it.
 * @param {ModuleFunction[]} changed
 * @param {[start: number, end: number][]} ran  Offsets of all functions that have run.
 * @returns {ModuleFunction[] | null} null where something ran that the text does not explain
 */
export function ranAmong (text, changed, ran) {
  const module = parseModule(text)
  if (!module) return null
  const idOf = (/** @type {{start: number, end: number}} */ { start, end }) => `${start} ${end}`
  const known = new Set([...module.functions.map(({ place }) => idOf(place)), ...module.classes.map(idOf)])
  const ids = new Set(ran.map(([start, end]) => idOf({ start, end })))
  return [...ids].every(id => known.has(id)) ? changed.filter(one => ids.has(idOf(one))) : null
}

/**
 * @param {string} text
 * @returns {ParsedModule | null}
 */
function parseModule (text) {
  for (const sourceType of /** @type {const} */ (['module', 'script'])) {
    const names = new Set()
    try {
      const tree = parse(text, {
        sourceType,
        ecmaVersion: 'latest',
        onToken: (/** @type {any} */ { type, value }) => type.label === 'name' && names.add(value),
        locations: true,
        allowHashBang: true,
        allowAwaitOutsideFunction: true,
        allowImportExportEverywhere: true,
        allowReturnOutsideFunction: true,
        allowSuperOutsideMethod: true
      })
      return { ...readFunctions(text, tree), names }
    } catch {}
  }
  return null
}

/**
 * @param {string} text
 * @param {Node} tree
 * @returns {Pick<ParsedModule, 'functions' | 'classes'>}
 */
function readFunctions (text, tree) {
  const place = { name: BODY, start: 0, end: text.length, line: 1 }
  /** @type {OwnFunction[]} */
  const functions = [{ place, node: tree, path: '' }]
  /** @type {ParsedModule['classes']} */
  const classes = []
  collect(tree, '', null, '')
  return { functions, classes }

  /**
   * @param {any} node
   * @param {string} path
   * @param {any} holder  The method or property whose value the node is.
   * @param {string} label  What the node is given to.
   */
  function collect (node, path, holder, label) {
    if (/^Class(Declaration|Expression)$/.test(node.type)) classes.push({ start: node.start, end: node.end })
    const name = (holder ? textOf(holder.key) : node.id?.name) ?? ''
    if (isFunction(node)) {
      // V8's method begins after `static`.
      const start = (holder ?? node).start + (holder?.static ? textOf(holder).search(/(?<=^static\s+)\S/) : 0)
      functions.push({ place: { name: name || label, start, end: node.end, line: node.loc.start.line }, node, path })
    }
    const inside = isFunction(node) ? `${path}>${name}` : path
    const [to, from] = GIVING[node.type] ?? []
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type !== 'string') continue
        const given = child === node[from] ? textOf(node[to]) : ''
        collect(child, inside, isMethod(node) && child === node.value ? node : null, given)
      }
    }
  }

  function textOf (/** @type {Node} */ { start, end }) {
    return text.slice(start, end)
  }
}

/** @param {any} node */
const isFunction = node => /Function/.test(node?.type)

/** @param {any} node */
const isMethod = ({ type, method, kind }) =>
  type === 'MethodDefinition' || (type === 'Property' && (method || kind === 'get' || kind === 'set'))

/**
 * What each function is compared by. A declaration does not count where it stands: it is added to a module, and nothing
 * runs, unless the other text has its name for something else.
 *
 * @param {ParsedModule} own
 * @param {ParsedModule} other
 */
function keysOf ({ functions }, other) {
  const isDeclared = (/** @type {any} */ node) => node?.type === 'FunctionDeclaration' && node.id
  const declared = new Set(other.functions.flatMap(({ node, place: { name } }) => (isDeclared(node) ? name : [])))
  const isPlain = (/** @type {any} */ node) =>
    isDeclared(node) && (declared.has(node.id.name) || !other.names.has(node.id.name))
  const markOf = (/** @type {any} */ node) => (isDeclared(node) && !isPlain(node) ? `<${node.id.name}>` : '<function>')
  return functions.map(({ node, path }) =>
    JSON.stringify({ path, node }, (key, value) => {
      if (PLACE.has(key) || typeof value === 'bigint') return
      if (Array.isArray(value)) return value.filter(child => !isPlain(child))
      return isFunction(value) && value !== node ? markOf(value) : value
    })
  )
}
