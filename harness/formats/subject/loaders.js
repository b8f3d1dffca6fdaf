/**
 * Ways to load a benchmark file. JavaScript is imported. TypeScript is imported where Node strips types, or by what the
 * file's project has: tsx, or Vite, whose aliases hold then, too.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { majorOf } from './installed.js'

/** @typedef {(url: string) => Promise<any>} Loader */

/** @type {{fileToModulesMap: Map<string, unknown>}[]}  Modules of Vite: V8 does not know their files. */
const graphs = []

/** Files of the modules that Vite has loaded. */
export const filesOfVite = () => graphs.flatMap(({ fileToModulesMap }) => [...fileToModulesMap.keys()])

const CONFIG = /^(vite|vitest)\.config\.[cm]?[jt]s$/
const TYPESCRIPT = /\.[cm]?tsx?$/

/** Files of vitest import it, or call what its option `globals` provides. */
const OF_VITEST = /(['"])vitest\1/
const CALLS_BENCH = /\bbench(\.\w+)*\(/
const OF_OTHERS = /(['"])(tinybench|mitata|benchmark|bench-node)\1/
/** Major version from which on benchmarks are tests. */
const HAS_FIXTURE = 5

/**
 * @typedef {object} Project
 * @property {string} root
 * @property {string} [configFile]
 * @property {string} [mode]
 * @property {any} [alias]  Aliases of vitest alone.
 * @property {string[]} setupFiles  Loaded before the file, by the same loader.
 */

/**
 * @param {string} url
 * @returns {Promise<Loader[]>} in the order in which they are tried
 */
export async function loadersOf (url) {
  const file = fileURLToPath(url)
  const require = createRequire(url)
  const tsx = TYPESCRIPT.test(file) ? installed(require, 'tsx') : null
  const vite = installed(require, 'vite') ?? installed(require, 'vitest')
  const { project, isReplacing } = await projectOfVitest(file, vite)
  const load = async () => {
    for (const setup of project.setupFiles) await import(pathToFileURL(setup).href)
    return import(url)
  }
  const [own, via] = [[load, ...(tsx ? [viaTsx(tsx, project)] : [])], vite ? [viaVite(vite, file, project)] : []]
  return isReplacing ? [...via, ...own] : [...own, ...via]
}

/**
 * The project of a file, with what `vitest bench` takes from its configuration.
 *
 * @param {string} file
 * @param {string | null} vite
 * @returns {Promise<{project: Project, isReplacing?: boolean}>} `isReplacing`: an alias stands for a module that Node
 *   finds, too
 */
async function projectOfVitest (file, vite) {
  const project = { ...projectOf(file), setupFiles: [] }
  const source = readFileSync(file, 'utf8')
  if (!OF_VITEST.test(source) && (OF_OTHERS.test(source) || !CALLS_BENCH.test(source))) return { project }
  const { env } = process
  const mode = majorOf('vitest') < HAS_FIXTURE ? 'benchmark' : 'test'
  Object.assign(env, { TEST: 'true', VITEST: 'true', MODE: mode, NODE_ENV: env.NODE_ENV ?? 'test' })
  const { test = {}, resolve = {}, root = project.root } = Object(await configOf(project, vite, mode))
  Object.assign(env, test.env)
  const require = createRequire(path.join(path.resolve(project.root, test.root ?? root), 'vitest.config.js'))
  const aliases = [resolve.alias, test.alias].flatMap(alias =>
    Array.isArray(alias) ? alias.map(({ find }) => find) : Object.keys(alias ?? {})
  )
  return {
    project: {
      ...project,
      mode,
      alias: test.alias,
      setupFiles: [test.setupFiles ?? []].flat().map(setup => require.resolve(setup))
    },
    isReplacing: aliases.some(name => typeof name === 'string' && installed(require, name) !== null)
  }
}

/**
 * The configuration as Node reads it, or else Vite.
 *
 * @param {{root: string, configFile?: string}} project
 * @param {string | null} vite
 * @param {string} mode
 */
async function configOf ({ root, configFile }, vite, mode) {
  if (configFile === undefined) return undefined
  const as = { command: 'serve', mode }
  try {
    const { default: config } = await import(pathToFileURL(configFile).href)
    return typeof config === 'function' ? await config(as) : await config
  } catch {
    // Without Vite, nothing that needs the configuration can be loaded, either.
    return vite && (await (await importVite(vite)).loadConfigFromFile?.(as, configFile, root, 'silent'))?.config
  }
}

/** @type {(require: NodeJS.Require, name: string) => string | null} */
function installed (require, name) {
  try {
    return require.resolve(name)
  } catch {
    return null
  }
}

/** @type {(tsx: string, project: Project) => Loader} */
const viaTsx = (tsx, { setupFiles }) => async url => {
  await import(pathToFileURL(tsx).href)
  for (const setup of setupFiles) await import(`${pathToFileURL(setup).href}?tsx`)
  // Node remembers that the file itself could not be loaded.
  return import(`${url}?tsx`)
}

/** @param {string} vite */
async function importVite (vite) {
  // vitest depends on Vite.
  const found = vite.includes(`${path.sep}vitest${path.sep}`) ? createRequire(vite).resolve('vite') : vite
  const imported = await import(pathToFileURL(found).href)
  // The CommonJS build of Vite 5 has no names that Node could find.
  return imported.createServer ? imported : imported.default
}

/**
 * Vite transforms the file and all modules of its project, as vitest does.
 *
 * @type {(vite: string, file: string, project: Project) => Loader}
 */
const viaVite = (vite, file, { alias, setupFiles, ...project }) => async () => {
  const server = await (await importVite(vite)).createServer({
    ...project,
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
 * @returns {{root: string, configFile?: string}}
 */
function projectOf (file) {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const names = readdirSync(folder)
      .filter(name => CONFIG.test(name))
      .sort()
    if (names.length > 0) return { root: folder, configFile: path.join(folder, String(names.at(-1))) }
  }
  return { root: process.cwd() }
}
