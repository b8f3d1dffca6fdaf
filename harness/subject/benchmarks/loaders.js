/**
 * Ways to load a benchmark file. JavaScript is imported. TypeScript is imported where Node strips types, or by what the
 * file's project has: tsx, or Vite, whose aliases hold then, too.
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** @typedef {(url: string) => Promise<any>} Loader */

/** @type {{fileToModulesMap: Map<string, unknown>}[]}  Modules of Vite: V8 does not know their files. */
const graphs = []

/** Files of the modules that Vite has loaded. */
export const filesOfVite = () => graphs.flatMap(({ fileToModulesMap }) => [...fileToModulesMap.keys()])

const CONFIG = /^(vite|vitest)\.config\.[cm]?[jt]s$/
const TYPESCRIPT = /\.[cm]?tsx?$/

/** @type {Loader} */
const load = url => import(url)

/**
 * @param {string} url
 * @returns {Loader[]} in the order in which they are tried
 */
export function loadersOf (url) {
  const file = fileURLToPath(url)
  const require = createRequire(url)
  const tsx = TYPESCRIPT.test(file) ? installed(require, 'tsx') : null
  const vite = installed(require, 'vite') ?? installed(require, 'vitest')
  return [load, ...(tsx ? [viaTsx(tsx)] : []), ...(vite ? [viaVite(vite, file)] : [])]
}

/** @type {(require: NodeJS.Require, name: string) => string | null} */
function installed (require, name) {
  try {
    return require.resolve(name)
  } catch {
    return null
  }
}

/** @type {(tsx: string) => Loader} */
const viaTsx = tsx => async url => {
  await import(pathToFileURL(tsx).href)
  // Node remembers that the file itself could not be loaded.
  return import(`${url}?tsx`)
}

/**
 * Vite transforms the file and all modules of its project, as vitest does.
 *
 * @type {(vite: string, file: string) => Loader}
 */
const viaVite = (vite, file) => async () => {
  // vitest depends on Vite.
  const found = vite.includes(`${path.sep}vitest${path.sep}`) ? createRequire(vite).resolve('vite') : vite
  const imported = await import(pathToFileURL(found).href)
  // The CommonJS build of Vite 5 has no names that Node could find.
  const { createServer } = imported.createServer ? imported : imported.default
  const server = await createServer({
    ...projectOf(file),
    logLevel: 'silent',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] }
  })
  graphs.push(server.moduleGraph)
  try {
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
