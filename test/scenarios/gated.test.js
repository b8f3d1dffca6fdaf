/** A change of any method of a queue shows in a gate: some gated scenario calls it while it is measured. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { GATE } from '../../bin/presets.js'
import { WORK_FLAGS } from '../../harness/measure/micro/count.js'
import { createRandom } from '../../harness/model/random.js'
import { DEFAULT_RULES } from '../../harness/judge/decision.js'
import { countsAsRegression } from '../../harness/judge/row.js'
import { callOnce } from '../../harness/processes/child.js'
import { BinaryHeap } from '../../queues/binary-heap.js'
import { scenarios } from '../../scenarios/index.js'
import { watched } from './watched.js'

const METHODS = [
  'createTimer',
  'releaseTimer',
  'insert',
  'cancel',
  'reschedule',
  'nextExpiry',
  'advance',
  'deadlineOf',
  'payloadOf',
  'isPending'
]
const COUNTER = new URL('../../harness/subject/count/count-queue.js', import.meta.url)
const HEAP = new URL('../../queues/binary-heap.js', import.meta.url).href
const SLOW = new URL('../harness/measure/micro/rarely-slow-queue.js', import.meta.url).href
const params = { size: 100, nearer: 5000 }
const job = { params, seed: 1 }

const gated = await Promise.all(
  scenarios
    .filter(({ name }) => GATE.scenarios.includes(name))
    .map(async ({ url }) => ({ url, scenario: (await import(url)).scenario }))
)

/**
 * The gated scenario that calls a method most often while it is measured.
 *
 * @param {string} method
 */
function mostCalling (method) {
  const calling = gated.map(({ url, scenario }) => {
    let calls = 0
    const queue = watched(method, () => calls++, new BinaryHeap())
    const { phases } = scenario.createWorkload(queue, params, createRandom(1))
    calls = 0
    for (const { run } of phases) run()
    return { url, scenario, calls }
  })
  return calling.sort((a, b) => b.calls - a.calls)[0]
}

/**
 * Work of the heap, by scenario.
 *
 * @type {Map<string, Promise<number>>}
 */
const works = new Map()

/**
 * @param {string} queueUrl
 * @param {string} scenarioUrl
 * @returns {Promise<number>} work per operation, of the whole cycle
 */
async function workOf (queueUrl, scenarioUrl) {
  const runtime = { name: process.version, path: process.execPath, flags: [] }
  const options = { runtime, flags: WORK_FLAGS, limitMs: 60_000 }
  return (await callOnce(COUNTER, 'count', { ...job, queueUrl, scenarioUrl }, options)).workPerOp
}

for (const method of METHODS) {
  test(`a gate notices ${method} that is missing, or that searches all timers`, async () => {
    const { url, scenario, calls } = mostCalling(method)
    assert.ok(calls > 0, 'no gated scenario calls it while it is measured')
    const without = Object.assign(new BinaryHeap(), { [method]: undefined })
    assert.throws(() => {
      const { phases } = scenario.createWorkload(without, params, createRandom(1))
      for (const { run } of phases) run()
    }, TypeError)
    const known = works.get(url) ?? workOf(HEAP, url)
    works.set(url, known)
    const slow = workOf(`${SLOW}?method=${method}&every=1&blocks=${params.size}`, url)
    const [before, after] = await Promise.all([known, slow])
    assert.ok(countsAsRegression('workPerOp', before, after, DEFAULT_RULES.margin), `${before} blocks, then ${after}`)
  })
}

test('a gate notices a wrong size and a wrong deadline', () => {
  const { scenario } = mostCalling('deadlineOf')
  const checksumOf = (/** @type {any} */ queue) => {
    const { phases, outcome } = scenario.createWorkload(queue, params, createRandom(1))
    for (const { run } of phases) run()
    return outcome.checksum
  }
  class Miscounting extends BinaryHeap {
    get size () {
      return super.size + 1
    }
  }
  class Misreading extends BinaryHeap {
    /** @param {number} timer */
    deadlineOf (timer) {
      return super.deadlineOf(timer) + 1
    }
  }
  const checksums = [BinaryHeap, Miscounting, Misreading].map(Queue => checksumOf(new Queue()))
  assert.equal(new Set(checksums).size, 3)
})
