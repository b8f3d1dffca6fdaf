/** Folders that are made, and folders that cannot be. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../../harness/store/make-folder.js'
import { skipUnless } from '../../needs.js'
import { temporaryFolder } from '../temporary-folder.js'

const MODULE = new URL('../../../harness/store/make-folder.js', import.meta.url).href
/** Where it hangs it also takes no signal but this one. */
const HANGS = { timeout: 60_000, killSignal: /** @type {const} */ ('SIGKILL') }

test('a folder is made with all that it lies in; one that is there stays, also behind a link', t => {
  const root = temporaryFolder(t)
  const deep = path.join(root, 'a/b/c/')
  makeFolder(deep)
  assert.ok(statSync(deep).isDirectory())
  writeFileSync(path.join(deep, 'kept'), '')
  symlinkSync(deep, path.join(root, 'link'))
  for (const folder of [deep, path.join(root, 'link'), '/', '.']) makeFolder(folder)
  assert.ok(existsSync(path.join(deep, 'kept')))
})

test('a folder below a file, in place of one, or behind a link that leads nowhere is refused', t => {
  const root = temporaryFolder(t)
  writeFileSync(path.join(root, 'file'), '')
  symlinkSync(path.join(root, 'nowhere'), path.join(root, 'link'))
  assert.throws(() => makeFolder(path.join(root, 'file')), { code: 'EEXIST' })
  assert.throws(() => makeFolder(path.join(root, 'file/a/b')), { code: 'ENOTDIR', syscall: 'mkdir' })
  assert.throws(() => makeFolder(path.join(root, 'link')), { code: 'EEXIST' })
  mkdirSync(path.join(root, 'a'))
  makeFolder(path.join(root, 'a/../b'))
  assert.ok(existsSync(path.join(root, 'b')))
})

test(
  'where the system makes no folders the attempt ends',
  { skip: skipUnless(process.platform === 'linux', 'needs Linux') },
  () => {
    const attempt = `
      import { makeFolder } from ${JSON.stringify(MODULE)}
      try {
        makeFolder('/proc/timerq/deep')
      } catch ({ code }) {
        console.log(code)
      }`
    const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', attempt], {
      ...HANGS,
      encoding: 'utf8'
    })
    assert.deepEqual([signal, stdout], [null, 'ENOENT\n'])
  }
)
