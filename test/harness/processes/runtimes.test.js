/** Binaries of Node, and what is none. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { resolveRuntime } from '../../../harness/processes/runtimes.js'
import { temporaryFolder } from '../temporary-folder.js'

/**
 * A program that prints this, whatever it is asked.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} text
 */
function printing (t, text) {
  const file = path.join(temporaryFolder(t), 'program')
  writeFileSync(file, `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`, { mode: 0o755 })
  return file
}

test('a runtime is named by its version and flags', async t => {
  const { version, execPath } = process
  assert.deepEqual(await resolveRuntime(execPath, ['--stack-size=900']), {
    name: `${version} --stack-size=900`,
    path: execPath,
    flags: ['--stack-size=900']
  })
  assert.equal((await resolveRuntime(version.slice(1), [])).path, execPath)
  for (const printed of ['v20.19.0', 'v24.1.0-nightly2026', 'v100.0.0']) {
    assert.equal((await resolveRuntime(printing(t, printed), [])).name, printed)
  }
})

test('a program that is not Node is no runtime', async t => {
  for (const [printed, shown] of [
    ['ls (GNU coreutils) 9.1\nCopyright', 'ls (GNU coreutils) 9.1'],
    ['', ''],
    ['v1.2', 'v1.2'],
    ['v22.1.0\nmore', 'v22.1.0']
  ]) {
    const file = printing(t, printed)
    await assert.rejects(resolveRuntime(file, []), {
      exitCode: 2,
      message: `--runtime ${file}: not a Node binary (--version printed "${shown}")`
    })
  }
})

test('a Node older than timerq needs is no runtime', async t => {
  for (const printed of ['v18.20.8', 'v20.9.0', 'v20.18.3']) {
    const file = printing(t, printed)
    await assert.rejects(resolveRuntime(file, []), {
      exitCode: 2,
      message: `--runtime ${file}: Node ${printed} is too old, timerq measures Node 20.19.0 and newer`
    })
  }
})

test('a cache that cannot be made is reported in one line', async t => {
  const file = printing(t, '')
  const { XDG_CACHE_HOME: before } = process.env
  process.env.XDG_CACHE_HOME = file
  t.after(() => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME
    else process.env.XDG_CACHE_HOME = before
  })
  await assert.rejects(resolveRuntime('19.9.9', []), {
    exitCode: 2,
    message: new RegExp(`^--runtime 19\\.9\\.9: cannot create ${path.join(file, 'timerq/node-19.9.9')}: ENOTDIR: `)
  })
})
