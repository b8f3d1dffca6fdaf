/** Users' programs with a hook: how they are ended, and where the permission model keeps the hook out. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runHooked } from '../../../harness/processes/hooked.js'
import { placeInTree } from '../../../harness/processes/proc-stat.js'
import { skipUnless } from '../../needs.js'
import { temporaryFolder } from '../temporary-folder.js'

const skip = skipUnless(process.platform === 'linux', 'needs Linux')
const skipSignals = skipUnless(process.platform !== 'win32', 'needs signals')

const hook = new URL('../../../harness/trace/subject/hook.js', import.meta.url)

/**
 * @param {import('node:test').TestContext} t
 * @param {string} source
 * @param {{seconds?: number, isAsked?: boolean, onPresent?: () => void}} options  `onPresent` is called while two
 *   processes are there.
 */
async function run (t, source, { seconds, isAsked, onPresent = () => {} }) {
  const folder = temporaryFolder(t)
  const present = path.join(folder, 'present')
  const looking = setInterval(() => {
    if (existsSync(present) && readFileSync(present, 'utf8').split('\n').length > 2) onPresent()
  }, 100)
  t.after(() => clearInterval(looking))
  const env = { TIMERQ_TRACE: path.join(folder, 'trace') }
  const command = [process.execPath, '--eval', source]
  return runHooked(command, { hook, env, present, seconds, isAsked, stdout: 2, onStart () {} })
}

test('a program that does not return to its event loop is ended when its time is up', async t => {
  const { code, isOver, attended } = await run(t, 'for (;;);', { seconds: 0.1 })
  assert.deepEqual([code, isOver, attended.hooked.map(({ hasEnded }) => hasEnded)], [137, true, [false]])
})

test('a second signal does not end a program before the hook has written', { skip: skipSignals }, async t => {
  const written = path.join(temporaryFolder(t), 'written')
  const presence = new URL('../../../harness/subject/program/presence.js', import.meta.url).href
  const source = `import { writeFileSync } from 'node:fs'
    import { stayToTheEnd } from '${presence}'
    stayToTheEnd(() => {
      process.kill(process.pid, 'SIGTERM')
      writeFileSync(${JSON.stringify(written)}, '')
    })
    setInterval(() => process.kill(process.pid, 'SIGTERM'), 10)`
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', source])
  assert.deepEqual([signal, existsSync(written)], ['SIGTERM', true])
})

test('Ctrl-C ends all that a program has started', async t => {
  const source = `const { spawn } = require('node:child_process')
    process.on('SIGINT', () => {})
    spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })`
  const { code, isOver, attended } = await run(t, source, { onPresent: () => process.emit('SIGINT', 'SIGINT') })
  assert.deepEqual([code, isOver, attended.hooked.map(({ hasEnded }) => hasEnded)], [0, false, [true, true]])
  // A process that has ended stays as a zombie where the first process of the system does not look after it.
  assert.ok(attended.hooked.every(({ pid }) => (placeInTree(pid)?.state ?? 'Z') === 'Z'))
})

test('a process that has left its group is named where the program ends, and ended', { skip }, async t => {
  const source = `const { spawn } = require('node:child_process')
    spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).unref()
    const present = () => require('node:fs').readFileSync(process.env.TIMERQ_PRESENT, 'utf8').split('\\n')
    const waiting = setInterval(() => present().length > 2 && clearInterval(waiting), 10)`
  const { code, stray, attended } = await run(t, source, {})
  assert.deepEqual([code, attended.hooked.length], [0, 2])
  assert.match(stray ?? '', /^it started pid \d+, which goes on: start that one \(\S+ --eval /)
  assert.ok(attended.hooked.every(({ pid }) => (placeInTree(pid)?.state ?? 'Z') === 'Z'))
})

test('where there are no signals, all processes of a program are asked to end over a channel', async t => {
  const source = `const { spawn } = require('node:child_process')
    process.on('SIGTERM', () => setTimeout(() => process.exit(3), 10))
    spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    setInterval(() => {}, 1000)`
  const { code, isOver, attended } = await run(t, source, { seconds: 2, isAsked: true })
  assert.deepEqual([code, isOver, attended.hooked.map(({ hasEnded }) => hasEnded)], [3, true, [true, true]])
})
