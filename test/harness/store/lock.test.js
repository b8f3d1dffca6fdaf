/** Locks of results directories, and who may take them over. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { lock, unlock } from '../../../harness/store/lock.js'
import { temporaryFolder } from '../temporary-folder.js'

const LOCK = new URL('../../../harness/store/lock.js', import.meta.url).href
const DEAD = 2 ** 30

/**
 * Another process that locks a directory, prints the outcome, and runs until it is killed.
 *
 * @param {string} directory
 * @param {import('node:test').TestContext} t
 */
async function lockElsewhere (directory, t) {
  const code = `
    const { lock } = await import(${JSON.stringify(LOCK)})
    try {
      console.log('killed ' + lock(${JSON.stringify(directory)}))
    } catch (error) {
      console.log(error.message)
    }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.after(() => child.kill('SIGKILL'))
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { said: said.trim(), child }
}

/** @param {string} directory */
const holders = directory =>
  existsSync(path.join(directory, '.running')) ? readdirSync(path.join(directory, '.running')) : null
/** @param {number} pid */
const here = pid => `${pid}@${os.hostname()}`

/**
 * @param {string} directory
 * @param {string} [holder]
 */
function leaveLock (directory, holder) {
  mkdirSync(path.join(directory, '.running'))
  if (holder !== undefined) writeFileSync(path.join(directory, '.running', holder), '')
}

test('a directory that another process has locked is refused in one line that names the process; killed, ' +
  'it gives way', async t => {
  const directory = temporaryFolder(t)
  const { said, child } = await lockElsewhere(directory, t)
  assert.equal(said, 'killed null')
  assert.throws(
    () => lock(directory),
    error => {
      const { exitCode, message } = /** @type {any} */ (error)
      assert.equal(exitCode, 2)
      assert.match(
        message,
        new RegExp(`being written by process ${child.pid}: wait until it ends, .*remove .*\\.running\\)$`)
      )
      return true
    }
  )
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(lock(directory), child.pid)
  assert.deepEqual(holders(directory), [here(process.pid)])
  assert.equal(lock(directory), null, 'the holder may ask again')
  unlock(directory)
  assert.equal(holders(directory), null)
})

test('of several processes that find a dead lock at the same time, one takes it over', async t => {
  const directory = temporaryFolder(t)
  leaveLock(directory, here(DEAD))
  const all = await Promise.all(Array.from({ length: 5 }, () => lockElsewhere(directory, t)))
  const winners = all.filter(({ said }) => said === `killed ${DEAD}`)
  assert.equal(winners.length, 1, all.map(({ said }) => said).join('\n'))
  assert.equal(all.filter(({ said }) => said.includes('being written by ')).length, 4)
})

test('a lock goes with its process, and with one that fails', async t => {
  const directory = temporaryFolder(t)
  for (const [end, expected] of [
    ['', 0],
    ['process.exit(3)', 3],
    ['throw new Error("lost")', 1]
  ]) {
    const code = `
      const { lock } = await import(${JSON.stringify(LOCK)})
      lock(${JSON.stringify(directory)})
      ${end}`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'ignore' })
    const [status] = await once(child, 'exit')
    assert.equal(status, expected)
    assert.equal(holders(directory), null)
  }
})

test('a lock that was removed by hand and taken by another process is left to that process', t => {
  const directory = temporaryFolder(t)
  lock(directory)
  writeFileSync(path.join(directory, '.running', here(process.ppid)), '')
  unlock(directory)
  assert.deepEqual(holders(directory), [here(process.ppid)])
})

test('the lock of a directory that has gone is given back without an error', t => {
  const directory = path.join(temporaryFolder(t), 'gone')
  mkdirSync(directory)
  lock(directory)
  rmSync(directory, { recursive: true })
  unlock(directory)
})

test('a process with the id of a dead holder is not held up by its own lock', t => {
  const directory = temporaryFolder(t)
  leaveLock(directory, here(process.pid))
  assert.equal(lock(directory), process.pid)
})

for (const { what, holder, by } of [
  { what: 'on another machine', holder: `${DEAD}@elsewhere`, by: `process ${DEAD} on elsewhere` },
  { what: 'that is being made', holder: undefined, by: 'another process' },
  { what: 'with an odd name', holder: '\u001b[2J', by: 'another process' }
]) {
  test(`a lock ${what} is left alone, and the error says what to remove`, t => {
    const directory = temporaryFolder(t)
    leaveLock(directory, holder)
    assert.throws(() => lock(directory), {
      exitCode: 2,
      message:
        `${directory} is being written by ${by}: wait until it ends, or choose another with --out ` +
        `(if it has ended, remove ${directory}/.running)`
    })
    assert.deepEqual(holders(directory), holder === undefined ? [] : [holder])
  })
}
