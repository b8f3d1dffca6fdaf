/** `timerq run --sketch`, and the benchmark file of the same tasks: tinybench measures queues. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { addQueues } from '../../harness/subject/micro/bench-queues.js'
import { descriptionsOf } from '../harness/descriptions.js'
import { queues } from '../../queues/index.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { pick, timerqHere, words } from './timerq.js'

const PROJECT = new URL('../../', import.meta.url)
const FIXTURES = new URL('test/fixtures/queues/', PROJECT).pathname
const SMALL = words`--scenario start-cancel --size 100`

test("a sketch has tinybench's figures of each queue, a user's too, says its limits, and stores nothing", async t => {
  const cwd = temporaryFolder(t)
  const early = `${FIXTURES}early.js`
  const { code, stdout, stderr } = await timerqHere(words`run --sketch --queue ${`${early},lazy-wheel`} ${SMALL}`, {
    cwd
  })
  assert.deepEqual([code, stderr, readdirSync(cwd)], [0, '', []])
  const [titles, ...lines] = stdout.split('\n')
  assert.match(titles, /^start-cancel, size 100 +ops\/s +margin +median ns\/op +samples$/)
  assert.deepEqual(
    lines.slice(0, 3).map(line => /^(\S+) +[\d.]+[kM]? +±[\d.]+ % +[\d.]+k? +\d+$/.exec(line)?.[1]),
    ['early', 'lazy-wheel', 'duration-lists']
  )
  assert.match(stdout, /One process, one order: [^]*"timerq run" takes\nturns, in fresh processes\.\n$/)
})

test('a sketch names the table that a queue ended', async () => {
  const args = '--queue sorted-list --size 1000000 --scenario start-cancel --time-limit 1'
  const { code, stderr } = await timerqHere(`run --sketch ${args}`)
  assert.equal(code, 4, stderr)
  assert.match(stderr, /^timerq: start-cancel, size 1 000 000: used 1 s of CPU /)
})

test('a task runs a filled queue in cycles, and reports the time of one operation', async () => {
  /** @type {any[]} */
  const tasks = []
  let now = 0
  const bench = { now: () => now++, add: (/** @type {any[]} */ ...task) => tasks.push(task) }
  const named = queues.filter(({ name }) => ['lazy-wheel', 'binary-heap'].includes(name))
  const scenarioUrl = new URL('scenarios/start-cancel.js', PROJECT).href
  await addQueues(/** @type {any} */ (bench), { scenarioUrl, params: { size: 100 }, queues: named, seed: 1 })
  assert.deepEqual(tasks.map(([name]) => name), ['binary-heap', 'lazy-wheel'])
  for (const [, run, { beforeAll, afterAll }] of tasks) {
    for (const mode of ['warmup', 'run']) {
      beforeAll(mode)
      assert.deepEqual(run(), { overriddenDuration: 1 / 5000, overriddenIterationCost: 1 })
      afterAll(mode)
    }
    assert.throws(run, TypeError, 'the queue is gone: the next one has the memory')
  }
})

test('the benchmark file has a table for each scenario, whose first task is the control', async () => {
  const described = await descriptionsOf(new URL('lab/queues.bench.js', PROJECT).href)
  const names = ['duration-lists', 'sorted-list', 'unsorted-array', 'binary-heap', 'hierarchical-wheel', 'lazy-wheel']
  assert.deepEqual(
    pick(described, 'name', 'tasks'),
    ['refresh-one-duration', 'staggered-expiry', 'start-cancel'].map(name => [`queues-${name}`, names])
  )
})
