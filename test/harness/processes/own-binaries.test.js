/** Each process of a heat of two binaries runs a separate copy of its binary, which is gone afterwards. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withOwnBinaries } from '../../../harness/processes/own-binaries.js'
import { temporaryFolder } from '../temporary-folder.js'

const RUNTIME = { name: 'node', path: process.execPath, flags: [] }

/** @param {string} folder */
function scriptIn (folder) {
  const script = path.join(folder, 'a-long-name.exe')
  writeFileSync(script, '#!/bin/sh\necho "$0"\n')
  chmodSync(script, 0o755)
  return { ...RUNTIME, path: script }
}

test('each process has a copy of its binary, on a path as long as the others, until the work is done', async t => {
  const folder = temporaryFolder(t)
  const script = scriptIn(folder)
  const copies = await withOwnBinaries([script, script, script], path.join(folder, 'new', 'copies'), async own => {
    assert.deepEqual(
      own.map(({ path: copy }) => execFileSync(copy, { encoding: 'utf8' }).trim()),
      own.map(({ path }) => path)
    )
    return own.map(({ path }) => path)
  })
  assert.equal(new Set(copies).size, 3)
  assert.deepEqual([...new Set(copies.map(({ length }) => length))], [copies[0].length])
  assert.ok(copies.every(copy => copy.endsWith('.exe') && !existsSync(copy)))
})

test('copies are gone after work that failed', async t => {
  const folder = temporaryFolder(t)
  const failing = withOwnBinaries([scriptIn(folder)], path.join(folder, 'copies'), () =>
    Promise.reject(new Error('no'))
  )
  await assert.rejects(failing, /^Error: no$/)
  assert.deepEqual(readdirSync(path.join(folder, 'copies')), [])
})

test('copies are gone after a kill -9', async t => {
  const folder = temporaryFolder(t)
  const copies = path.join(folder, 'copies')
  const module = new URL('../../../harness/processes/own-binaries.js', import.meta.url).href
  const code = `import { withOwnBinaries } from '${module}'
    await withOwnBinaries([${JSON.stringify(scriptIn(folder))}], ${JSON.stringify(copies)}, () => {
      console.log('copied')
      return new Promise(() => setInterval(() => {}, 1000))
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(child.stdout, 'data')
  assert.equal(readdirSync(copies).length, 1)
  child.kill('SIGKILL')
  while (readdirSync(copies).length > 0) await sleep(20)
})

test('a binary that cannot be copied is named', async t => {
  const copies = path.join(temporaryFolder(t), 'copies')
  const missing = withOwnBinaries([{ ...RUNTIME, path: '/no/node' }], copies, async () => {})
  await assert.rejects(missing, /^Error: a copy of \/no\/node could not be made: cp .*\/no\/node/)
})
