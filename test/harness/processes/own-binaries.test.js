/** Copies of a binary, from which each process of a heat draws. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { copyBinary } from '../../../harness/processes/own-binaries.js'
import { temporaryFolder } from '../temporary-folder.js'

test('copies run, on paths of one length', async t => {
  const folder = temporaryFolder(t)
  const script = path.join(folder, 'a-long-name.exe')
  writeFileSync(script, '#!/bin/sh\necho "$0"\n')
  chmodSync(script, 0o755)
  const copies = await copyBinary(script, path.join(folder, 'new', 'copies'), 'base')
  assert.deepEqual(copies.map(copy => execFileSync(copy, { encoding: 'utf8' }).trim()), copies)
  assert.equal(new Set(copies).size, 4)
  assert.deepEqual([...new Set(copies.map(({ length }) => length))], [copies[0].length])
  assert.ok(copies.every(copy => copy.endsWith('.exe')))
})

test('a binary that cannot be copied is named', async t => {
  const missing = copyBinary('/no/node', path.join(temporaryFolder(t), 'copies'), 'base')
  await assert.rejects(missing, /^Error: a copy of \/no\/node could not be made: cp .*\/no\/node/)
})
