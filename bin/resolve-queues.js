import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../harness/model/errors.js'
import { queues } from '../queues/index.js'
import { pickByName } from './pick-by-name.js'

/**
 * @typedef {{name: string, origin: 'own' | 'peer' | 'built-in' | 'user', url: string}} ResolvedQueue
 */

/**
 * @param {string[]} specs  Names, files (with a slash or ending in .js or .mjs) and npm packages (npm:name), seen from
 *   the folder where the user stands.
 * @returns {ResolvedQueue[]}
 * @throws {UsageError} for what is not there
 */
export function resolveQueues (specs) {
  const resolved = specs.map(resolveQueue)
  const names = resolved.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  const sameName = specs.filter((_, index) => names[index] === twice)
  if (twice) throw new UsageError(`queues must have different names, got ${twice} twice (${sameName.join(', ')})`)
  return resolved
}

/** @param {string} spec */
function resolveQueue (spec) {
  if (spec.startsWith('npm:')) return resolvePackage(spec)
  if (/[\\/]|\.m?js$/.test(spec)) return resolveFile(spec)
  const file = `./${spec}.js`
  const isFile = !queues.some(({ name }) => name === spec) && existsSync(file)
  if (isFile) throw new UsageError(`unknown queue "${spec}", did you mean ${file}?`)
  return pickByName('queue', queues, spec)
}

/**
 * @param {string} spec
 * @returns {ResolvedQueue}
 */
function resolveFile (spec) {
  if (!existsSync(spec)) throw new UsageError(`queue ${spec}: there is no such file (timerq new makes one)`)
  return { name: path.basename(spec).replace(/\.m?js$/, ''), origin: 'user', url: pathToFileURL(path.resolve(spec)).href }
}

/**
 * @param {string} spec
 * @returns {ResolvedQueue}
 */
function resolvePackage (spec) {
  const name = spec.slice('npm:'.length)
  // import.meta.resolve looks from its own module; a module given as text stands in the folder where the user stands.
  const printUrl = `process.stdout.write(import.meta.resolve(${JSON.stringify(name)}))`
  try {
    const options = { encoding: /** @type {const} */ ('utf8'), stdio: /** @type {any} */ (['ignore', 'pipe', 'ignore']) }
    return { name, origin: 'user', url: execFileSync(process.execPath, ['--input-type=module', '--eval', printUrl], options) }
  } catch {
    throw new UsageError(`${spec}: the package is not installed here (try: npm install ${name})`)
  }
}
