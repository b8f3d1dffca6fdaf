/** What differs by operating system, as far as Linux can run it. test/systems has the real Node for Windows. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { endTree } from '../../../harness/processes/end-tree.windows.js'
import { endProcess, startProcess } from '../../../harness/processes/processes.js'
import { startable } from '../../../harness/processes/start.windows.js'
import { temporaryFolder } from '../temporary-folder.js'

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} variables
 */
function setVariables (t, variables) {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  t.after(() => {
    for (const name of Object.keys(variables)) {
      if (name in before) process.env[name] = before[name]
      else delete process.env[name]
    }
  })
}

test('a process that stays although it was killed is an error with its number, and no wait without end', async () => {
  const undead = Object.assign(new EventEmitter(), { pid: 2 ** 30, exitCode: null, signalCode: null })
  await assert.rejects(endProcess(/** @type {any} */ (undead), 10), {
    exitCode: 4,
    message: `process ${2 ** 30} was killed and is still there after 0.01 s: end it by hand`
  })
})

for (const { title, code } of [
  { title: 'taskkill ends a process of Windows and all that it has started', code: 0 },
  { title: 'where taskkill fails, the process itself is ended', code: 128 }
]) {
  test(title, async t => {
    const folder = temporaryFolder(t)
    const said = path.join(folder, 'said')
    mkdirSync(path.join(folder, 'System32'))
    const taskkill = path.join(folder, 'System32', 'taskkill.exe')
    const script = `#!/bin/sh\necho "$@" > '${said}'\n${code === 0 ? 'kill -9 $2' : `exit ${code}`}\n`
    writeFileSync(taskkill, script, { mode: 0o755 })
    setVariables(t, { SystemRoot: folder })
    const child = startProcess([process.execPath, '-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    const gone = once(child, 'exit')
    await endTree(Number(child.pid))
    assert.deepEqual(await gone, [null, 'SIGKILL'])
    assert.equal(readFileSync(said, 'utf8'), `/PID ${child.pid} /T /F\n`)
  })
}

test('Windows starts a program as it is, and a batch file by cmd.exe, which obeys nothing in its arguments', t => {
  const folder = temporaryFolder(t)
  setVariables(t, { PATH: folder, PATHEXT: '.COM;.EXE;.BAT;.CMD', ComSpec: 'C:\\cmd.exe' })
  // npm is a script for a POSIX shell, next to its batch file.
  for (const name of ['node.exe', 'npm', 'npm.cmd', 'both.exe', 'both.cmd']) writeFileSync(path.join(folder, name), '')
  for (const program of ['node', 'both', 'nothing', path.join(folder, 'node.exe')]) {
    assert.deepEqual(startable([program, 'a b']), { words: [program, 'a b'], options: {} })
  }
  const { words, options } = startable(['npm', 'run', 'a b', '%PATH%', 'x" & calc', 'C:\\'])
  assert.deepEqual(options, { windowsVerbatimArguments: true })
  assert.deepEqual(words.slice(0, 4), ['C:\\cmd.exe', '/d', '/s', '/c'])
  const line = '"run" "a b" ^"^%PATH^%^" ^"x\\^"^ ^&^ calc^" "C:\\\\"'
  assert.equal(words[4], `""${path.join(folder, 'npm.cmd')}" ${line}"`)
  assert.equal(startable(['./npm'], folder).words[0], 'C:\\cmd.exe')
})

test('a CPU clock that moves like that of Windows is seen, and the wall clock tells the time without waiting', t => {
  const urlOf = (/** @type {string} */ file) => new URL(`../../../${file}`, import.meta.url).href
  const source = `
    import { cpuMs, isCoarse } from ${JSON.stringify(urlOf('harness/processes/clock.js'))}
    const start = cpuMs()
    const now = () => performance.now()
    for (const end = now() + 20; now() < end;);
    const worked = cpuMs() - start
    await new Promise(resolve => setTimeout(resolve, 300))
    process.stdout.write(JSON.stringify({ isCoarse, worked, all: cpuMs() - start }))`
  const program = ['--input-type=module', '--eval', source]
  const measure = (/** @type {string[]} */ ...flags) =>
    JSON.parse(execFileSync(process.execPath, [...flags, ...program], { encoding: 'utf8' }))
  assert.equal(measure().isCoarse, false)
  const { isCoarse, worked, all } = measure('--import', urlOf('test/systems/coarse-clock.mjs'))
  assert.equal(isCoarse, true)
  assert.ok(worked >= 20 && all >= worked, `${worked} and ${all} ms`)
  // Much of the wait on a busy machine may look like work, but hardly all of it.
  assert.ok(all - worked < 290, `${all - worked} ms of a wait of 300 ms`)
})
