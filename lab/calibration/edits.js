/**
 * Edits of a queue's source that change nothing, so a gate must let them pass. They move code in the file, in memory
 * and in V8's tables, and that luck belongs to every figure of false alarms.
 *
 * They rely on the layout of this project's queues: members of a class are indented by two spaces, fields come first.
 */
import { createRandom, shuffle } from '../../harness/model/random.js'

/** @typedef {(source: string, random: import('../../harness/model/random.js').Random) => string} Edit */

const COMMENT = '// Every timer that was started either fires once or is cancelled.\n'
const MOST_COMMENTS = 9
const METHOD = /^ {2}(?:static |async |get |set |\*)*#?\w+ \(.*\) \{/
const METHOD_END = /^ {2}\}$|^ {2}\S.*\{\}$/m
/** A line that is indented by two and is no comment. */
const FIELD = /^ {2}(?! |\/?\*)/

/** @type {Record<string, Edit>} */
const EDITS = { addComments, renamePrivateField, reorderMethods, addBlankLines, renameLocalName }

/** Edits of each variant; the first is the source as it is. */
export const VARIANTS = [
  [],
  ...Object.keys(EDITS).map(name => [name]),
  ['addComments', 'renamePrivateField', 'reorderMethods'],
  Object.keys(EDITS)
]

/**
 * @param {string} source  Source of one file.
 * @param {number} variant
 */
export function edit (source, variant) {
  const random = createRandom(variant + 1)
  return VARIANTS[variant].reduce((edited, name) => EDITS[name](edited, random), source)
}

/** @type {Edit} */
function addComments (source, random) {
  return source.replace(/^(?:export )?class /gm, start => COMMENT.repeat(1 + random(MOST_COMMENTS)) + start)
}

/** @type {Edit} */
function renamePrivateField (source) {
  const [, name] = /^ {2}#(\w+)(?: =|$)/m.exec(source) ?? []
  return name ? source.replace(new RegExp(`#${name}\\b`, 'g'), `#${name}OfThisQueue`) : source
}

/** @type {Edit} */
function reorderMethods (source, random) {
  return source.replace(/^((?:export )?class .*\{\n)([^]*?)^\}/gm, (_, head, body) => {
    const { fields, methods } = membersOf(body)
    return `${head}${fields}${shuffle(methods, random).join('')}}`
  })
}

/**
 * @param {string} body  Body of a class.
 * @returns {{fields: string, methods: string[]}} the fields stay in their order, which is the order of their
 *   initialisation
 */
function membersOf (body) {
  let fields = ''
  let member = ''
  let isMethod = false
  /** @type {string[]} */
  const methods = []
  for (const line of body.split(/(?<=\n)/)) {
    member += line
    isMethod ||= METHOD.test(line)
    if ((isMethod ? METHOD_END : FIELD).test(line)) {
      if (isMethod) methods.push(member)
      else fields += member
      member = ''
      isMethod = false
    }
  }
  return { fields: fields + member, methods }
}

/** @type {Edit} */
function addBlankLines (source, random) {
  return source.replace(/^ {2}\}\n/gm, end => end + '\n'.repeat(random(3)))
}

/** @type {Edit} */
function renameLocalName (source) {
  const [, name] = /^(?:const|class|function) (\w+)/m.exec(source) ?? []
  return name ? source.replace(new RegExp(`\\b${name}\\b`, 'g'), `${name}OfThisFile`) : source
}
