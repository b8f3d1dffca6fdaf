/** Packs a package, installs it without the network, and looks at it as publint and TypeScript do. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const { files } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
const SOURCES = [
  'package.json',
  '.gitignore',
  'LICENSE',
  'README.md',
  'tsconfig.json',
  'tsconfig.types.json',
  // The folder of a pattern, as a whole.
  ...new Set(
    files
      .filter((/** @type {string} */ name) => name !== 'types' && !name.startsWith('!'))
      .map((/** @type {string} */ name) => name.replace(/\/\*\.js$|(?<=^(?:docs|lab))\/.*/, ''))
  )
]

/**
 * Packs timerq, or the folder of another package, from a copy: packing writes files that other tests would see.
 *
 * @param {string} folder
 * @param {{sources?: string[], at?: string}} [options]  `at`: the package's folder.
 * @returns {string} the tarball, in the folder
 */
export function pack (folder, { sources = SOURCES, at = '' } = {}) {
  const copy = path.join(folder, 'copy')
  for (const name of sources) cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  const cwd = path.join(copy, at)
  const before = readdirSync(cwd)
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--pack-destination', folder], { cwd, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  assert.deepEqual(readdirSync(cwd), before, 'packing leaves nothing behind')
  return path.join(folder, String(stdout.trim().split('\n').at(-1)))
}

/**
 * Unpacks a tarball into a new project, as npm would.
 *
 * @param {string} tarball
 * @param {string} name  Name of the package.
 */
export function createProject (tarball, name) {
  const project = path.join(path.dirname(tarball), 'project')
  const installed = (/** @type {string[]} */ ...segments) => path.join(project, 'node_modules', ...segments)
  mkdirSync(installed(name), { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed(name)])
  writeFileSync(path.join(project, 'package.json'), '{ "name": "my-project", "private": true, "type": "module" }\n')
  /** @param {string} name  Package of timerq's own folder. */
  const link = name => {
    if (existsSync(installed(name))) return
    mkdirSync(path.dirname(installed(name)), { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules', name), installed(name))
  }
  return { project, installed, link }
}

/**
 * Compiles a program against the declarations, in a folder of the project.
 *
 * @param {ReturnType<typeof createProject>} made
 * @param {object} options
 * @param {string} options.program
 * @param {string} [options.type]  That of the folder's files.
 * @param {string} [options.module]  TypeScript's option.
 */
export function assertCompiles ({ project, link }, { program, type = 'module', module = 'nodenext' }) {
  for (const name of ['@types/node', 'undici-types']) link(name)
  const folder = path.join(project, `${type}-${module}`)
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'typed', private: true, type }))
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    module,
    target: 'es2023',
    noEmit: true,
    types: ['node']
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  writeFileSync(path.join(folder, 'program.ts'), program)
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [0, ''])
}

/** @param {string} pkgDir  Folder of an installed package. */
export async function assertPublishable (pkgDir) {
  const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true })
  assert.deepEqual(messages.map(message => formatMessage(message, /** @type {any} */ (pkg))), [])
}
