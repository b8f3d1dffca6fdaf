import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rooms } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { queues } from '../../queues/index.js'

const { commonJsDeclaration } = await rooms.userModules()

/** @import { Console } from '../console.js' */

const TEMPLATE_NAME = 'my-queue'
const TEMPLATE_CLASS = 'MyQueue'
const TEMPLATE_FILES = ['my-queue.js', 'my-queue.test.js']

/** @type {(request: {name: string}, console: Console) => Promise<number>} */
export async function handler ({ name }, console) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) throw new UsageError(`the name of a queue must be in kebab case, got "${name}" (try ${TEMPLATE_NAME})`)
  if (queues.some(queue => queue.name === name)) throw new UsageError(`timerq has a queue named ${name} (choose another name)`)
  const commonJs = commonJsDeclaration(process.cwd())
  const ending = commonJs ? '.mjs' : '.js'
  const files = TEMPLATE_FILES.map(template => ({ file: named(template, name, ending), text: named(readTemplate(template), name, ending) }))
  const existing = files.find(({ file }) => existsSync(file))
  if (existing) throw new UsageError(`${existing.file} exists already and is left as it is (choose another name)`)
  for (const { file, text } of files) write(file, text)
  if (commonJs) console.note(`.mjs, because ${path.relative('', commonJs.file)}:${commonJs.line} says "type": "commonjs", and a queue is an ES module`)
  console.print(`${files.map(({ file }) => file).join(', ')} written; next: timerq check ./${name}${ending}\n`)
  return 0
}

/** @param {string} template */
const readTemplate = template => readFileSync(new URL(`../templates/${template}`, import.meta.url), 'utf8')

/** Writes another name into a template. @type {(template: string, name: string, ending: string) => string} */
function named (template, name, ending) {
  const className = name.split('-').map(word => word[0].toUpperCase() + word.slice(1)).join('')
  return template
    .replaceAll(/(?<=my-queue(\.test)?)\.js/g, ending)
    .replaceAll(TEMPLATE_NAME, name)
    .replaceAll(TEMPLATE_CLASS, className)
}

/** @type {(file: string, text: string) => void} */
function write (file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${/** @type {Error} */ (error).message} (run timerq new in another folder)`)
  }
}
