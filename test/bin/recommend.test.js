/** Answers of `timerq recommend`. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { moreRounds } from '../../bin/answers/recommend.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import './brief.js'
import { pick, timerqHere, words } from './timerq.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TRACE = fileURLToPath(new URL('../fixtures/traces/fastify-app.trace', import.meta.url))

test("queues are ranked for a trace against Node's own timers, and a program that hardly uses timers is advised to " +
  'keep them; as text it says that first, and shows the evidence', async t => {
  const cwd = temporaryFolder(t)
  const { code, stderr, json } = await timerqHere(
    words`recommend ${TRACE} --queue sorted-list,binary-heap --rounds 2 --seed 1 --out results --json`,
    { cwd }
  )
  assert.equal(code, 0, stderr)
  const { format, verdict, best, control, trace, ranking, answer, seconds } = json
  assert.match(answer.text, /^Not worth changing: /)
  assert.deepEqual([answer.seconds, answer.next], [seconds, null])
  assert.equal(format, 'timerq-recommendation/1')
  assert.deepEqual([verdict, best, control], ['keep', null, 'duration-lists'])
  assert.equal(trace.operations, trace.starts + trace.refreshes + trace.cancels + trace.fires)
  const ranked = pick(ranking, 'queue')
  assert.deepEqual(ranked.toSorted(), ['binary-heap', 'duration-lists', 'sorted-list'])
  for (const { queue, nsPerOp, workPerOp, coreShare, ratio } of ranking) {
    assert.ok(nsPerOp.median > 0 && workPerOp > 0 && coreShare > 0, queue)
    assert.equal(ratio === null, queue === control)
  }

  {
    const text = await timerqHere(['recommend', TRACE, '--resume', 'results'], { cwd })
    assert.equal(text.code, 0, text.stderr)
    assert.match(
      text.stdout.replaceAll(/\s+/g, ' '),
      /Not worth changing: no queue would save 1 % of one core\./
    )
    assert.match(text.stdout, /binary-heap .*\d/)
    assert.match(text.stdout, /at most \d+ timers pending/)
    const [again, report] = [text, await timerqHere(['report', 'results'], { cwd })]
    assert.deepEqual([report.code, report.stdout], [0, again.stdout])
    assert.deepEqual((await timerqHere(['report', 'results', '--format', 'json'], { cwd })).json.answer, answer)
  }
})

test('a recommendation that was killed at once has a report that says so', async t => {
  const directory = path.join(temporaryFolder(t), 'killed')
  cpSync(fileURLToPath(new URL('../../docs/recorded/recommend', import.meta.url)), directory, { recursive: true })
  writeFileSync(path.join(directory, 'samples.jsonl'), '')
  const { code, stdout, stderr } = await timerqHere(['report', directory], { cwd: ROOT })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /Nothing was measured\.\nNext: timerq recommend --trace .*fastify-app\.trace\n$/)
  assert.match(stderr, /^duration-lists, the control of all other queues, was not measured: /)
})

test('an undecided ranking says which command measures more rounds, and about how long', () => {
  const results = /** @type {any} */ ({
    directory: 'results/a',
    run: {
      command: ['timerq', 'recommend', 'app.trace', '--rounds', '4', '--seed', '1'],
      plan: { question: 'recommend' }
    }
  })
  const nextOf = (/** @type {number} */ taken) =>
    moreRounds(/** @type {any} */ ({ rounds: { taken, planned: 8 }, seconds: 30 }), results)
  assert.deepEqual(nextOf(6), { command: 'timerq recommend --resume results/a app.trace', seconds: 10 })
  assert.deepEqual(nextOf(8), { command: 'timerq recommend app.trace --rounds 16', seconds: 60 })
})
