/**
 * Loads files by the project's own Vite, which transforms them and all modules of their project, as vitest does. From
 * Vite 6 on, its runner reads transformed modules without a server: they are transformed once, and kept.
 */
import { builtinModules, SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { installed, nearestProject, setSince } from './project.js'
/** @import { Kept } from '../kept.js' */
/** @import { Project } from './project.js' */

/**
 * Modules of older versions: V8 does not know their files.
 *
 * @type {{fileToModulesMap: Map<string, unknown>}[]}
 */
const graphs = []

export const filesOfVite = () => graphs.flatMap(({ fileToModulesMap }) => [...fileToModulesMap.keys()])

/**
 * Modules that this process has transformed.
 *
 * @type {string[]}
 */
const transformed = []

export const countTransformed = () => transformed.length

/** Imports in a transformed module. */
const IMPORTS = /__vite_ssr_(?:dynamic_)?import__\(("(?:[^"\\]|\\.)*")/g
const BUILT_IN = [
  ...builtinModules.map(value => ({ type: 'string', value })),
  { type: 'RegExp', source: '^node:', flags: '' }
]
const PLACE = /(file:\/\/[^\s()]+?):(\d+):(\d+)/g

export class Vite {
  #project
  #kept
  #key
  /** @type {Promise<any> | undefined} */
  #server

  /**
   * @param {Project} project
   * @param {Kept} kept
   */
  constructor (project, kept) {
    this.#project = project
    this.#kept = kept
    const { root, configFile = '', mode = '' } = project
    this.#key = [process.version, root, configFile, mode]
  }

  /** @param {string} file */
  async load (file) {
    const { setupFiles } = this.#project
    const { env, runner } = await this.#kept.make(() => this.#begin(), 'vite', ...this.#key)
    Object.assign(process.env, env)
    try {
      const load = runner === null ? await this.#byServer() : await this.#byRunner(runner)
      for (const setup of setupFiles) await load(setup)
      const module = await load(file)
      if (this.#server && runner !== null && this.#kept.isFirst('files', ...this.#key)) await this.#keepOthers()
      return module
    } finally {
      const server = await this.#server
      this.#server = undefined
      await server?.close()
    }
  }

  /** The variables that Vite sets, and its runner. */
  async #begin () {
    const before = { ...process.env }
    const { environments } = await this.#start()
    const { vite } = this.#project
    return { env: setSince(before), runner: environments ? installed(String(vite), 'vite/module-runner') : null }
  }

  #start () {
    return (this.#server ??= startServer(this.#project))
  }

  async #byServer () {
    const server = await this.#start()
    graphs.push(server.moduleGraph)
    return (/** @type {string} */ file) => server.ssrLoadModule(file)
  }

  /** @type {(runner: string) => Promise<(file: string) => Promise<any>>} */
  async #byRunner (runner) {
    const { ModuleRunner, createNodeImportMeta: createImportMeta } = await import(pathToFileURL(runner).href)
    const invoke = (/** @type {any} */ { data: { name, data: [id, importer, options] = [] } }) =>
      (name === 'getBuiltins' ? Promise.resolve(BUILT_IN) : this.#module(id, importer, options)).then(
        result => ({ result }),
        error => ({ error })
      )
    const options = { root: this.#project.root, createImportMeta, hmr: false, sourcemapInterceptor: false }
    const own = new ModuleRunner({ ...options, transport: { invoke } }, EVALUATOR)
    return file => own.import(file)
  }

  /**
   * A transformed module, or the URL of one that Node imports.
   *
   * @param {string} id  Path, or the name of a package.
   * @param {string} [importer]
   * @param {{cached?: boolean}} [options]  `cached`: the runner has the module.
   * @returns {Promise<any>}
   */
  async #module (id, importer, { cached } = {}) {
    const from = isPath(id) ? '' : String(importer)
    if (cached && from === '') return { cache: true }
    const keyOf = (/** @type {string} */ id) => ['module', ...this.#key, id, from]
    return this.#kept.make(async () => {
      const { environments: { ssr } } = await this.#start()
      const found = await ssr.fetchModule(id, importer, { inlineSourceMap: false })
      if (found.code === undefined) return found
      transformed.push(id)
      const { mappings, names, sources } = Object(ssr.moduleGraph.getModuleById(found.id)?.transformResult?.map)
      if (mappings) this.#kept.write({ version: 3, mappings, names, sources }, 'map', urlOf(found))
      // A file is named by its path, and imported by another name.
      if (found.url !== id) this.#kept.write(found, ...keyOf(found.url))
      return found
    }, ...keyOf(id))
  }

  /** The first process that has started Vite transforms the plan's other files of the project, and all they import. */
  async #keepOthers () {
    const seen = new Set()
    const visit = async (/** @type {string} */ id, /** @type {string} */ importer) => {
      const key = isPath(id) ? id : `${importer} ${id}`
      if (seen.has(key)) return
      seen.add(key)
      // A fault is told by the process that loads the file.
      const { code = '', file } = await this.#module(id, importer).catch(() => ({}))
      await Promise.all([...code.matchAll(IMPORTS)].map(([, name]) => visit(JSON.parse(name), file)))
    }
    for (const url of this.#kept.read('files') ?? []) {
      const file = fileURLToPath(url)
      if (nearestProject(file).root === this.#project.root) await visit(file, '')
    }
  }
}

