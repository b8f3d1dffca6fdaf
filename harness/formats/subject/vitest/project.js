/** What `vitest bench` takes from the configuration of a project, for files that are vitest's. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { FORMATS } from '../../registry.js'
import { importVite, installed, majorOf } from '../loaders.js'
/** @import { Project } from '../loaders.js' */

const CALLS_BENCH = /\bbench(\.\w+)*\(/
/** Major version from which on benchmarks are tests. */
const HAS_FIXTURE = 5

/**
 * The project of a file that imports vitest, or calls the globals of a project that has them.
 *
 * @param {string} file
 * @param {Project} found
 * @returns {Promise<Project>}
 */
export async function projectOf (file, found) {
  // It depends on Vite.
  const own = installed(createRequire(file), 'vitest')
  const project = { ...found, vite: found.vite ?? (own && installed(createRequire(own), 'vite')) }
  const source = readFileSync(file, 'utf8')
  const imports = (/** @type {string | undefined} */ name) => name && new RegExp(`(['"])${name}\\1`).test(source)
  const isImported = imports('vitest')
  if (!isImported && (!CALLS_BENCH.test(source) || FORMATS.some(({ library }) => imports(library)))) return project
  const { env } = process
  const before = { ...env }
  const mode = majorOf('vitest') < HAS_FIXTURE ? 'benchmark' : 'test'
  Object.assign(env, { TEST: 'true', VITEST: 'true', MODE: mode, NODE_ENV: env.NODE_ENV ?? 'test' })
  const { test = {}, resolve = {}, root = project.root } = Object(await configOf(project, mode))
  if (test.globals) await provideGlobals()
  else if (!isImported) {
    for (const name of Object.keys(env)) if (!(name in before)) delete env[name]
    Object.assign(env, before)
    return project
  }
  Object.assign(env, test.env)
  const require = createRequire(path.join(path.resolve(project.root, test.root ?? root), 'vitest.config.js'))
  const aliases = [resolve.alias, test.alias].flatMap(alias =>
    Array.isArray(alias) ? alias.map(({ find }) => find) : Object.keys(alias ?? {})
  )
  return {
    ...project,
    mode,
    alias: test.alias,
    setupFiles: [test.setupFiles ?? []].flat().map(setup => require.resolve(setup)),
    isReplacing: aliases.some(name => typeof name === 'string' && installed(require, name) !== null)
  }
}

async function provideGlobals () {
  for (const [name, value] of Object.entries(await import('./vitest.js'))) {
    if (!(name in globalThis)) Object.assign(globalThis, { [name]: value })
  }
}

/**
 * The configuration as Node reads it, or else Vite.
 *
 * @param {Project} project
 * @param {string} mode
 */
async function configOf (project, mode) {
  const { root, configFile } = project
  if (configFile === undefined) return undefined
  const as = { command: 'serve', mode }
  try {
    const { default: config } = await import(pathToFileURL(configFile).href)
    return typeof config === 'function' ? await config(as) : await config
  } catch {
    // Without Vite, nothing that needs the configuration can be loaded, either.
    if (!project.vite) return undefined
    return (await (await importVite(project)).loadConfigFromFile?.(as, configFile, root, 'silent'))?.config
  }
}
