/** Files in which base and head differ: what kind of file each is, and so what its change may do to a row. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { withoutTypes } from '../measure/modules/user-modules.js'
import { isSameProgram } from './functions.js'
import { changedSince, textInCommit } from './revisions.js'
import { filesIn, isWithin, PACKAGES } from './paths.js'
/** @import { SidedPlan } from './gate-plan.js' */

/**
 * @typedef {object} Difference
 * @property {string} file  Relative to the root, with slashes.
 * @property {'module' | 'data' | 'packages' | 'settings' | 'page'} kind `module`: source of a program; `data`: it may
 *   be read; `packages`: it asks for packages; `settings`: it changes how modules are found or transformed; `page`: no
 *   program reads it.
 */

const MANIFEST = 'package.json'
/** Fields of a package.json by which it asks for packages. */
const ASKING = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
  'pnpm',
  'workspaces'
]
/** Scripts that may change packages after they are unpacked. */
const SCRIPTS = ['preinstall', 'install', 'postinstall']
/** Fields that say which files are modules, and how they are found. */
const RESOLVING = ['name', 'type', 'main', 'module', 'browser', 'exports', 'imports', 'babel']
const LOCK = /(^|\/)(npm-shrinkwrap\.json|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/
const PACKAGE_SETTING = /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|pnpm-workspace\.yaml|bunfig\.toml)$/
/** Patches, each in a folder next to the package.json that they are for. */
const PATCH = /(^|\/)(\.yarn\/)?patches\/.*\.(patch|diff)$/

/** @type {(...names: string[]) => RegExp}  Files with these names, which are patterns, in any folder. */
const files = (...names) => new RegExp(`(^|/)(${names.join('|')})$`, 'i')

const LOADING = files(
  '[tj]sconfig[^/]*\\.json',
  '(vite|vitest|babel|rollup|rolldown|esbuild|tsup)\\.(config|workspace)\\.\\w+',
  '\\.(babelrc|swcrc|env)[^/]*',
  '\\.pnp\\.c?js'
)
const DOCS = /(^|\/)docs?\//i
const DOCUMENT = files(
  '[^/]*\\.(md|markdown|mdx|rst|adoc|map|tsbuildinfo|snap|d\\.[cm]?ts)',
  '(LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CODEOWNERS|README)[^/]*'
)
/** Settings of editors, of CI, and of tools that no benchmark runs. */
const TOOLS = files(
  '\\.(github|gitlab|circleci|vscode|idea|husky|changeset|devcontainer)/.*',
  '\\.(editorconfig|gitignore|gitattributes|mailmap|npmignore|nvmrc|node-version|dockerignore|taprc)',
  '\\.(travis|gitlab-ci)\\.yml',
  '\\.(prettier|eslint|stylelint|markdownlint|lintstaged|commitlint|c8|nyc)[^/]*',
  '(eslint|prettier|commitlint|lint-staged|stylelint|jest|ava|playwright|cypress|release|stryker)\\.config\\.\\w+',
  '(biome\\.jsonc?|jsr\\.json|renovate\\.json5?|(codecov|azure-pipelines|appveyor)\\.ya?ml)',
  '(Jenkinsfile|Makefile|Dockerfile[^/]*)'
)
const TYPESCRIPT = /\.[cm]?ts$/i
const MODULE = /\.[cm]?[jt]sx?$/i
/** Modules that no other imports. */
const MAIN = /\.(test|test-d|spec|bench|benchmark)\.[cm]?[jt]sx?$/i
/** Modules that no task is expected to load. */
export const ASIDE = /(^|\/)_*(tests?|specs?|examples?|docs?)_*\/|\.config\.[cm]?[jt]s$/i

/**
 * @param {string[]} files  Relative to the root.
 * @param {Pick<SidedPlan, 'sides'>} plan
 * @param {string[]} asked  Folders whose packages the gated code uses, relative to the root.
 * @returns {Difference[]}
 */
export const differencesOf = (files, { sides: { base, head } }, asked) =>
  files.map(file => ({ file, kind: kindOf(file, [base.folder, head.folder], asked) }))

/** @param {string} file */
const isForPackages = file => LOCK.test(file) || PACKAGE_SETTING.test(file) || PATCH.test(file)

/**
 * @param {string} file
 * @param {string[]} folders  Of both sides.
 * @param {string[]} asked
 * @returns {Difference['kind']}
 */
function kindOf (file, folders, asked) {
  const isManifest = path.posix.basename(file) === MANIFEST
  if (isManifest || isForPackages(file)) {
    const [before, after] = folders.map(folder => contentOf(path.join(folder, file)))
    const isAsked = asked.includes(path.dirname(file.replace(PATCH, '$1-')))
    if (isAsked && (isManifest ? asksForOther(before, after) : !isDeepStrictEqual(before, after))) return 'packages'
    if (!isManifest) return 'page'
    return differIn(RESOLVING, before, after) ? 'settings' : 'page'
  }
  if (LOADING.test(file)) return 'settings'
  if (DOCUMENT.test(file) || TOOLS.test(file)) return 'page'
  if (!MODULE.test(file)) return DOCS.test(file) ? 'page' : 'data'
  return MAIN.test(file) ? 'page' : 'module'
}

/**
 * Whether nothing but pages, comments and types differ between a commit and the working tree.
 *
 * @param {string} root
 * @param {string} commit
 * @param {string[]} benchmarks  Benchmark files, relative to the root.
 */
