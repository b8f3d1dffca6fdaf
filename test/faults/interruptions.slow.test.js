/** Ctrl-C in a terminal, and faults of timerq itself. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { IN_HEAT, kill, LONG_RUN, MICRO_RUN, skip, WatchedRun } from './watched-run.js'

const hold = { at: IN_HEAT, after: 1 }

test('Ctrl-C twice ends a run at once', async t => {
  const run = new WatchedRun(t, LONG_RUN, { hold })
  // Two of one kind that come at the same time are one.
  await run.whileHeld(() => ['SIGINT', 'SIGTERM'].forEach(signal => kill(run.pid, signal)))
  await run.ends(130)
})

test('Ctrl-C reaches all processes of a terminal: the heat that it ends is measured again', { skip }, async t => {
  const run = new WatchedRun(t, LONG_RUN, { hold })
  await run.whileHeld(child => {
    const all = run.processes().map(({ pid }) => pid)
    assert.ok(all.includes(child))
    for (const pid of all) kill(pid, 'SIGINT')
  })
  await run.ends(130)
  const kept = run.samples()
  assert.ok(kept.length > 0)
  assert.ok(
    kept.every(({ failure }) => failure === undefined),
    JSON.stringify(kept.map(({ failure }) => failure))
  )
})

for (const [what, fault] of [
  ['an exception', 'throw new TypeError("out of the blue")'],
  ['a rejected promise', 'Promise.reject(new TypeError("out of the blue"))']
]) {
  test(`${what} outside of every command is a crash of timerq in one line, never a regression`, async t => {
    const folder = temporaryFolder(t)
    const preload = path.join(folder, 'fault.mjs')
    writeFileSync(
      preload,
      `const wait = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0) return
      clearInterval(wait)
      ${fault}
    }, 1)`
    )
    const options = { env: { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` } }
    const run = new WatchedRun(t, MICRO_RUN, options)
    assert.equal(await run.end(), 4)
    assert.equal(
      run.stderr,
      'timerq: this is a bug in timerq, please report it: out of the blue (--verbose shows where)\n'
    )
  })
}
