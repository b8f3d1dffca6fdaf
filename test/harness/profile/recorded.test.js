/** The choice of profiles to compare. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { partnerOf } from '../../../harness/profile/recorded.js'

const profiled = (/** @type {string} */ queue, /** @type {string} */ runtime, params = { connections: 20 }) =>
  /** @type {any} */ ({ scenario: 'keep-alive', params, queue, runtime })

test('a profile is compared with that of the other queue on the same runtime', () => {
  const samples = [profiled('heap', 'v20'), profiled('wheel', 'v20'), profiled('heap', 'v24'), profiled('wheel', 'v24')]
  assert.equal(partnerOf(samples, samples[3], 'heap'), samples[2])
  assert.equal(partnerOf(samples.slice(0, 2), samples[3], 'heap'), undefined)
  assert.equal(partnerOf(samples, samples[0], 'heap'), undefined)
})

test('between two runs a queue is compared with itself, on another runtime if need be', () => {
  const earlier = [
    profiled('heap', 'v20'),
    profiled('heap', 'v22'),
    profiled('wheel', 'v24'),
    profiled('heap', 'v24', { connections: 9 })
  ]
  assert.equal(partnerOf(earlier, profiled('heap', 'v22'), null), earlier[1])
  assert.equal(partnerOf(earlier, profiled('heap', 'v24'), null), earlier[0])
})
