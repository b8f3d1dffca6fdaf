/** Packs a package and installs it without the network. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const { files, version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
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
 * Packs a copy, since packing writes files that other tests would see.
 *
 * @param {string} folder
 * @returns {string} the tarball, in the folder
 */
export function pack (folder) {
  const copy = path.join(folder, 'copy')
  for (const name of SOURCES) cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--pack-destination', folder], {
    cwd: copy,
    encoding: 'utf8'
  })
  assert.equal(status, 0, stdout + stderr)
  assert.deepEqual(
    readdirSync(copy).filter(name => !SOURCES.includes(name)),
    ['node_modules'],
    'packing leaves nothing behind'
  )
  return path.join(folder, `timerq-${version}.tgz`)
}
