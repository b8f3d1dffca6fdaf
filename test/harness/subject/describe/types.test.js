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

test('the esbuild of a package of the project takes types out; without one, and where it cannot, texts stay', t => {
  const root = temporaryFolder(t)
  const texts = ['const a: number = 1\n', 'const a: = 1\n']
  const left = () => withoutTypes({ root, texts }).texts.map(text => text.replace(/\s+|;/g, ''))
  if (!canStrip) assert.deepEqual(withoutTypes({ root, texts }), { texts })
  const vite = path.join(root, 'node_modules/vite')
  mkdirSync(path.join(vite, 'node_modules'), { recursive: true })
  writeFileSync(path.join(vite, 'package.json'), '{ "main": "./index.js" }')
  writeFileSync(path.join(vite, 'index.js'), '')
  symlinkSync(ESBUILD, path.join(vite, 'node_modules/esbuild'), 'junction')
  assert.deepEqual(left(), ['consta=1', 'consta:=1'])
})
