/**
 * Ways to load a benchmark file. JavaScript is imported. TypeScript is imported where Node strips types, or by what the
 * file's project has: tsx, or Vite, whose aliases hold then, too.
 */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { FORMATS } from '../registry.js'
import { keepLoaded } from './hooks.js'
import { installed, nearestProject } from './project.js'
import { Vite } from './vite.js'
/** @import { Kept } from '../kept.js' */
/** @import { Project } from './project.js' */

const TYPESCRIPT = /\.[cm]?tsx?$/

/**
 * @typedef {object} Loader
 * @property {string} name
 * @property {() => Promise<any>} load
 * @property {number} rank  Place in the order.
 * @property {string[]} [notes]
 */

/**
 * @param {string} url
 * @param {Kept} kept
 * @returns {Promise<Loader[]>} in the order in which they are tried, or only the one that has loaded the file before
 */
export async function loadersOf (url, kept) {
  const file = fileURLToPath(url)
  const tsx = TYPESCRIPT.test(file) ? installed(url, 'tsx') : null
  const project = await projectOf(file, kept)
  const vite = project.vite ? new Vite(project, kept) : null
  const { notes = [], noteOfVite = [], viteRank = 4 } = project
  const all = [
    { name: 'node', load: viaNode(url, project, kept), rank: 1, notes },
    ...(tsx ? [{ name: 'tsx', load: viaTsx(url, tsx, project), rank: 3, notes }] : []),
    ...(vite ? [{ name: 'vite', load: () => vite.load(file), rank: viteRank, notes: notes.concat(noteOfVite) }] : [])
  ].sort((a, b) => a.rank - b.rank)
  const known = all.filter(({ name }) => name === kept.read('loader', process.version, file))
  return known.length > 0 ? known : all
}

/**
 * @param {string} file
 * @param {Kept} kept
 */
export async function projectOf (file, kept) {
  let project = { ...nearestProject(file), vite: installed(file, 'vite') }
  for (const format of FORMATS) {
    if (format.project) project = await (await import(format.project)).projectOf(file, project, kept)
  }
  return project
}

/** @type {(url: string, project: Project, kept: Kept) => Loader['load']} */
const viaNode = (url, { imports = [], setupFiles }, kept) => async () => {
  for (const own of imports) await import(pathToFileURL(own).href)
  if (imports.length > 0) keepLoaded(kept)
  for (const setup of setupFiles) await import(pathToFileURL(setup).href)
  return import(url)
}

/** @type {(url: string, tsx: string, project: Project) => Loader['load']} */
const viaTsx = (url, tsx, { setupFiles }) => async () => {
  await import(pathToFileURL(tsx).href)
  for (const setup of setupFiles) await import(`${pathToFileURL(setup).href}?tsx`)
  // Node remembers that the file itself could not be loaded.
  return import(`${url}?tsx`)
}
