import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { lockResults, unlockResults } from '../../../harness/store/lock.js'
import { startedAt } from '../../../harness/processes/proc-stat.js'
import { skipUnless } from '../../needs.js'
import { temporaryFolder } from '../temporary-folder.js'

const LOCK = new URL('../../../harness/store/lock.js', import.meta.url).href

/**
 * Another process that locks a directory, says how that went, and lives on until it is killed.
 *
 * @param {string} directory
 * @param {import('node:test').TestContext} t
 */
async function lockElsewhere (directory, t) {
  const code = `
    const { lockResults } = await import(${JSON.stringify(LOCK)})
    try { console.log('dead ' + JSON.stringify(lockResults(${JSON.stringify(directory)}))) } catch (error) { console.log(error.message) }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { said: said.trim(), child }
}

const locksIn = (/** @type {string} */ directory) => readdirSync(directory).filter(name => name.startsWith('.running-'))

test('a directory that another process has locked is refused in one line that names the process', async t => {
  const directory = temporaryFolder(t)
  const { said, child } = await lockElsewhere(directory, t)
  assert.equal(said, 'dead null')
  assert.throws(() => lockResults(directory), error => {
    const { exitCode, message } = /** @type {any} */ (error)
    assert.equal(exitCode, 2)
    assert.match(message, new RegExp(`being written by process ${child.pid} since \\S+: wait until it ends, .*remove .*\\.running-1\\)$`))
    return true
  })
  assert.deepEqual(locksIn(directory), ['.running-1'])
})

test('the lock of a process that was killed is taken over, and the process named', async t => {
  const directory = temporaryFolder(t)
  const { child } = await lockElsewhere(directory, t)
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(lockResults(directory)?.pid, child.pid)
  assert.deepEqual(locksIn(directory), ['.running-2'])
  assert.equal(lockResults(directory), null, 'whoever has it may ask again')
  unlockResults(directory)
  assert.deepEqual(locksIn(directory), [])
})

test('of several processes that find a dead lock at the same time, one takes it over', async t => {
  const directory = temporaryFolder(t)
  leaveLock(directory, { pid: 2 ** 30 })
  const all = await Promise.all(Array.from({ length: 5 }, () => lockElsewhere(directory, t)))
  const winners = all.filter(({ said }) => said.startsWith('dead {'))
  assert.equal(winners.length, 1, all.map(({ said }) => said).join('\n'))
  assert.equal(all.filter(({ said }) => said.includes(`being written by process ${winners[0].child.pid}`)).length, 4)
})

test('a lock goes with its process, and with one that fails', async t => {
  const directory = temporaryFolder(t)
  for (const [end, expected] of [['', 0], ['process.exit(3)', 3], ['throw new Error("lost")', 1]]) {
    const code = `const { lockResults } = await import(${JSON.stringify(LOCK)}); lockResults(${JSON.stringify(directory)}); ${end}`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'ignore', 'pipe'] })
    const [[status]] = await Promise.all([once(child, 'exit'), text(child.stderr)])
    assert.equal(status, expected)
    assert.deepEqual(locksIn(directory), [])
  }
})

test('a process that has the id of a dead one is not taken for it', { skip: skipUnless(startedAt(process.pid) !== null, 'needs /proc (Linux has it)') }, t => {
  const directory = temporaryFolder(t)
  leaveLock(directory, { pid: process.ppid, start: 1 })
  assert.equal(lockResults(directory)?.pid, process.ppid)
})

for (const { what, lock } of [
  { what: 'on another machine', lock: { pid: 2 ** 30, host: 'elsewhere' } },
  { what: 'that is being written', lock: null },
  { what: 'with control characters', lock: { pid: 2 ** 30, since: '\u001b[2J' } }
]) {
  test(`a lock ${what} is left alone, and the error says which file to remove`, t => {
    const directory = temporaryFolder(t)
    leaveLock(directory, lock)
    assert.throws(() => lockResults(directory), error => {
      const { message } = /** @type {Error} */ (error)
      assert.match(message, /being written by (another process|process \d+ on elsewhere since \S+): .*remove .*\.running-1\)$/)
      return /^[ -~]*$/.test(message)
    })
    assert.deepEqual(locksIn(directory), ['.running-1'])
  })
}

/**
 * @param {string} directory
 * @param {object | null} lock  null: an empty file.
 */
function leaveLock (directory, lock) {
  const whole = { pid: 1, start: 1, host: os.hostname(), since: '2026-01-01T00:00:00.000Z', ...lock }
  writeFileSync(path.join(directory, '.running-1'), lock === null ? '' : JSON.stringify(whole))
}
