import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fatalFailure } from '../../../harness/judge/pairs.js'
import { createRandom } from '../../../harness/model/random.js'
import { Taken } from '../../../harness/run/taken.js'

const sampleOf = (/** @type {object} */ rest) => /** @type {any} */ ({ cell: 'heap refresh', kind: 'heat', round: 0, metrics: {}, warnings: [], ...rest })

test('a cell is given up for the same failures as when all its samples are at hand', () => {
  const random = createRandom(5)
  const kinds = ['crash', 'time-limit', 'wrong', 'load']
  let givenUp = 0
  for (let i = 0; i < 500; i++) {
    const taken = new Taken()
    /** @type {any[]} */
    const samples = []
    for (let round = 0; round < 6; round++) {
      const kind = kinds[random(12)]
      samples.push(sampleOf({ round, ...(kind && { failure: { kind, message: 'it failed' } }) }))
      taken.add(samples[round])
      assert.equal(taken.isGivenUp('heap refresh'), fatalFailure(samples) !== undefined, JSON.stringify(samples))
    }
    if (taken.isGivenUp('heap refresh')) givenUp++
  }
  assert.ok(givenUp > 100 && givenUp < 400, String(givenUp))
  assert.equal(new Taken().isGivenUp('heap refresh'), false)
})

test('a cell is slow that sat out most slices of a heat, however it did in others', () => {
  const taken = new Taken()
  const slow = () => taken.isSlow('heap refresh')
  assert.equal(slow(), false)
  taken.add(sampleOf({ slices: { nsPerOp: [1, null, null, null] }, core: { loopMs: 0.006, isSlow: true } }))
  assert.equal(slow(), false)
  taken.add(sampleOf({ satOut: true }))
  taken.add(sampleOf({}))
  assert.equal(slow(), true)
})
