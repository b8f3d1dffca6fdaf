/** Types are taken out by what is there: Node, or an esbuild that another package of the project has brought. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withoutTypes } from '../../../../harness/subject/describe/types.js'
import { temporaryFolder } from '../../temporary-folder.js'

const ESBUILD = fileURLToPath(new URL('../../../../node_modules/esbuild', import.meta.url))
const canStrip = 'stripTypeScriptTypes' in process.getBuiltinModule('node:module')

const TEXTS = ['const a: number = 1\n', 'const a: = 1\n']

/** @type {(t: import('node:test').TestContext, hasEsbuild: boolean) => string[]} */
function stripped (t, hasEsbuild) {
  const root = temporaryFolder(t)
  const vite = path.join(root, 'node_modules/vite')
  mkdirSync(path.join(vite, 'node_modules'), { recursive: true })
  writeFileSync(path.join(vite, 'package.json'), '{ "main": "./index.js" }')
  writeFileSync(path.join(vite, 'index.js'), '')
  if (hasEsbuild) symlinkSync(ESBUILD, path.join(vite, 'node_modules/esbuild'), 'junction')
  return withoutTypes({ root, texts: TEXTS }).texts.map(text => text.replace(/\s+|;/g, ''))
}

test('the esbuild of a package of the project takes types out; where it cannot, the text stays', t => {
  assert.deepEqual(stripped(t, true), ['consta=1', 'consta:=1'])
})

test('without an esbuild, texts stay as they are, but where Node takes types out', t => {
  assert.deepEqual(stripped(t, false), [canStrip ? 'consta=1' : 'consta:number=1', 'consta:=1'])
})
