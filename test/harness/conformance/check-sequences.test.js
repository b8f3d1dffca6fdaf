import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { tryUnderOneWatch } from '../../../harness/conformance/check-sequences.js'
import { families } from '../../../harness/conformance/sequences.js'
import { BinaryHeap, meta } from '../../../queues/binary-heap.js'

const subject = /** @type {any} */ ({ Queue: BinaryHeap, declared: meta, seed: 1 })
const sequences = fc.sample(families[0].sequences, { seed: 1, numRuns: 3 })

for (const { what, watch } of [
  { what: 'calls it again when all is done', watch: (/** @type {() => void} */ operate) => { operate(); operate(); return true } },
  { what: 'says that it does not return when all is done', watch: (/** @type {() => void} */ operate) => { operate(); return false } }
]) {
  test(`each sequence is tried once, and nothing else, by a watch that ${what}, because the machine stood still`, () => {
    const trials = tryUnderOneWatch(subject, sequences, watch)
    assert.equal(trials.length, sequences.length)
    assert.deepEqual(trials.flatMap(({ faults }) => [...faults]), [])
  })
}