/** @param {string} id  Path or name of a package, which each importer may find elsewhere. */
const isPath = id => path.posix.isAbsolute(id)

/** @param {string} vite  Main module. */
export async function importVite (vite) {
  const imported = await import(pathToFileURL(vite).href)
  // The CommonJS build of Vite 5 has no names that Node could find.
  return imported.createServer ? imported : imported.default
}

/** @param {Project} project */
async function startServer ({ root, vite, configFile, mode, alias: readAlias }) {
  const [{ createServer }, alias] = [await importVite(String(vite)), await readAlias?.()]
  return createServer({
    root,
    configFile,
    ...(mode && { mode }),
    ...(alias && { resolve: { alias } }),
    logLevel: 'silent',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] }
  })
}

/**
 * Scripts that were evaluated. V8 forgets those whose functions are gone, and with them the files that were loaded.
 *
 * @type {vm.Script[]}
 */
const scripts = []

/** Evaluates each module as a script with the URL of its file: coverage, profiles and stacks name it. */
const EVALUATOR = {
  /** @type {(context: Record<string, unknown>, code: string, module: {file: string, id: string}) => Promise<void>} */
  async runInlinedModule (context, code, module) {
    const opening = `'use strict';async(${Object.keys(context)})=>{`
    const script = new vm.Script(`${opening}${code}\n}`, { filename: urlOf(module), columnOffset: -opening.length })
    scripts.push(script)
    await script.runInThisContext()(...Object.values(context))
    Object.seal(context.__vite_ssr_exports__)
  },
  runExternalModule: (/** @type {string} */ url) => import(url)
}

/** @type {(module: {file: string, id: string}) => string} */
const urlOf = ({ file, id }) => (file ? `${pathToFileURL(file)}${id.replace(file, '')}` : id)

/**
 * Places of an error's stack in the files as they were written.
 *
 * @param {any} error
 * @param {Kept} kept
 */
export function placeInSources (error, kept) {
  if (typeof error?.stack !== 'string') return
  error.stack = error.stack.replace(PLACE, (/** @type {string[]} */ ...[place, url, ...at]) => {
    const map = kept.read('map', url)
    const [line, column] = at.map(Number)
    const { originalLine, originalColumn } = Object(map && new SourceMap(map).findEntry(line - 1, column - 1))
    return originalLine === undefined ? place : `${url}:${originalLine + 1}:${originalColumn + 1}`
  })
}
