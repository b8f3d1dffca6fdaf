/** Exact counts of queues. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { presets } from '../../../../bin/presets.js'
import { processesIn } from '../../../faults/watched-run.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { WORK_FLAGS } from '../../../../harness/measure/micro/count.js'
import { isSame } from '../../../../harness/measure/twice.js'
import { callOnce } from '../../../../harness/processes/child.js'
import { take } from '../../measure/entrants.js'

const runtime = { name: process.version, path: process.execPath, flags: [] }

/** @param {string} path */
const urlOf = path => new URL(`../../../../${path}`, import.meta.url).href

const COUNTER = new URL('../../../../harness/subject/count/count-queue.js', import.meta.url)

const job = {
  queueUrl: urlOf('queues/binary-heap.js'),
  scenarioUrl: urlOf('scenarios/refresh-one-duration.js'),
  params: { size: 100 },
  seed: 1
}

/** @param {Partial<typeof job> & {timing?: object}} changes */
async function workOf (changes = {}, limitMs = 20_000) {
  const counted = await callOnce(COUNTER, 'count', { ...job, ...changes }, { runtime, flags: WORK_FLAGS, limitMs })
  return counted.workPerOp
}

test('two processes count the same, to the block', async () => {
  const counted = await Promise.all([job, job].map(own => take('count', own)))
  assert.deepEqual(Object.keys(counted[0].metrics), ['workPerOp', 'allocatedBytesPerOp', 'bytesPerTimer'])
  assert.equal(new Set(counted.map(({ metrics }) => metrics.workPerOp)).size, 1)
  assert.ok(isSame(counted), 'and about to the byte')
})

test('all seeds count the same blocks, though some take a rare branch and others never do', async () => {
  // Few refreshed timers move up in this heap. Seeds that never see one must count like seeds that do.
  const works = await Promise.all([1, 2, 3, 42].map(seed => workOf({ params: { size: 10_000 }, seed })))
  assert.ok(Math.max(...works) < 1.02 * Math.min(...works), `blocks per operation: ${works.join(', ')}`)
  assert.equal(new Set(works).size, works.length, `every seed draws for itself: ${works.join(', ')}`)
})

test('work that is done once in forty thousand operations is counted', async () => {
  const queueOf = (/** @type {number} */ blocks) =>
    urlOf(`test/harness/measure/micro/rarely-slow-queue.js?method=reschedule&every=40000&blocks=${blocks}`)
  const even = await workOf({ queueUrl: queueOf(0) })
  const rare = await workOf({ queueUrl: queueOf(100_000) })
  const perOperation = 100_000 / 40_000
  assert.ok(
    Math.abs(rare - even - perOperation) < 0.2 * perOperation,
    `${rare} blocks per operation, without the rare work ${even}`
  )
})

test('a single timer is weighed in the time that the quick preset has for it', async () => {
  const single = { ...job, scenarioUrl: urlOf('scenarios/start-cancel.js'), params: { size: 1 } }
  const { metrics } = await take('count', single, { limitMs: presets.quick.micro.exactLimitMs })
  assert.ok(metrics.bytesPerTimer > 0)
})

test('when a queue cannot be counted, its weighing is ended, too, before anything else is measured', async t => {
  const folder = temporaryFolder(t)
  const file = path.join(folder, 'queue.mjs')
  // Only what is weighed may call the collector.
  writeFileSync(file, 'if (!globalThis.gc) throw new Error("not counted")\nfor (;;);')
  const endless = { ...job, queueUrl: pathToFileURL(file).href }
  const counted = take('count', endless, { runtime: { ...runtime, cwd: folder } })
  await assert.rejects(counted, { kind: 'crash', message: /not counted/ })
  assert.deepEqual(processesIn(folder), [])
})
