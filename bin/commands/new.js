/** `timerq new`: writes a queue or a server to start from, with its test, or a benchmark file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rooms, writing } from '../../harness/index.js'
import { compact } from '../../harness/model/compact.js'
import { UsageError } from '../../harness/model/errors.js'
import { queues } from '../../queues/index.js'
import { scenarios } from '../../scenarios/index.js'
import { nextStep } from './index.js'

const { commonJsDeclaration } = await rooms.packageType()
const { FORMATS } = await rooms.formats()

/** @import { Console } from '../console.js' */

const at = (/** @type {string} */ file) => new URL(`../templates/${file}`, import.meta.url).href
/** The main file of each. */
const TEMPLATES = {
  queue: at('my-queue.js'),
  scenario: FORMATS.find(({ template }) => template)?.template,
  server: at('my-server.js')
}
/** Suffixes of the files of a template. A benchmark file needs no test. */
const SUFFIXES = { queue: ['.js', '.test.js'], scenario: ['.js'], server: ['.js', '.test.js'] }

/** @type {(request: {name: string, scenario?: boolean, server?: boolean}, console: Console) => Promise<number>} */
export async function handler ({ name, scenario: isScenario, server: isServer }, console) {
  const kind = isServer ? 'server' : isScenario ? 'scenario' : 'queue'
  const url = TEMPLATES[kind]
  if (!url) throw new UsageError('timerq has no template of a benchmark file')
  const template = path.basename(url, '.js')
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new UsageError(`the name of a ${kind} must be in kebab case, got "${name}" (try ${template})`)
  }
  const [entryKind, entries] = kind === 'queue' ? ['queue', queues] : ['scenario', scenarios]
  if (entries.some(entry => entry.name === name)) {
    throw new UsageError(`timerq has a ${entryKind} named ${name} (choose another name)`)
  }
  const commonJs = commonJsDeclaration(process.cwd())
  const ending = commonJs ? '.mjs' : '.js'
  const files = SUFFIXES[kind].map(suffix => {
    const text = readFileSync(new URL(`./${template}${suffix}`, url), 'utf8')
    return { file: name + suffix.replace('.js', ending), text: renamed(text, { template, name, ending }) }
  })
  const existing = files.find(({ file }) => existsSync(file))
  if (existing) throw new UsageError(`${existing.file} exists already and is left as it is (choose another name)`)
  for (const { file, text } of files) writing(file, () => writeFileSync(file, text, { flag: 'wx' }))
  if (commonJs) {
    const place = `${path.relative('', commonJs.file)}:${commonJs.line}`
    console.note(`named ${name}.mjs, because ${place} says "type": "commonjs", and a ${kind} is an ES module`)
  }
  const written = `./${name}${ending}`
  const next = nextStep(kind === 'queue' ? `check ${written}` : `run --scenario ${written}`)
  console.print(`${compact(`${files.map(({ file }) => file).join(', ')} written`, next).join('; ')}\n`)
  return 0
}

/**
 * Replaces the template's name, class and file ending in a text.
 *
 * @param {string} text
 * @param {{template: string, name: string, ending: string}} names
 */
function renamed (text, { template, name, ending }) {
  return text
    .replaceAll(new RegExp(`(?<=${template}(\\.test)?)\\.js`, 'g'), ending)
    .replaceAll(template, name)
    .replaceAll(classNameOf(template), classNameOf(name))
}

/** @param {string} name  Name in kebab case: my-queue becomes MyQueue. */
const classNameOf = name => name.replaceAll(/(^|-)(.)/g, (_, _dash, letter) => letter.toUpperCase())
