/** `timerq recommend` from a recorded trace to its ranking. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { kill, MEASURING, WatchedRun } from '../faults/watched-run.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq, words } from './timerq.js'

const TRACE = fileURLToPath(new URL('../fixtures/traces/fastify-app.trace', import.meta.url))
test('Ctrl-C ranks what there is, and the rest can be measured later', async t => {
  const run = new WatchedRun(
    t,
    words`recommend --trace ${TRACE} --queue binary-heap --rounds 3 --seed 1 --json`,
    { hold: { at: MEASURING, after: 2 } }
  )
  await run.whileHeld(() => kill(run.pid, 'SIGINT'))
  assert.equal(await run.end(), 130, run.stderr)
  const partial = JSON.parse(run.stdout)
  assert.equal(partial.ranking.length, 2)
  assert.ok(run.stderr.endsWith(`continue with: timerq recommend --resume results ${TRACE}\n`), run.stderr)

  const resumed = await timerq(words`recommend ${TRACE} --resume results --json`, { cwd: run.folder })
  assert.equal(resumed.code, 0, resumed.stderr)
  const { rounds, trace, ranking } = resumed.json
  assert.deepEqual(rounds, { taken: 3, planned: 3 })
  assert.equal(ranking.length, 2)
  assert.equal(path.resolve(run.folder, trace.file), TRACE)
})

test('a budget ends the ranking, which says that it was cut short', async t => {
  const cwd = temporaryFolder(t)
  // What passes before the command begins belongs to its budget, and costs no CPU time.
  const preload = path.join(cwd, 'wait.mjs')
  writeFileSync(
    preload,
    "if (process.argv[1].endsWith('timerq.js')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000)\n"
  )
  // No machine takes so many rounds in that time.
  const ended = await timerq(
    words`recommend --trace ${TRACE} --queue binary-heap --budget 10s --rounds 10000 --json`,
    { cwd, env: { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` } }
  )
  const { code, stderr } = ended
  assert.ok(code === 0 || (code === 4 && /budget (was spent|of 10 s was used up)/.test(stderr)), `${code}: ${stderr}`)
  if (code === 0) assert.ok(ended.json.rounds.planned > ended.json.rounds.taken)
})
