import { test } from 'node:test'
import assert from 'node:assert/strict'
import os from 'node:os'
import { measureExact } from '../../../harness/micro/measure.js'

const RUNS = 20
const runtime = { name: process.version, path: process.execPath, flags: [] }

/** @param {string} path */
const urlOf = path => new URL(`../../../${path}`, import.meta.url).href

test('twenty processes count the same work, to the block', async () => {
  const task = {
    queueUrl: urlOf('queues/binary-heap.js'),
    scenarioUrl: urlOf('scenarios/refresh-one-duration.js'),
    params: { size: 100 },
    seed: 1
  }
  /** @type {number[]} */
  const works = []
  async function measureInTurn () {
    while (works.length < RUNS) works.push((await measureExact(task, runtime, 20_000)).metrics.workPerOp)
  }
  await Promise.all(Array.from({ length: os.availableParallelism() }, measureInTurn))
  assert.ok(works[0] > 0)
  assert.deepEqual(new Set(works).size, 1, `blocks per operation: ${works.join(', ')}`)
})
