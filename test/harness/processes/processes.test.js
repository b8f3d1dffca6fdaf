/** Programs that are run to their end, or ended. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '../../../harness/processes/limits.js'
import { runProgram, allOrNone } from '../../../harness/processes/processes.js'
import { temporaryFolder } from '../temporary-folder.js'
import { skipUnless } from '../../needs.js'

const skip = skipUnless(process.platform === 'linux', 'needs Linux')

/**
 * @param {string} source
 * @param {string[]} args
 */
const node = (source, ...args) => [process.execPath, '-e', source, ...args]

test('a program is run to its end, and what it printed is returned', async () => {
  assert.deepEqual(await runProgram(node('console.log(2 + 2)')), {
    ok: true,
    ending: 'ended with exit code 0',
    output: '4\n'
  })
})

test('a program that fails is reported with its exit code and the line that names the error', async () => {
  const { ok, ending } = await runProgram(node('console.error("start\\nError: disk full\\nbye"); process.exitCode = 3'))
  assert.deepEqual([ok, ending], [false, 'ended with exit code 3: Error: disk full'])
})

test('where no line names an error, the last one is shown; a signal is named', async () => {
  const { ending } = await runProgram(
    node('process.stderr.write("one\\ntwo\\n", () => process.kill(process.pid, "SIGTERM"))')
  )
  assert.equal(ending, 'ended with SIGTERM: two')
})

test('a program that is missing could not be started', async () => {
  const { ok, ending } = await runProgram(['/no/such/program'])
  assert.deepEqual([ok, ending], [false, 'could not be started: spawn /no/such/program ENOENT'])
})

test(
  'a process that cannot be started because no more files can be opened ends with one line, as does its reaper',
  { skip },
  () => {
    const urlOf = (/** @type {string} */ name) =>
      JSON.stringify(new URL(`../../../harness/processes/${name}.js`, import.meta.url).href)
    // Leaves from no file to more than the process and its reaper need.
    const source = `
    import { closeSync, openSync } from 'node:fs'
    import { startProcess, supervise, runProgram } from ${urlOf('processes')}
    import { Child } from ${urlOf('child')}
    const files = []
    const useUp = () => { try { for (;;) files.push(openSync('/dev/null')) } catch {} }
    const runtime = { name: 'node', path: process.execPath, flags: [] }
    await import('node:child_process')
    useUp()
    const { ending } = await runProgram(['true'])
    const asked = await new Child(new URL('file:///none.js'), { runtime }).ask({ type: 'any' }, 1000).catch(({ kind, message }) => kind + ': ' + message)
    for (let left = 0; left < 12; left++) {
      for (const file of files.splice(0, left)) closeSync(file)
      await supervise(startProcess(['true'], { stdio: 'ignore' })).ended
      useUp()
    }
    for (const file of files) closeSync(file)
    process.stdout.write(JSON.stringify([ending, asked]))`
    const command = 'ulimit -n 60 && exec "$0" --input-type=module --eval "$1"'
    const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, source], { encoding: 'utf8' })
    assert.equal(stderr, '')
    assert.deepEqual(JSON.parse(stdout), [
      'could not be started: spawn true EMFILE',
      `crash: the process could not be started: spawn ${process.execPath} EMFILE`
    ])
  }
)

test('a program that prints without end is ended', async () => {
  const endless =
    'const more = () => { while (process.stdout.write("x".repeat(65536))); }; process.stdout.on("drain", more); more()'
  const { ok, ending } = await runProgram(node(endless))
  assert.deepEqual([ok, ending], [false, 'was ended: it printed more than 16 MiB'])
})

test('an aborted program has ended before the abort is reported', async t => {
  const folder = temporaryFolder(t)
  const abort = new AbortController()
  const source = `const mark = name => require("fs").writeFileSync(require("path").join(process.argv[1], name), "")
    process.once("SIGTERM", () => setTimeout(() => { mark("ended"); process.exit() }, 300))
    setInterval(() => {}, 1000)
    mark("ready")`
  const running = runProgram(node(source, folder), abort.signal)
  while (!existsSync(path.join(folder, 'ready'))) await sleep(20)
  abort.abort(new Error('enough'))
  await assert.rejects(running, { message: 'enough' })
  assert.ok(existsSync(path.join(folder, 'ended')))
})

test('an aborted program that does not listen is killed', async t => {
  const ready = path.join(temporaryFolder(t), 'ready')
  const abort = new AbortController()
  const source = "process.on('SIGTERM', () => {}); require('fs').writeFileSync(process.argv[1], ''); for (;;);"
  const running = runProgram(node(source, ready), abort.signal)
  while (!existsSync(ready)) await sleep(20)
  abort.abort(new Error('enough'))
  await assert.rejects(running, { message: 'enough' })
})

test('work that takes too long is aborted, and the error names the limit', async () => {
  /** @type {AbortSignal | undefined} */
  let signal
  const work = within(50, 'did not end', over => {
    signal = over
    return sleep(60_000, undefined, { signal: over })
  })
  await assert.rejects(work, { kind: 'time-limit', message: 'did not end within 0.05 s' })
  assert.ok(signal?.aborted)
})

test('functions that run together end together: the first failure stops the rest, and is thrown when all ' +
  'have stopped', async () => {
  assert.deepEqual(await allOrNone([async () => 1, async () => 2]), [1, 2])
  let stopped = false
  const stops = async (/** @type {AbortSignal} */ signal) => {
    await once(signal, 'abort')
    await sleep(1)
    stopped = true
    signal.throwIfAborted()
  }
  await assert.rejects(
    allOrNone([
      stops,
      async () => {
        throw new TypeError('first')
      },
      stops
    ]),
    { name: 'TypeError', message: 'first' }
  )
  assert.ok(stopped)
})

test('functions that run together are stopped from outside, too', async () => {
  const controller = new AbortController()
  const work = async (/** @type {AbortSignal} */ signal) => once(signal, 'abort').then(() => signal.throwIfAborted())
  const all = allOrNone([work, work], controller.signal)
  controller.abort(new RangeError('enough'))
  await assert.rejects(all, { name: 'RangeError', message: 'enough' })
})
