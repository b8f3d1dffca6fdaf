/**
 * Ways to load a benchmark file. JavaScript is imported. TypeScript is imported where Node strips types, or by what the
 * file's project has: tsx, or Vite, whose aliases hold then, too.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { END_OF_PROJECT } from '../end-of-project.js'
import { FORMATS } from '../registry.js'

/** @typedef {(url: string) => Promise<any>} Loader */

/** @type {{fileToModulesMap: Map<string, unknown>}[]}  Modules of Vite: V8 does not know their files. */
const graphs = []

/** Files of the modules that Vite has loaded. */
export const filesOfVite = () => graphs.flatMap(({ fileToModulesMap }) => [...fileToModulesMap.keys()])

const CONFIG = /^(vite|vitest)\.config\.[cm]?[jt]s$/
const TYPESCRIPT = /\.[cm]?tsx?$/

/**
 * @typedef {object} Project
 * @property {string} root
 * @property {string | null} [vite]  Main module of Vite, if it is installed.
 * @property {string} [configFile]
 * @property {string} [mode]
 * @property {any} [alias]  More aliases than the configuration's.
 * @property {string[]} setupFiles  Loaded before the file, by the same loader.
 * @property {boolean} [isReplacing]  An alias stands for a module that Node finds, too.
 */

/**
 * @param {string} url
 * @returns {Promise<Loader[]>} in the order in which they are tried
 */
export async function loadersOf (url) {
  const file = fileURLToPath(url)
  const require = createRequire(url)
  const tsx = TYPESCRIPT.test(file) ? installed(require, 'tsx') : null
  let project = { ...projectOf(file), vite: installed(require, 'vite') }
  for (const format of FORMATS) {
    if (format.project) project = await (await import(format.project)).projectOf(file, project)
  }
  const load = async () => {
    for (const setup of project.setupFiles) await import(pathToFileURL(setup).href)
    return import(url)
  }
  const [own, via] = [[load, ...(tsx ? [viaTsx(tsx, project)] : [])], project.vite ? [viaVite(file, project)] : []]
  return project.isReplacing ? [...via, ...own] : [...own, ...via]
}

/** @type {(require: NodeJS.Require, name: string) => string | null} */
export function installed (require, name) {
  try {
    return require.resolve(name)
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

/** @type {(tsx: string, project: Project) => Loader} */
const viaTsx = (tsx, { setupFiles }) => async url => {
  await import(pathToFileURL(tsx).href)
  for (const setup of setupFiles) await import(`${pathToFileURL(setup).href}?tsx`)
  // Node remembers that the file itself could not be loaded.
  return import(`${url}?tsx`)
}

/** @param {Project} project */
export async function importVite ({ vite }) {
  const imported = await import(pathToFileURL(String(vite)).href)
  // The CommonJS build of Vite 5 has no names that Node could find.
  return imported.createServer ? imported : imported.default
}

/**
 * Vite transforms the file and all modules of its project, as vitest does.
 *
 * @type {(file: string, project: Project) => Loader}
 */
const viaVite = (file, project) => async () => {
  const { root, configFile, mode, alias, setupFiles } = project
  const server = await (await importVite(project)).createServer({
    root,
    configFile,
    ...(mode && { mode }),
    ...(alias && { resolve: { alias } }),
    logLevel: 'silent',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] }
  })
  graphs.push(server.moduleGraph)
  try {
    for (const setup of setupFiles) await server.ssrLoadModule(setup)
    return await server.ssrLoadModule(file)
  } finally {
    await server.close()
  }
}

/**
 * The nearest folder with a configuration of vitest or Vite, which vitest prefers in this order.
 *
 * @param {string} file
 * @returns {Project}
 */
function projectOf (file) {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const all = readdirSync(folder)
    if (all.includes(END_OF_PROJECT)) break
    const names = all.filter(name => CONFIG.test(name)).sort()
    if (names.length > 0) return { root: folder, configFile: path.join(folder, String(names.at(-1))), setupFiles: [] }
  }
  return { root: process.cwd(), setupFiles: [] }
}
