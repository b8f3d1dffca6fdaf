import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'
import { commonJsDeclaration } from '../../harness/measure/modules/package-type.js'
import { queues } from '../../queues/index.js'

const TEMPLATES = new URL('../templates/', import.meta.url)
const TEMPLATE_NAME = 'my-queue'
const TEMPLATE_CLASS = 'MyQueue'
const TEMPLATE_FILES = ['my-queue.js', 'my-queue.test.js']

/**
 * @param {{name: string}} request
 * @param {import('../console.js').Console} console
 */
export async function handler ({ name }, console) {
  verifyName(name)
  const commonJs = commonJsDeclaration(process.cwd())
  const ending = commonJs ? '.mjs' : '.js'
  const files = TEMPLATE_FILES.map(template => ({ file: instantiate(template, name, ending), text: instantiate(readTemplate(template), name, ending) }))
  const existing = files.find(({ file }) => existsSync(file))
  if (existing) throw new UsageError(`${existing.file} exists already and is left as it is (choose another name)`)
  for (const { file, text } of files) write(file, text)
  if (commonJs) console.note(`.mjs, because ${path.relative('', commonJs.file)}:${commonJs.line} says "type": "commonjs", and a queue is an ES module`)
  console.print(`${files.map(({ file }) => file).join(', ')} written; next: timerq check ./${name}${ending}\n`)
  return 0
}

/** @param {string} name */
function verifyName (name) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new UsageError(`the name of a queue must be in kebab case, got "${name}" (try ${TEMPLATE_NAME})`)
  }
  if (queues.some(queue => queue.name === name)) {
    throw new UsageError(`timerq has a queue named ${name} (choose another name)`)
  }
}

/** @param {string} template */
const readTemplate = template => readFileSync(new URL(template, TEMPLATES), 'utf8')

/**
 * @param {string} template  A file name or a text.
 * @param {string} name
 * @param {string} ending
 */
function instantiate (template, name, ending) {
  return template
    .replaceAll(/(?<=my-queue(\.test)?)\.js/g, ending)
    .replaceAll(TEMPLATE_NAME, name)
    .replaceAll(TEMPLATE_CLASS, pascalCase(name))
}

/** @param {string} name */
function pascalCase (name) {
  return name.split('-').map(word => word[0].toUpperCase() + word.slice(1)).join('')
}

/**
 * @param {string} file
 * @param {string} text
 */
function write (file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${/** @type {Error} */ (error).message}`)
  }
}
