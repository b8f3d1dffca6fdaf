import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { moreRounds } from '../../bin/commands/recommend.js'
import { CANCEL, START, TraceWriter } from '../../harness/trace/trace-format.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerq, timerqHere, words } from './timerq.js'

const TRACE = fileURLToPath(new URL('../fixtures/traces/fastify-app.trace', import.meta.url))

test("queues are ranked for a trace against Node's own timers, and a program that hardly uses timers is advised to keep them; as text it says that first, and shows the evidence", async t => {
  const cwd = temporaryFolder(t)
  const { code, stdout, stderr } = await timerq(
    words`recommend ${TRACE} --queue sorted-list,binary-heap --rounds 2 --seed 1 --out results --json`,
    { cwd }
  )
  assert.equal(code, 0, stderr)
  const { format, verdict, best, control, trace, ranking, answer, seconds } = JSON.parse(stdout)
  assert.match(answer.text, /^Not worth changing: /)
  assert.deepEqual([answer.seconds, answer.next], [seconds, null])
  assert.equal(format, 'timerq-recommendation/1')
  assert.deepEqual([verdict, best, control], ['keep', null, 'duration-lists'])
  assert.equal(trace.operations, trace.starts + trace.refreshes + trace.cancels + trace.fires)
  const ranked = ranking.map((/** @type {any} */ { queue }) => queue)
  assert.deepEqual(ranked.toSorted(), ['binary-heap', 'duration-lists', 'sorted-list'])
  for (const { queue, nsPerOp, workPerOp, coreShare, ratio } of ranking) {
    assert.ok(nsPerOp.median > 0 && workPerOp > 0 && coreShare > 0, queue)
    assert.equal(ratio === null, queue === control)
  }

  for (const format of ['terminal', 'markdown']) {
    const text = await timerqHere(['recommend', TRACE, '--resume', 'results', '--format', format], { cwd })
    assert.equal(text.code, 0, text.stderr)
    assert.match(
      text.stdout.replaceAll(/\s+/g, ' '),
      /Not worth changing: (it would save (\\?<)?[\d.]+ % of one core, and savings below 1 % are not worth the change|no queue is faster than duration-lists)\./
    )
    assert.match(text.stdout, /binary-heap .*\d/)
    assert.match(text.stdout, /at most \d+ timers pending/)
  }
})

test('an undecided ranking says which command measures more rounds, and about how long', () => {
  const results = /** @type {any} */ ({
    directory: 'results/a',
    run: { command: ['timerq', 'recommend', 'app.trace', '--rounds', '4', '--seed', '1'] }
  })
  const nextOf = (/** @type {number} */ taken) =>
    moreRounds(
      /** @type {any} */ ({ rounds: { taken, planned: 8 }, seconds: 30 }),
      results,
      /** @type {any} */ ({ commandLine: results.run.command })
    )
  assert.deepEqual(nextOf(6), { command: 'timerq recommend --resume results/a --trace app.trace', seconds: 10 })
  assert.deepEqual(nextOf(8), { command: 'timerq recommend app.trace --rounds 16', seconds: 60 })
})

for (const [title, args, message] of /** @type {[string, string[], RegExp][]} */ ([
  ['a missing trace', [], /^timerq: recommend needs a trace, .*\n$/],
  ['a trace that is not there', ['--trace', 'nowhere.trace'], /^timerq: nowhere\.trace cannot be read: .*\n$/],
  ['a file that is not a trace', ['--trace', 'text.trace'], /^timerq: text\.trace is not a trace: .*\n$/],
  [
    'a trace without a start',
    ['--trace', 'idle.trace'],
    /^timerq: idle\.trace starts no timer: there is nothing to recommend a queue for\n$/
  ],
  [
    'a queue that is not there',
    words`--trace one.trace --queue binary-heep`,
    /^timerq: .*binary-heep.*binary-heap.*\n$/
  ],
  [
    'a resumed ranking of something else',
    words`--resume nowhere --rounds 9`,
    /^timerq: --resume continues as planned: it takes no --rounds \(leave it out, or start a new recommend\)\n$/
  ],
  [
    'a budget that is no time',
    words`--trace one.trace --budget soon`,
    /^timerq: --budget must be a time, got "soon" .*\n$/
  ],
  ['no rounds', words`--trace one.trace --rounds 0`, /^timerq: --rounds must be an integer from 1 to 10000.*\n$/],
  [
    'nothing beside what Node does',
    words`--trace one.trace --queue duration-lists`,
    /^timerq: recommend compares .*\n$/
  ],
  ['a queue that only a server can measure', words`--trace one.trace --queue node`, /^timerq: .*\n$/]
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
