/** Names on the command line, and the modules they stand for. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { FileError, UsageError } from '../../harness/model/errors.js'
import { groupBy } from '../../harness/model/group-by.js'
import { queues } from '../../queues/index.js'
import { scenarios } from '../../scenarios/index.js'
import { didYouMean } from './suggest.js'

/**
 * @import { QueueMeta } from '../../queues/contract.js'
 *
 * @typedef {object} ResolvedQueue
 * @property {string} spec  Name or path that the user gave.
 * @property {string} name
 * @property {'own' | 'peer' | 'built-in' | 'user'} origin
 * @property {string} url
 * @property {QueueMeta} [meta]  Missing: its module declares it.
 *
 * @typedef {Omit<ResolvedQueue, 'spec'>} KnownQueue
 *
 * @typedef {object} ResolvedScenario
 * @property {string} spec  Name or path that the user gave.
 * @property {string} name  Unknown for a user's scenario, until it is described.
 * @property {string} url
 * @property {boolean} [isUsers]
 * @property {string} [pattern]  Pattern that it matches, so it may be no scenario at all.
 * @property {boolean} [isUncertain]  It lies in a folder for benchmarks, and is counted, not named, if it has no task.
 */

const IS_FILE = /[\\/]|\.[cm]?[jt]sx?$/
const IS_PATTERN = /[*?{}[\]]/
/** Parentheses in a name: no choice of several, which has a mark before it or a bar in it. */
const PARENTHESES = /(?<![!@+*?])\(([^()|]*)\)/g
/** @param {string} spec  Queue or scenario as the user names it: is its module the user's? */
export const isUsers = spec => spec.startsWith('npm:') || IS_FILE.test(spec)
const ALL_NAMES = 'timerq list shows all'
/** Example of a file that a gate compares. */
export const GATED_FILE = './src/my-queue.js'

/**
 * The shipped package of socket timers, as it is imported: its module plugs itself under sockets and is no queue.
 * Timeouts below a second stay with Node; longer ones are at most 100 ms late.
 *
 * @type {KnownQueue}
 */
const TIMERS = {
  name: 'timerq-timers',
  origin: 'own',
  url: new URL('../../timers/plug-sockets.js', import.meta.url).href,
  meta: {
    name: 'timerq-timers',
    title: 'Idle timeouts under all sockets, by the package timerq-timers',
    complexity: {
      insert: 'O(1) amortised',
      cancel: 'O(1)',
      reschedule: 'O(1)',
      nextExpiry: 'O(1)',
      advance: 'O(k) amortised'
    },
    order: 'none',
    accuracy: { relative: 0.1 },
    source: 'Varghese and Lauck, SOSP 1987, scheme 6, with lazy moves'
  }
}
/** Timers that `timerq try` can put under the sockets of a program. */
export const TRIED = [...queues, TIMERS]

/**
 * Specs are names, files (with a slash, .js or .mjs) or npm:packages.
 *
 * @type {(specs: string[], hint?: string, known?: KnownQueue[]) => ResolvedQueue[]}
 */
export function resolveQueues (specs, hint, known = queues) {
  const resolved = specs.map(spec => ({ spec, ...resolveQueue(spec, known, hint) }))
  for (const [name, alike] of groupBy(resolved, queue => queue.name)) {
    if (alike.length === 1) continue
    const twice = alike.map(({ spec }) => spec).join(', ')
    throw new UsageError(`queues must have different names, got ${name} twice (${twice})`)
  }
  return resolved
}

/**
 * Specs are names, files (with a slash, or the ending of a module), or patterns of files: './bench/*.js'.
 *
 * @type {(specs: string[]) => ResolvedScenario[]}
 */
export function resolveScenarios (specs) {
  return specs.flatMap(filesOf).map(({ spec, ...match }) => {
    if (!IS_FILE.test(spec)) {
      const hint = queues.some(({ name }) => name === spec) ? `it is a queue: --queue ${spec}` : ALL_NAMES
      return { spec, ...pickByName('scenario', scenarios, spec, hint) }
    }
    return {
      spec,
      ...match,
      name: spec,
      isUsers: true,
      url: urlOfFile('scenario', spec, 'timerq new --scenario makes one')
    }
  })
}

/** @param {string} file  Path; in a pattern, a backslash would not separate folders. */
const slashed = file => file.split(path.sep).join('/')

