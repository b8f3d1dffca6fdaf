/** The end of a warm-up. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { warmUp } from '../../../../harness/subject/micro/warm-up.js'

/**
 * @param {(cycle: number) => number} msOf  How long each cycle takes.
 * @param {number} minMs
 * @param {number} [spentMs]
 * @param {boolean} [isWall]
 */
async function warmUpWith (msOf, minMs, spentMs = 0, isWall = false) {
  let tookMs = 0
  let cycles = 0
  const isWarm = await warmUp(
    () => {
      const ms = msOf(cycles++)
      tookMs += ms
      return ms
    },
    minMs,
    spentMs,
    isWall
  )
  return { isWarm, cycles, tookMs }
}

test('steady cycles run for the minimum time, less what earlier cycles took', async () => {
  assert.deepEqual(
    await warmUpWith(() => 0.5, 20),
    { isWarm: true, cycles: 40, tookMs: 20 }
  )
  assert.deepEqual(
    await warmUpWith(() => 0.5, 20, 8),
    { isWarm: true, cycles: 24, tookMs: 12 }
  )
})

test('the warm-up waits for cycles that become faster late', async () => {
  const { isWarm, cycles } = await warmUpWith(cycle => (cycle < 15 ? 2 : 1), 20)
  assert.equal(isWarm, true)
  assert.equal(cycles, 15 + 1 + 20)
})

test('many small gains count as getting faster', async () => {
  const { cycles } = await warmUpWith(cycle => Math.max(0.5, 1 - 0.01 * cycle), 10)
  assert.ok(cycles >= 50, String(cycles))
})

test('slow cycles are calm sooner: five are enough if they take twice the minimum', async () => {
  assert.deepEqual(
    await warmUpWith(() => 10, 20),
    { isWarm: true, cycles: 1 + 5, tookMs: 60 }
  )
  assert.deepEqual(
    await warmUpWith(() => 4, 20),
    { isWarm: true, cycles: 1 + 10, tookMs: 44 }
  )
  assert.deepEqual(
    await warmUpWith(cycle => (cycle < 4 ? 10 : 9), 20),
    { isWarm: true, cycles: 4 + 1 + 5, tookMs: 94 }
  )
})

test('with slow cycles the warm-up ends after ten times the minimum', async () => {
  assert.deepEqual(
    await warmUpWith(() => 50, 20),
    { isWarm: true, cycles: 4, tookMs: 200 }
  )
  assert.deepEqual(
    await warmUpWith(() => 50, 20, 300),
    { isWarm: true, cycles: 0, tookMs: 0 }
  )
})

test('many cycles that never settle are reported', async () => {
  assert.equal((await warmUpWith(cycle => 4 * 0.95 ** cycle, 5)).isWarm, false)
})

test('an interruption warms nothing up, where the wall clock times cycles', async () => {
  const interrupted = (/** @type {number} */ cycle) => (cycle === 10 ? 30 : 0.5)
  assert.equal((await warmUpWith(interrupted, 20, 0)).cycles, 21)
  assert.equal((await warmUpWith(interrupted, 20, 0, true)).cycles, 39)
})
