/** What `vitest bench` takes from the configuration of a project, for files that are vitest's. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../../../model/errors.js'
import { FORMATS } from '../../registry.js'
import { installed, majorOf, setSince } from '../project.js'
import { importVite } from '../vite.js'
/** @import { Kept } from '../../kept.js' */
/** @import { Project } from '../project.js' */

const CALLS_BENCH = /\bbench(\.\w+)*\(/
/** Comment that chooses an environment. */
const ENVIRONMENT = /@vitest-environment +([\w-]+)/
/** Major version from which on benchmarks are tests. */
const HAS_FIXTURE = 5

/**
 * The project of a file that imports vitest, or calls the globals of a project that has them.
 *
 * @param {string} file
 * @param {Project} found
 * @param {Kept} kept
 * @returns {Promise<Project>}
 */
export async function projectOf (file, found, kept) {
  // It depends on Vite.
  const own = installed(file, 'vitest')
  const project = { ...found, vite: found.vite ?? (own && installed(own, 'vite')) }
  const source = readFileSync(file, 'utf8')
  const imports = (/** @type {string | undefined} */ name) => name && new RegExp(`(['"])${name}\\1`).test(source)
  const isImported = imports('vitest')
  if (!isImported && (!CALLS_BENCH.test(source) || FORMATS.some(({ library }) => imports(library)))) return project
  const mode = majorOf('vitest') < HAS_FIXTURE ? 'benchmark' : 'test'
  const { root, configFile = root } = project
  const read = () => readConfig(project, mode)
  const { env, hasGlobals, ...settings } = await kept.make(
    async () => (await read()).settings,
    'vitest', process.version, configFile, mode
  )
  if (!isImported && !hasGlobals) return project
  const [, environment = 'node'] = ENVIRONMENT.exec(source) ?? []
  if (environment !== 'node') throw new UsageError(`${file} needs vitest's environment ${environment}: not supported`)
  Object.assign(process.env, env)
  if (hasGlobals) await provideGlobals()
  return { ...project, ...settings, mode, alias: async () => (await read()).alias }
}

/**
 * @param {Project} project
 * @param {string} mode
 */
async function readConfig (project, mode) {
  const { env } = process
  const before = { ...env }
  Object.assign(env, { TEST: 'true', VITEST: 'true', MODE: mode, NODE_ENV: env.NODE_ENV ?? 'test' })
  const { configFile } = project
  const { test = {}, resolve = {}, root = project.root } = Object(await configOf(project, mode))
  Object.assign(env, test.env)
  const set = setSince(before)
  for (const name of Object.keys(set)) delete env[name]
  Object.assign(env, before)
  const config = path.join(path.resolve(project.root, test.root ?? root), 'vitest.config.js')
  const aliases = [resolve.alias, test.alias].flatMap(alias =>
    Array.isArray(alias) ? alias.map(({ find }) => find) : Object.keys(alias ?? {})
  )
  // Without Vite's runner, vitest has no aliases.
  const isNative = test.experimental?.viteModuleRunner === false
  return {
    settings: {
      env: set,
      hasGlobals: test.globals === true,
      imports: isNative ? importsIn(test.execArgv ?? []) : [],
      notes: [
        ...(test.globalSetup ? [`${configFile}: globalSetup of vitest is not run`] : []),
        ...([test.projects ?? test.workspace].flat().some(own => typeof own === 'object' && !own.extends)
          ? [`${configFile}: projects that are written there are not read (give each a file of its own)`]
          : [])
      ],
      noteOfVite: isNative
        ? [`${configFile} says viteModuleRunner: false, but Vite loads the files, as Node ${process.version} ` +
           'cannot: each access to an import takes time']
        : [],
      // A package, or a path from the root that may begin without a dot.
      setupFiles: [test.setupFiles ?? []]
        .flat()
        .map(setup => installed(config, setup) ?? path.resolve(path.dirname(config), setup)),
      // An alias may stand for a module that Node finds, too. vitest never asks tsx.
      viteRank: !isNative && aliases.some(name => typeof name === 'string' && installed(config, name) !== null) ? 0 : 2
    },
    alias: test.alias
  }
}

/**
 * Modules that flags of Node load before all others.
 *
 * @param {string[]} flags
 */
const importsIn = flags =>
  flags.flatMap((flag, i) => {
    const [, joined] = /^--import(?:=(.+))?$/.exec(flag) ?? []
    return joined ?? (flag === '--import' ? flags[i + 1] : [])
  })

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
  const { root, configFile, vite } = project
  if (configFile === undefined) return undefined
  const as = { command: 'serve', mode }
  try {
    const { default: config } = await import(pathToFileURL(configFile).href)
    return typeof config === 'function' ? await config(as) : await config
  } catch {
    // Without Vite, nothing that needs the configuration can be loaded, either.
    if (!vite) return undefined
    return (await (await importVite(vite)).loadConfigFromFile?.(as, configFile, root, 'silent'))?.config
  }
}