export async function runsTheSame (root, commit, benchmarks) {
  const files = changedSince(root, commit)
  // What a package.json asks for is looked up in both sides.
  const isLookedUp = (/** @type {string} */ file) =>
    benchmarks.includes(file) || path.posix.basename(file) === MANIFEST || isForPackages(file)
  if (files.some(isLookedUp)) return false
  const kinds = files.map(file => kindOf(file, [], []))
  if (kinds.some(kind => kind !== 'page' && kind !== 'module')) return false
  const modules = files.filter((_, i) => kinds[i] === 'module')
  const changed = await changedPrograms(root, modules, file => [
    textInCommit(root, commit, file),
    textIn(root, file)
  ])
  return changed.length === 0
}

/**
 * @param {string} folder
 * @param {string} file
 * @returns {string | null} null where there is none
 */
export function textIn (folder, file) {
  const place = path.join(folder, file)
  return existsSync(place) ? readFileSync(place, 'utf8') : null
}

/**
 * Modules of which it is not known that both sides make the same program.
 *
 * @param {string} root
 * @param {string[]} files
 * @param {(file: string) => (string | null)[]} textsOf  Texts of a file on both sides.
 * @returns {Promise<string[]>}
 */
export async function changedPrograms (root, files, textsOf) {
  const sources = files.map(file => ({ file, texts: textsOf(file) }))
  const differing = sources.filter(({ texts: [base, head] }) => isOther(base, head))
  const typed = differing.filter(({ file, texts }) => TYPESCRIPT.test(file) && isStrippable(texts))
  // A new module may hold nothing but types.
  const typedTexts = typed.flatMap(({ texts }) => texts.map(text => text ?? ''))
  const texts = typed.length > 0 ? await withoutTypes(root, typedTexts) : []
  const same = typed.filter((_, i) => !isOther(texts[2 * i], texts[2 * i + 1]))
  return differing.filter(source => !same.includes(source)).map(({ file }) => file)
}

/** @type {(base: string | null, head: string | null) => boolean} */
const isOther = (base, head) => base === null || head === null || !isSameProgram(base, head)

/**
 * Types of what is decorated may be values of the program.
 *
 * @type {(texts: (string | null)[]) => boolean}
 */
const isStrippable = ([base, head]) => head !== null && !/^\s*@\w/m.test(base + head)

/** @type {(before: any, after: any) => boolean} */
const asksForOther = (before, after) =>
  differIn(ASKING, before, after) || differIn(SCRIPTS, Object(before.scripts), Object(after.scripts))

/** @type {(fields: string[], before: any, after: any) => boolean} */
const differIn = (fields, before, after) =>
  fields.some(field => !isDeepStrictEqual(before[field] ?? {}, after[field] ?? {}))

/**
 * A file of packages; of JSON, without the version of the project itself, which asks for nothing.
 *
 * @param {string} file
 * @returns {any}
 */
export function contentOf (file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (!file.endsWith('.json')) return text
  try {
    const { version, packages, ...others } = Object(JSON.parse(text))
    const { '': own, ...installed } = packages ?? {}
    return { ...others, installed, own: own && { ...own, version: undefined } }
  } catch {
    return {}
  }
}

/**
 * Folders that may ask for packages of the gated code: those above it, and above the workspaces that are linked there.
 *
 * @param {string} root
 * @param {string[]} places  Folders of the gated code, relative to the root.
 * @returns {string[]} relative to the root, with slashes
 */
export function askedFolders (root, places) {
  const home = realpathSync(root)
  const workspaces = linkedFrom(root, places).filter(target => isWithin(home, target))
  return [...new Set([...places, ...workspaces.map(target => path.relative(home, target))].flatMap(above))]
}

/**
 * Packages that are linked from outside of the repository: both sides run the same files.
 *
 * @param {string} root
 * @param {string[]} places  Folders of the gated code, relative to the root.
 * @returns {string[]} folders with symbolic links resolved
 */
export function linkedFromOutside (root, places) {
  const home = realpathSync(root)
  return linkedFrom(root, places).filter(target => !isWithin(home, target))
}

/**
 * Folders that are linked as packages for the gated code. What a store of packages holds is installed.
 *
 * @param {string} root
 * @param {string[]} places
 */
function linkedFrom (root, places) {
  const links = [...new Set(places.flatMap(above))].flatMap(folder => linksIn(path.join(root, folder, PACKAGES)))
  return links.filter(target => !target.split(path.sep).includes(PACKAGES))
}

/**
 * @param {string} folder  Relative to the root.
 * @returns {string[]} the folder, and those above it up to the root, with slashes
 */
function above (folder) {
  const names = path.normalize(folder).split(path.sep).filter(name => name !== '.' && name !== '')
  return Array.from({ length: names.length + 1 }, (_, i) => names.slice(0, names.length - i).join('/') || '.')
}

/**
 * Targets of the links to packages, which may be in the folders of scopes.
 *
 * @param {string} packages
 * @returns {string[]}
 */
function linksIn (packages) {
  if (!existsSync(packages)) return []
  return readdirSync(packages, { withFileTypes: true }).flatMap(entry => {
    const name = path.join(packages, entry.name)
    if (entry.isDirectory()) return entry.name.startsWith('@') ? linksIn(name) : []
    return entry.isSymbolicLink() && !entry.name.startsWith('.') && existsSync(name) ? [realpathSync(name)] : []
  })
}

/**
 * Files that differ between two folders, without packages: what a build has made, too.
 *
 * @param {string} base
 * @param {string} head
 * @returns {string[]} relative to the folders, with slashes
 */
export function differingFiles (base, head) {
  const bytesOf = (/** @type {string} */ folder, /** @type {string} */ name) => {
    const file = path.join(folder, name)
    return existsSync(file) ? readFileSync(file) : null
  }
  return [...new Set([base, head].flatMap(folder => filesIn(folder)))].filter(name => {
    const [before, after] = [base, head].map(folder => bytesOf(folder, name))
    return !before || !after || !before.equals(after)
  })
}
