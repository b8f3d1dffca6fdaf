/** Signals that stop a run, two runs on one directory, and output that nobody reads. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { Console } from '../../bin/console.js'
import { TIMERQ } from '../bin/timerq.js'
import { skipUnless } from '../needs.js'
import { IN_HEAT, kill, LONG_RUN, MEASURING, MICRO_RUN, orphansIn, WatchedRun } from './watched-run.js'

test('a signal stops a run: what is finished is kept, and the way to continue printed', async t => {
  const run = new WatchedRun(t, LONG_RUN, { hold: { at: IN_HEAT, after: 1 } })
  await run.whileHeld(() => kill(run.pid, 'SIGTERM'))
  await run.ends(130, /^timerq: stopped; finished samples are kept; continue with: timerq run --resume results\n$/m)
  const samples = run.samples()
  assert.ok(samples.length > 0)
  assert.ok(
    samples.every(({ failure }) => failure === undefined),
    'what was being measured is not taken for a failure'
  )
})

test('Ctrl-C, a polite kill and a closed terminal stop a command alike, and signals after its end do not', async () => {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const console = new Console({ stdout, stderr }, {})
    const stopped = console.run(async () => {
      const { reason } = await once(console.interruptible(), 'abort').then(([{ target }]) => target)
      throw reason
    })
    process.emit(signal)
    assert.equal(await stopped, 130)
    assert.equal(String(stderr.read()), 'timerq: stopped\n')
    assert.equal(process.listenerCount(signal), 0)
  }
})

test('of two runs on one directory the second is refused', async t => {
  const first = new WatchedRun(t, MICRO_RUN, { hold: { at: MEASURING, after: 1 } })
  await first.held()
  const second = new WatchedRun(t, MICRO_RUN, { folder: first.folder })
  assert.equal(await second.end(), 2)
  assert.match(
    second.stderr,
    new RegExp(`^timerq: results is being written by process ${first.pid}: wait until it ends, .*\\n$`)
  )
  kill(first.pid, 'SIGKILL')
  await first.end()
  assert.deepEqual(await orphansIn(first.folder), [])
})

test('output that nobody reads any more is no error', async () => {
  const { code, stderr } = await shell(`"${process.execPath}" "${TIMERQ}" list --json | head -c 1`)
  assert.deepEqual([code, stderr], [0, ''])
})

test(
  'output that cannot be written is an error in one line',
  { skip: skipUnless(existsSync('/dev/full'), 'needs /dev/full (Linux has it)') },
  async () => {
    const { code, stderr } = await shell(`"${process.execPath}" "${TIMERQ}" list > /dev/full`)
    assert.equal(code, 4)
    assert.match(stderr, /^timerq: cannot write the result: ENOSPC.*\n$/)
  }
)

/**
 * @param {string} command
 * @returns {Promise<{code: number, stderr: string}>}
 */
function shell (command) {
  return new Promise(resolve => {
    execFile('/bin/sh', ['-c', command], (error, _stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stderr })
    )
  })
}
