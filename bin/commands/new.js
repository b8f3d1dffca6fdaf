/** `timerq new`: writes a queue, a workload or a server to start from, with its test. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rooms } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { queues } from '../../queues/index.js'
import { scenarios } from '../../scenarios/index.js'

const { commonJsDeclaration } = await rooms.userModules()

/** @import { Console } from '../console.js' */

/** Templates, each with its test. */
const TEMPLATES = {
  queue: { template: 'my-queue', next: (/** @type {string} */ file) => `timerq check ${file}` },
  scenario: { template: 'my-workload', next: (/** @type {string} */ file) => `timerq run --scenario ${file}` },
  server: { template: 'my-server', next: (/** @type {string} */ file) => `timerq run --scenario ${file}` }
}

/** @type {(request: {name: string, scenario?: boolean, server?: boolean}, console: Console) => Promise<number>} */
export async function handler ({ name, scenario: isScenario, server: isServer }, console) {
  if (isScenario && isServer) {
    throw new UsageError('--scenario cannot be combined with --server (leave one of them out)')
  }
  const kind = isServer ? 'server' : isScenario ? 'scenario' : 'queue'
  const { template, next } = TEMPLATES[kind]
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new UsageError(`the name of a ${kind} must be in kebab case, got "${name}" (try ${template})`)
  }
  if ((kind === 'queue' ? queues : scenarios).some(known => known.name === name)) {
    throw new UsageError(`timerq has a ${kind === 'queue' ? 'queue' : 'scenario'} named ${name} (choose another name)`)
  }
  const commonJs = commonJsDeclaration(process.cwd())
  const ending = commonJs ? '.mjs' : '.js'
  const files = [`${template}.js`, `${template}.test.js`].map(file => ({
    file: named(file, template, name, ending),
    text: named(readTemplate(file), template, name, ending)
  }))
  const existing = files.find(({ file }) => existsSync(file))
  if (existing) throw new UsageError(`${existing.file} exists already and is left as it is (choose another name)`)
  for (const { file, text } of files) write(file, text)
  if (commonJs) {
    console.note(
      `.mjs, because ${path.relative('', commonJs.file)}:${commonJs.line} says "type": "commonjs", and a ${kind} is an ES module`
    )
  }
  console.print(`${files.map(({ file }) => file).join(', ')} written; next: ${next(`./${name}${ending}`)}\n`)
  return 0
}

/** @param {string} template */
const readTemplate = template => readFileSync(new URL(`../templates/${template}`, import.meta.url), 'utf8')

/**
 * Writes another name into a template.
 *
 * @type {(text: string, template: string, name: string, ending: string) => string}
 */
function named (text, template, name, ending) {
  const className = (/** @type {string} */ name) =>
    name
      .split('-')
      .map(word => word[0].toUpperCase() + word.slice(1))
      .join('')
  return text
    .replaceAll(new RegExp(`(?<=${template}(\\.test)?)\\.js`, 'g'), ending)
    .replaceAll(template, name)
    .replaceAll(className(template), className(name))
}

/** @type {(file: string, text: string) => void} */
function write (file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written: ${/** @type {Error} */ (error).message} (run timerq new in another folder)`
    )
  }
}
