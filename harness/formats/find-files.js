/** Finds the benchmark files of a project. Reads names and texts alone: nothing of the project runs. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { askGit, namesIn } from '../processes/git.js'
import { END_OF_PROJECT } from './end-of-project.js'
import { FORMATS } from './registry.js'

// It has no types.
const picomatch = createRequire(import.meta.url)('picomatch')

/** Packages, and what builds and tools write. */
const MADE = /(^|\/)(node_modules|dist|build|out|coverage|\.[^/]+)\//
/** Declarations and settings hold no tasks. */
const NO_CODE = /\.(d|config)\.[cm]?[jt]s$/
/** Tests next to benchmarks: they run in a test runner alone. */
const TEST = /\.(spec|test)\.[^./]+$/
const CODE = /\.[cm]?[jt]s$|\.[jt]sx$/
const NAMED = /\.(bench|benchmark)\.[^./]+$/
const IN_FOLDER = /(^|\/)(bench|benchmark|benchmarks|perf)\//
/** Names of single benchmark files, and of scripts that time themselves: those name no library. */
const AFTER_WORD = /(^|\/)bench(mark)?s?([-_][^/]*)?\.[^./]+$/
const CONFIG = /(^|\/)vite(st)?\.config\.[cm]?[jt]s$/
/** Patterns of files in a configuration of vitest, where they are written out. */
const INCLUDED = /\bbenchmark\s*:\s*\{[^}]*?\binclude\s*:\s*\[([^\]]*)\]/g

/**
 * @param {string} root  Folder of the project.
 * @returns {{files: string[], uncertain: string[]}} relative to the root, in the order of their names; `uncertain`:
 *   files of a folder for benchmarks, or with such a name, which may have tasks
 */
export function findBenchmarkFiles (root) {
  const listed = namesIn(askGit(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']))
  const all = listed.length > 0 ? listed : globSync('**', { cwd: root, ignore: '**/node_modules/**' })
  // Results of a gate hold copies of the project.
  const copies = all.filter(file => path.posix.basename(file) === END_OF_PROJECT).map(path.posix.dirname)
  const own = [...new Set(all)]
    .filter(file => !MADE.test(file) && !copies.some(folder => file.startsWith(`${folder}/`)))
    .filter(file => CODE.test(file) && existsSync(path.join(root, file)))
    .sort()
  const included = own.filter(file => CONFIG.test(file)).flatMap(config => patternsIn(root, config))
  const isIncluded = picomatch(included)
  const code = own.filter(file => !NO_CODE.test(file))
  const files = code.filter(file => NAMED.test(file) || isIncluded(file))
  const mayHaveTasks = (/** @type {string} */ file) =>
    IN_FOLDER.test(file) ? !TEST.test(file) : AFTER_WORD.test(file) && namesLibrary(path.join(root, file))
  return { files, uncertain: code.filter(file => !files.includes(file) && mayHaveTasks(file)) }
}

/** @param {string} file */
function namesLibrary (file) {
  const text = readFileSync(file, 'utf8')
  return FORMATS.some(({ library }) => library && [`'${library}'`, `"${library}"`].some(name => text.includes(name)))
}

/** @type {(root: string, config: string) => string[]} */
function patternsIn (root, config) {
  const texts = [...readFileSync(path.join(root, config), 'utf8').matchAll(INCLUDED)].map(([, text]) => text)
  const patterns = texts.flatMap(text => [...text.matchAll(/(['"`])(.*?)\1/g)].map(([, , pattern]) => pattern))
  return patterns.map(pattern => path.posix.join(path.posix.dirname(config), pattern))
}
