import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../harness/model/errors.js'
import { queues } from '../../queues/index.js'

const TEMPLATES = new URL('../templates/', import.meta.url)
const TEMPLATE_NAME = 'my-queue'
const TEMPLATE_CLASS = 'MyQueue'
const ENDINGS = ['.js', '.test.js']

/**
 * @param {{name: string}} request
 * @param {import('../console.js').Console} console
 */
export async function handler ({ name }, console) {
  verifyName(name)
  const files = ENDINGS.map(ending => ({ file: name + ending, text: instantiate(TEMPLATE_NAME + ending, name) }))
  const existing = files.find(({ file }) => existsSync(file))
  if (existing) throw new UsageError(`${existing.file} exists already and is left as it is (choose another name)`)
  for (const { file, text } of files) write(file, text)
  console.print(`${files.map(({ file }) => file).join(', ')} written; next: timerq check ./${name}.js\n`)
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

/**
 * @param {string} template
 * @param {string} name
 */
function instantiate (template, name) {
  return readFileSync(new URL(template, TEMPLATES), 'utf8')
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
