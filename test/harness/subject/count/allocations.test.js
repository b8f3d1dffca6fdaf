/** Bytes that an operation allocates once V8 has optimised it: the same in every process, or none. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { STEADY_FLAGS } from '../../../../harness/measure/micro/count.js'
import { callOnce } from '../../../../harness/processes/child.js'
import { benchmarkFile } from '../../formats/project-folder.js'

const LIMIT_MS = 60_000
const COUNTER = new URL('../../../../harness/subject/count/allocations.js', import.meta.url)
const FILE = `import { Bench } from 'tinybench'
class Point { constructor (x, y) { this.x = x; this.y = y } }
let calls = 0
let kept
new Bench()
  .add('nothing', () => { calls++ })
  .add('40 bytes', () => { kept = { a: ++calls % 9, b: 1 } })
  .add('never leaves the call', () => { const point = new Point(1, 2); calls += point.x + point.y })
  .add('more and more', () => { kept = new Array(32 - Math.clz32(++calls)).fill(0) })
  .add('awaited', async () => { kept = [] })
`

/**
 * @param {object} task
 * @returns {Promise<number | undefined>}
 */
async function bytesOf (task) {
  const job = { queueUrl: '', params: {}, seed: 1, ...task }
  const options = { flags: STEADY_FLAGS, limitMs: LIMIT_MS }
  return (await callOnce(COUNTER, 'countAllocations', job, options)).allocatedBytesPerOp
}

for (const [task, bytes] of /** @type {[string, number | undefined][]} */ ([
  ['nothing', 0],
  ['40 bytes', 40],
  ['never leaves the call', 0],
  ['more and more', undefined],
  ['awaited', undefined]
])) {
  test(`a task whose garbage is "${task}" has ${bytes ?? 'no'} bytes a call`, async t => {
    const code = { isCode: true, scenarioUrl: benchmarkFile(t, FILE), of: { group: '', task } }
    assert.equal(await bytesOf(code), bytes)
  })
}

test('a queue that reuses its timers allocates nothing to restart them', async () => {
  const urlOf = (/** @type {string} */ file) => new URL(`../../../../${file}`, import.meta.url).href
  const scenarioUrl = urlOf('scenarios/refresh-one-duration.js')
  assert.equal(await bytesOf({ queueUrl: urlOf('queues/binary-heap.js'), scenarioUrl, params: { size: 100 } }), 0)
})
