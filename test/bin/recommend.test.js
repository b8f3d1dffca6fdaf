import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CANCEL, START, TraceWriter } from '../../harness/record/trace-format.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { TIMERQ, timerq, timerqHere } from './timerq.js'

const TRACE = fileURLToPath(new URL('../fixtures/traces/fastify-app.trace', import.meta.url))

test("queues are ranked for a trace against Node's own timers, and a program that hardly uses timers is advised to keep them", async t => {
  const { code, stdout, stderr } = await timerq(
    ['recommend', '--trace', TRACE, '--queue', 'sorted-list,binary-heap', '--rounds', '2', '--seed', '1', '--out', 'results', '--json'],
    { cwd: temporaryFolder(t) })
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
})

test('as text it says what to do first, and shows the evidence', async t => {
  for (const format of ['terminal', 'markdown']) {
    const { code, stdout, stderr } = await timerq(
      ['recommend', '--trace', TRACE, '--queue', 'binary-heap', '--rounds', '1', '--format', format], { cwd: temporaryFolder(t) })
    assert.equal(code, 0, stderr)
    assert.match(stdout.replaceAll(/\s+/g, ' '), /Not worth changing: (it would save (\\?<)?[\d.]+ % of one core; below 1 % nobody changes|no queue is faster than duration-lists)\./)
    assert.match(stdout, /binary-heap .*\d/)
    assert.match(stdout, /at most \d+ timers pending/)
  }
})

test('Ctrl-C ranks what there is, and the rest can be measured later', async t => {
  const cwd = temporaryFolder(t)
  const child = spawn(process.execPath, [TIMERQ, 'recommend', '--trace', TRACE, '--queue', 'binary-heap', '--rounds', '3', '--seed', '1', '--out', 'results', '--json'], { cwd })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => { stdout += text })
  child.stderr.setEncoding('utf8').on('data', text => { stderr += text })
  const samples = path.join(cwd, 'results/samples.jsonl')
  while (!existsSync(samples) || readFileSync(samples, 'utf8').trim().split('\n').length < 2) await setTimeout(10)
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  assert.equal(code, 130, stderr)
  const partial = JSON.parse(stdout)
  assert.equal(partial.ranking.length, 2)
  assert.match(stderr, /continue with: timerq recommend --resume results\n$/)

  const resumed = await timerq(['recommend', '--resume', 'results', '--json'], { cwd })
  assert.equal(resumed.code, 0, resumed.stderr)
  const { rounds, trace, ranking } = JSON.parse(resumed.stdout)
  assert.deepEqual(rounds, { taken: 3, planned: 3 })
  assert.equal(ranking.length, 2)
  assert.equal(path.resolve(cwd, trace.file), TRACE)
})

test('a budget ends the ranking, which says that it was cut short', async t => {
  const { code, stdout, stderr } = await timerq(['recommend', '--trace', TRACE, '--queue', 'binary-heap', '--budget', '10s', '--json'], { cwd: temporaryFolder(t) })
  assert.ok(code === 0 || (code === 4 && /budget (was spent|of 10 s was used up)/.test(stderr)), `${code}: ${stderr}`)
  if (code === 0) assert.ok(JSON.parse(stdout).rounds.planned > JSON.parse(stdout).rounds.taken)
})

for (const [title, args, message] of /** @type {[string, string[], RegExp][]} */ ([
  ['a missing --trace', [], /^timerq: recommend needs --trace: .*\n$/],
  ['a trace that is not there', ['--trace', 'nowhere.trace'], /^timerq: nowhere\.trace cannot be read: .*\n$/],
  ['a file that is not a trace', ['--trace', 'text.trace'], /^timerq: text\.trace is not a trace: .*\n$/],
  ['a trace without a start', ['--trace', 'idle.trace'], /^timerq: idle\.trace starts no timer: .*\n$/],
  ['a queue that is not there', ['--trace', 'one.trace', '--queue', 'binary-heep'], /^timerq: .*binary-heep.*binary-heap.*\n$/],
  ['a resumed ranking of something else', ['--resume', 'nowhere', '--rounds', '9'], /^timerq: --resume continues as planned: it takes no --rounds\n$/],
  ['a budget that is no time', ['--trace', 'one.trace', '--budget', 'soon'], /^timerq: --budget must be a time, got "soon" .*\n$/],
  ['no rounds', ['--trace', 'one.trace', '--rounds', '0'], /^timerq: --rounds must be an integer from 1 to 10000.*\n$/],
  ['nothing beside what Node does', ['--trace', 'one.trace', '--queue', 'duration-lists'], /^timerq: recommend compares .*\n$/],
  ['a queue that only a server can measure', ['--trace', 'one.trace', '--queue', 'node'], /^timerq: .*\n$/]
])) {
  test(`${title} is a usage error`, async t => {
    const folder = temporaryFolder(t)
    writeFileSync(path.join(folder, 'text.trace'), 'hello\n')
    const idle = new TraceWriter(path.join(folder, 'idle.trace'), 0)
    idle.write(CANCEL, 0, 0)
    idle.flush()
    const writer = new TraceWriter(path.join(folder, 'one.trace'), 0)
    writer.write(START, 0, 0, 1000)
    writer.flush()
    const { code, stdout, stderr } = await timerqHere(['recommend', ...args], { cwd: folder })
    assert.equal(code, 2, stderr)
    assert.equal(stdout, '')
    assert.match(stderr, message)
  })
}
