/** The project that a benchmark file belongs to: its configuration, and the packages that it has. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { END_OF_PROJECT } from '../end-of-project.js'

const CONFIG = /^(vite|vitest)\.config\.[cm]?[jt]s$/

/**
 * @typedef {object} Project
 * @property {string} root
 * @property {string | null} [vite]  Main module of Vite, if it is installed.
 * @property {string} [configFile]
 * @property {string} [mode]
 * @property {() => Promise<any>} [alias]  Reads more aliases than the configuration's.
 * @property {string[]} [imports]  Loaded before all others, as `--import` loads them.
 * @property {string[]} setupFiles  Loaded before the file, by the same loader.
 * @property {string[]} [notes]  What its library would do otherwise.
 * @property {string[]} [noteOfVite]  The same, if Vite loads the file.
 * @property {number} [viteRank]  Place of Vite among the loaders: 0 before Node, 2 before tsx, default last.
 */

/**
 * The nearest folder with a configuration of vitest or Vite, which vitest prefers in this order.
 *
 * @param {string} file
 * @returns {Project}
 */
export function nearestProject (file) {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const all = readdirSync(folder)
    if (all.includes(END_OF_PROJECT)) break
    const names = all.filter(name => CONFIG.test(name)).sort()
    if (names.length > 0) return { root: folder, configFile: path.join(folder, String(names.at(-1))), setupFiles: [] }
  }
  return { root: process.cwd(), setupFiles: [] }
}

/**
 * @param {string} from  File or URL.
 * @param {string} name
 * @returns {string | null} path of a module
 */
export function installed (from, name) {
  try {
    return createRequire(from).resolve(name)
  } catch {
    return null
  }
}

/**
 * Major version of a benchmark library in the file's project: versions differ in what they refuse.
 *
 * @param {string} name
 * @returns {number} Infinity where the project has none: then the newest is meant
 */
export function majorOf (name) {
  for (const folder of createRequire(process.argv[1]).resolve.paths(name) ?? []) {
    try {
      return parseInt(JSON.parse(readFileSync(path.join(folder, name, 'package.json'), 'utf8')).version)
    } catch {}
  }
  return Infinity
}

/**
 * Variables of the environment that were set since.
 *
 * @param {NodeJS.ProcessEnv} before
 */
export const setSince = before =>
  Object.fromEntries(Object.entries(process.env).filter(([name, value]) => before[name] !== value))
