/**
 * Functions of a module that differ between two texts of it. A function is compared by its own tokens: without comments
 * and layout, and without the functions in it, which are compared for themselves. So the function around a changed one
 * has not changed. The body of the module is a function, too.
 *
 * Same tokens mean the same program if all functions around them have the same tokens: names refer to the same things.
 */
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'acorn'
/** @import { Node, Token } from 'acorn' */

/**
 * @typedef {object} ModuleFunction
 * @property {string} name  Empty where it has none; `BODY` for the body of the module.
 * @property {number} start  Offset in the text, as V8's coverage has it.
 * @property {number} end
 * @property {number} line
 *
 * @typedef {object} OwnFunction
 * @property {ModuleFunction} place
 * @property {number} from  Offset of its first own token: names of methods belong to the class around them.
 * @property {boolean} isDeclared  Declared by name, so that nothing runs where it stands.
 * @property {string} path  Names of the functions around it.
 * @property {string[]} tokens  Its own.
 *
 * @typedef {object} ParsedModule
 * @property {OwnFunction[]} functions
 * @property {{start: number, end: number}[]} classes  Where a constructor runs that is not written.
 * @property {Set<string>} words
 */

export const BODY = '(module)'

/** Words after which the end of a line ends a statement or a member of a class. */
const ENDING = new Set('return throw break continue yield async await get set static let using accessor'.split(' '))
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
const POSTFIX = new Set(['++', '--'])
/** Comments that the tools of a project read. */
const PRAGMA = /(\/\*|\/\/)\s*@(jsx|vite|vitest)[^*\n]*|__(PURE|NO_SIDE_EFFECTS)__/g

/**
 * @param {string} base  Text of the module.
 * @param {string} head
 * @returns {ModuleFunction[] | null} functions of the head that the base does not have; null where a text is no
 *   JavaScript
 */
export function changedFunctions (base, head) {
  if (base === head) return []
  const [before, after] = [base, head].map(parseModule)
  if (!before || !after) return null
  const known = new Set(keysOf(before, after))
  const keys = keysOf(after, before)
  return after.functions.flatMap(({ place }, i) => (known.has(keys[i]) ? [] : place))
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
export function parseModule (text) {
  for (const sourceType of /** @type {const} */ (['module', 'script'])) {
    /** @type {Token[]} */
    const tokens = []
    try {
      const tree = parse(text, {
        sourceType,
        ecmaVersion: 'latest',
        onToken: tokens,
        locations: true,
        allowHashBang: true,
        allowAwaitOutsideFunction: true,
        allowImportExportEverywhere: true,
        allowReturnOutsideFunction: true,
        allowSuperOutsideMethod: true
      })
      return readFunctions(text, tree, tokens)
    } catch {}
  }
  return null
}

/**
 * @param {string} text
 * @param {Node} tree
 * @param {Token[]} tokens
 * @returns {ParsedModule}
 */
function readFunctions (text, tree, tokens) {
  const place = { name: BODY, start: 0, end: text.length, line: 1 }
  /** @type {OwnFunction[]} */
  const functions = [{ place, from: 0, isDeclared: false, path: '', tokens: [] }]
  /** @type {ParsedModule['classes']} */
  const classes = []
  collect(tree, '', null, '')
  functions.sort((a, b) => a.from - b.from || b.place.end - a.place.end)
  /** @type {OwnFunction[]} */
  const open = []
  let next = 0
  for (const [i, { start, end }] of tokens.entries()) {
    while (next < functions.length && functions[next].from <= start) {
      const inner = functions[next++]
      close(inner.from)
      const mark = inner.isDeclared ? `<function ${inner.place.name}>` : '<function>'
      open.at(-1)?.tokens.push(mark)
      open.push(inner)
    }
    close(start)
    const word = text.slice(start, end)
    open.at(-1)?.tokens.push(endsLine(i) ? `\n${word}` : word)
  }
  return { functions, classes, words: new Set(tokens.map(({ start, end }) => text.slice(start, end))) }

  /** @param {number} offset */
  function close (offset) {
    while (open.length > 0 && /** @type {OwnFunction} */ (open.at(-1)).place.end <= offset) open.pop()
  }

  /** @param {number} i */
  function endsLine (i) {
    if (i === 0) return false
    const [before, { start, end }] = tokens.slice(i - 1, i + 1)
    const matters = ENDING.has(text.slice(before.start, before.end)) || POSTFIX.has(text.slice(start, end))
    return matters && text.slice(before.end, start).includes('\n')
  }

  /**
   * @param {any} node
   * @param {string} path
   * @param {any} holder  The method or property whose value the node is.
   * @param {string} label  What the node is given to.
   */
  function collect (node, path, holder, label) {
    if (/^Class(Declaration|Expression)$/.test(node.type)) classes.push({ start: node.start, end: node.end })
    const isFunction = /Function/.test(node.type)
    const name = (holder ? text.slice(holder.key.start, holder.key.end) : node.id?.name) ?? ''
    if (isFunction) {
      const start = holder ? startOf(holder) : node.start
      functions.push({
        place: { name: name || label, start, end: node.end, line: node.loc.start.line },
        from: node.start,
        isDeclared: node.type === 'FunctionDeclaration' && name !== '',
        path,
        tokens: []
      })
    }
    const inside = isFunction ? `${path}>${name}` : path
    const [to, from] = GIVING[node.type] ?? []
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type !== 'string') continue
        const given = child === node[from] ? text.slice(node[to].start, node[to].end) : ''
        collect(child, inside, isMethod(node) && child === node.value ? node : null, given)
      }
    }
  }

  /** V8's method begins after `static`. */
  function startOf (/** @type {any} */ method) {
    if (!method.static) return method.start
    return /** @type {Token} */ (tokens.find(({ start }) => start > method.start)).start
  }
}

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
  const declared = new Set(other.functions.flatMap(({ isDeclared, place: { name } }) => (isDeclared ? name : [])))
  const isPlain = (/** @type {string} */ name) => declared.has(name) || !other.words.has(name)
  const kept = (/** @type {string} */ token) => {
    const [, name] = /^<function (.+)>$/.exec(token) ?? []
    return name === undefined || !isPlain(name)
  }
  return functions.map(({ path, tokens }) => JSON.stringify([path, tokens.filter(kept)]))
}
