import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { kill, MEASURING, WatchedRun } from '../faults/watched-run.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq, timerqHere } from './timerq.js'

const TRACE = fileURLToPath(new URL('../fixtures/traces/fastify-app.trace', import.meta.url))

test("queues are ranked for a trace against Node's own timers, and a program that hardly uses timers is advised to keep them; as text it says that first, and shows the evidence", async t => {
  const cwd = temporaryFolder(t)
  const { code, stdout, stderr } = await timerq(
    ['recommend', '--trace', TRACE, '--queue', 'sorted-list,binary-heap', '--rounds', '2', '--seed', '1', '--out', 'results', '--json'], { cwd })
  assert.equal(code, 0, stderr)
  const { format, verdict, best, stand, trace, ranking } = JSON.parse(stdout)
  assert.equal(format, 'timerq-recommendation/1')
  assert.deepEqual([verdict, best, stand], ['keep', null, 'duration-lists'])
  assert.equal(trace.operations, trace.starts + trace.refreshes + trace.cancels + trace.fires)
  const ranked = ranking.map((/** @type {any} */ { queue }) => queue)
  assert.deepEqual(ranked.toSorted(), ['binary-heap', 'duration-lists', 'sorted-list'])
  for (const { queue, nsPerOp, workPerOp, coreShare, comparison } of ranking) {
    assert.ok(nsPerOp.median > 0 && workPerOp > 0 && coreShare > 0, queue)
    assert.equal(comparison === null, queue === stand)
  }

  for (const format of ['terminal', 'markdown']) {
    const text = await timerqHere(['recommend', '--resume', 'results', '--format', format], { cwd })
    assert.equal(text.code, 0, text.stderr)
    assert.match(text.stdout.replaceAll(/\s+/g, ' '), /Not worth changing: (it would save (\\?<)?[\d.]+ % of one core; below 1 % nobody changes|no queue is faster than duration-lists)\./)
    assert.match(text.stdout, /binary-heap .*\d/)
    assert.match(text.stdout, /at most \d+ timers pending/)
  }
})

test('Ctrl-C ranks what there is, and the rest can be measured later', async t => {
  const run = new WatchedRun(t, ['recommend', '--trace', TRACE, '--queue', 'binary-heap', '--rounds', '3', '--seed', '1', '--json'], { hold: { at: MEASURING, after: 2 } })
  await run.held()
  kill(run.pid, 'SIGINT')
  run.release()
  assert.equal(await run.end(), 130, run.stderr)
  const partial = JSON.parse(run.stdout)
  assert.equal(partial.ranking.length, 2)
  assert.match(run.stderr, /continue with: timerq recommend --resume results\n$/)

  const resumed = await timerq(['recommend', '--resume', 'results', '--json'], { cwd: run.folder })
  assert.equal(resumed.code, 0, resumed.stderr)
  const { rounds, trace, ranking } = JSON.parse(resumed.stdout)
  assert.deepEqual(rounds, { taken: 3, planned: 3 })
  assert.equal(ranking.length, 2)
  assert.equal(path.resolve(run.folder, trace.file), TRACE)
})

test('a budget ends the ranking, which says that it was cut short', async t => {
  const cwd = temporaryFolder(t)
  // What passes before the command begins belongs to its budget, and costs no CPU time.
  const preload = path.join(cwd, 'wait.mjs')
  writeFileSync(preload, "if (process.argv[1].endsWith('timerq.js')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000)\n")
  // No machine takes so many rounds in that time.
  const { code, stdout, stderr } = await timerq(['recommend', '--trace', TRACE, '--queue', 'binary-heap', '--budget', '10s', '--rounds', '10000', '--json'],
    { cwd, env: { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` } })
  assert.ok(code === 0 || (code === 4 && /budget (was spent|of 10 s was used up)/.test(stderr)), `${code}: ${stderr}`)
  if (code === 0) assert.ok(JSON.parse(stdout).rounds.planned > JSON.parse(stdout).rounds.taken)
})