/**
 * @param {string} spec
 * @returns {{spec: string, pattern?: string}[]} the files of a pattern, or the spec itself
 */
function filesOf (spec) {
  if (!IS_PATTERN.test(spec) || existsSync(spec)) return [{ spec }]
  const options = { ignore: '**/node_modules/**', expandDirectories: false }
  /** @type {string[]} */
  const files = load('tinyglobby').globSync(slashed(spec).replaceAll(PARENTHESES, '\\($1\\)'), options).sort()
  if (files.length > 0) return files.map(file => ({ spec: path.isAbsolute(file) ? file : `./${file}`, pattern: spec }))
  throw new FileError(`--scenario ${spec} matches no file in ${process.cwd()}`)
}

/**
 * Loads a package for those commands only that get a pattern.
 *
 * @param {'tinyglobby' | 'picomatch'} name
 */
const load = name => createRequire(import.meta.url)(name)

/**
 * The files among others, which need not be there, that a pattern of this folder matches.
 *
 * @param {string} pattern
 * @param {string[]} files  Relative to the root.
 * @param {string} root  A folder above this one.
 */
export function matchesAmong (pattern, files, root) {
  const isMatch = load('picomatch')(slashed(path.relative('', pattern)), { ignore: '**/node_modules/**' })
  return files.filter(file => isMatch(slashed(path.relative('', path.join(root, file)))))
}

/**
 * A message suggests the nearest name, or the file of that name.
 *
 * @type {<T extends {name: string}>(kind: string, entries: T[], name: string, hint?: string) => T}
 */
export function pickByName (kind, entries, name, hint = ALL_NAMES) {
  const match = entries.find(entry => entry.name === name)
  if (match) return match
  refuseFolder(kind, name)
  const names = entries.map(entry => entry.name)
  const end = existsSync(`./${name}.js`) ? `, did you mean ./${name}.js?` : `${didYouMean(name, names)} (${hint})`
  throw new UsageError(`unknown ${kind} "${name}"${end}`)
}

/** @type {(spec: string, known: KnownQueue[], hint?: string) => KnownQueue} */
function resolveQueue (spec, known, hint) {
  if (spec.startsWith('npm:')) return resolvePackage(spec)
  if (IS_FILE.test(spec)) {
    const name = path.basename(spec).replace(/\.m?js$/, '')
    return { name, origin: 'user', url: urlOfFile('queue', spec, 'timerq new makes one') }
  }
  if (spec === TIMERS.name && !known.includes(TIMERS)) {
    throw new UsageError(
      `${spec} is not a queue: only timerq try measures it (timerq try --queue ${spec} -- node server.js)`
    )
  }
  return pickByName('queue', known, spec, hint)
}

/**
 * @param {string} what
 * @param {string} spec
 * @throws {UsageError}
 */
export function refuseFolder (what, spec) {
  if (!statSync(spec, { throwIfNoEntry: false })?.isDirectory()) return
  const remedy = existsSync(path.join(spec, 'run.json'))
    ? `timerq report ${spec} shows these results`
    : 'name a file in it'
  throw new UsageError(`${what} ${spec} is a folder (${remedy})`)
}

/** @type {(what: string, spec: string, remedy: string) => string} */
function urlOfFile (what, spec, remedy) {
  refuseFolder(what, spec)
  if (existsSync(spec)) return pathToFileURL(path.resolve(spec)).href
  // `timerq new` chooses .mjs where .js would be CommonJS.
  const other = spec.endsWith('.mjs') ? spec.replace(/\.mjs$/, '.js') : spec.replace(/\.js$/, '.mjs')
  const end = existsSync(other) ? `did you mean ${other}?` : remedy
  throw new FileError(`${what} ${spec}: there is no such file (${end})`)
}

/** @type {(spec: string) => KnownQueue} */
function resolvePackage (spec) {
  const name = spec.slice('npm:'.length)
  // import.meta.resolve searches from its own module; a module passed as text lies in the working directory.
  const printUrl = `process.stdout.write(import.meta.resolve(${JSON.stringify(name)}))`
  try {
    const url = execFileSync(process.execPath, ['--input-type=module', '--eval', printUrl], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    })
    return { name, origin: 'user', url }
  } catch {
    throw new UsageError(`${spec}: the package is not installed here (try: npm install ${name})`)
  }
}
