import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Child } from '../../harness/child.js'
import { temporaryFolder } from './temporary-folder.js'

const runtime = { name: process.version, path: process.execPath, flags: [] }

test('a module in a folder of any name is run', async t => {
  const folder = path.join(temporaryFolder(t), 'a b ü %')
  mkdirSync(folder)
  const entry = path.join(folder, 'echo.mjs')
  writeFileSync(entry, "process.on('message', message => process.send(message))")
  const child = new Child(pathToFileURL(entry), { runtime })
  assert.deepEqual(await child.ask({ type: 'echo' }, 10_000), { type: 'echo' })
  await child.end()
})
