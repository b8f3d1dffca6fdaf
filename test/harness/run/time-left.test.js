/** Estimates of the time that steps take. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { TimeLeft } from '../../../harness/run/time-left.js'

const settings = /** @type {any} */ ({
  micro: { warmupMs: 50, leadMs: 2, turnMs: 8, turns: 20, tailMs: 0 },
  httpWarmupMs: 200,
  httpHeat: { seconds: 6, sliceMs: 300 }
})
const scenarios = /** @type {any} */ ([{ name: 'server', kind: 'http' }, { name: 'refresh', kind: 'micro' }])

/**
 * @param {'heat' | 'alone' | 'count'} kind
 * @param {string} scenario
 * @param {number} [size]
 */
const stepOf = (kind, scenario, size = 10) =>
  /** @type {any} */ ({
    kind,
    round: 0,
    cells: ['heap', 'wheel'].map(queue => ({
      id: `${scenario} ${size} ${queue}`,
      scenario,
      params: { size, seconds: 1 },
      queue
    }))
  })

/**
 * @param {any} step
 * @param {number} seconds
 */
const samplesOf = ({ kind, cells }, seconds) =>
  cells.map((/** @type {any} */ { id, ...cell }) => ({ ...cell, cell: id, kind, seconds }))

test('before anything was measured, the plan says how long servers take; the speed of queues is unknown', () => {
  const timeLeft = new TimeLeft({ settings, scenarios })
  assert.deepEqual(
    [stepOf('heat', 'server'), stepOf('heat', 'refresh')].map(step => timeLeft.isKnown(step)),
    [true, false]
  )
  assert.equal(timeLeft.secondsOf(stepOf('heat', 'server')), 6 + 2 * (0.2 + 0.3))
  assert.equal(timeLeft.secondsOf(stepOf('alone', 'server')), 1 + 0.2 + 0.3)
  assert.equal(timeLeft.secondsOf(stepOf('heat', 'refresh')), 2 * (0.05 + 0.2 + 0.25))
})

test('steps take as long as those of their kind did, and the same cells as long as in the round before', () => {
  const timeLeft = new TimeLeft({ settings, scenarios })
  timeLeft.see(samplesOf(stepOf('heat', 'refresh', 10), 3))
  assert.ok(timeLeft.isKnown(stepOf('heat', 'refresh', 1000)))
  assert.equal(timeLeft.secondsOf(stepOf('heat', 'refresh', 1000)), 3)
  timeLeft.see(samplesOf(stepOf('heat', 'refresh', 1000), 9))
  assert.equal(timeLeft.secondsOf(stepOf('heat', 'refresh', 1000)), 9)
  assert.equal(timeLeft.secondsOf(stepOf('heat', 'refresh', 10)), 3)
  assert.equal(timeLeft.secondsOf(stepOf('heat', 'refresh', 50)), 6, 'the mean of both')
  assert.equal(timeLeft.isKnown(stepOf('count', 'refresh')), false, 'counting is another kind')
  assert.equal(timeLeft.secondsOf(stepOf('alone', 'server')), 1.5, 'and so are servers')
})
