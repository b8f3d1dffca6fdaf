import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createEta } from '../../../harness/run/time-left.js'

const settings = /** @type {any} */ ({
  micro: { warmupMs: 50, leadMs: 2, turnMs: 8, turns: 20, places: 2, tailMs: 0 }, httpWarmupMs: 200, httpHeat: { seconds: 6, sliceMs: 300 }
})

/** @param {any} step */
const isHttp = ({ cells: [{ scenario }] }) => scenario === 'server'

/**
 * @param {'heat' | 'alone' | 'count'} kind
 * @param {string} scenario
 * @param {number} [size]
 */
const stepOf = (kind, scenario, size = 10) => /** @type {any} */ ({
  kind, round: 0, cells: ['heap', 'wheel'].map(queue => ({ id: `${scenario} ${size} ${queue}`, scenario, params: { size, seconds: 1 }, queue }))
})

test('before anything was measured, the plan says how long servers take; of queues nothing is known', () => {
  const eta = createEta(settings, isHttp)
  assert.deepEqual([stepOf('heat', 'server'), stepOf('heat', 'refresh')].map(eta.isKnown), [true, false])
  assert.equal(eta.secondsOf(stepOf('heat', 'server')), 6 + 2 * (0.2 + 0.3))
  assert.equal(eta.secondsOf(stepOf('alone', 'server')), 1 + 0.2 + 0.3)
  assert.equal(eta.secondsOf(stepOf('heat', 'refresh')), 2 * (0.05 + 0.2 + 2 * 0.008 + 0.25))
})

test('steps take as long as those of their kind did, and the same cells as long as in the round before', () => {
  const eta = createEta(settings, isHttp)
  eta.finish(stepOf('heat', 'refresh', 10), 3)
  assert.ok(eta.isKnown(stepOf('heat', 'refresh', 1000)))
  assert.equal(eta.secondsOf(stepOf('heat', 'refresh', 1000)), 3)
  eta.finish(stepOf('heat', 'refresh', 1000), 9)
  assert.equal(eta.secondsOf(stepOf('heat', 'refresh', 1000)), 9)
  assert.equal(eta.secondsOf(stepOf('heat', 'refresh', 10)), 3)
  assert.equal(eta.secondsOf(stepOf('heat', 'refresh', 50)), 6, 'the mean of both')
  assert.equal(eta.isKnown(stepOf('count', 'refresh')), false, 'counting is another kind')
  assert.equal(eta.secondsOf(stepOf('alone', 'server')), 1.5, 'and so are servers')
})
