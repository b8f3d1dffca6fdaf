/** Machines that stand still, as clocks show it. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { PauseWatch } from '../../../harness/processes/pauses.js'
import { inOneGo } from '../../../harness/measure/measure.js'
import { SampleError } from '../../../harness/model/errors.js'

/**
 * Lets a watch see clocks that go as the test wants.
 *
 * @param {{monotonic: number, wall?: number, cpu?: number}[]} beats  Milliseconds that pass until each look.
 */
function watch (beats) {
  const now = { monotonic: 1000, wall: 5000, cpu: 0 }
  const watched = new PauseWatch({ monotonic: () => now.monotonic, wall: () => now.wall, cpu: () => now.cpu })
  for (const { monotonic, wall = monotonic, cpu = 1 } of beats) {
    now.monotonic += monotonic
    now.wall += wall
    now.cpu += cpu
    watched.look()
  }
  return watched.end()
}

const BEAT = { monotonic: 101 }

test('a busy machine, its own work and a clock that is set back are no pause', () => {
  assert.equal(watch([BEAT, { monotonic: 600 }, BEAT]), 0)
  assert.equal(watch([BEAT, { monotonic: 9000, cpu: 8500 }]), 0)
  assert.equal(watch([BEAT, { monotonic: 100, wall: -3_600_000 }, BEAT]), 0)
})

test('a process that was stopped notices it by its late timer', () => {
  assert.equal(watch([BEAT, { monotonic: 5100, cpu: 0 }, BEAT]), 5000)
})

test('a machine that was suspended, whose monotonic clock stood still, notices it by the wall clock', () => {
  assert.equal(watch([BEAT, { monotonic: 100, wall: 7_200_100 }, BEAT]), 7_200_000)
})

/** @param {number[]} pauses  Of each attempt. */
function takeWith (pauses, result = /** @type {any} */ ({ metrics: { nsPerOp: 1 }, warnings: ['odd'] })) {
  let taken = 0
  const measure = async () => {
    taken++
    if (result instanceof Error) throw result
    return [result]
  }
  return inOneGo(measure, () => ({ end: () => pauses[taken - 1] })).then(results => ({ results, taken }))
}

test('what was not measured in one go is measured again, and says so', async () => {
  assert.deepEqual(await takeWith([0]), { taken: 1, results: [{ metrics: { nsPerOp: 1 }, warnings: ['odd'] }] })
  assert.deepEqual(await takeWith([2400, 0]), {
    taken: 2,
    results: [
      {
        metrics: { nsPerOp: 1 },
        warnings: ['odd', { kind: 'measured-again', text: 'the machine paused for 2 s during the first attempt' }]
      }
    ]
  })
})

test('a failure during a pause may be due to it: measured again; one without a pause stands', async () => {
  const failure = new SampleError('time-limit', 'gave no answer within 60 s')
  await assert.rejects(takeWith([0], failure), failure)
  await assert.rejects(takeWith([9000, 0], failure), failure)
})

test('after three pauses there is no figure, but the reason', async () => {
  await assert.rejects(takeWith([2000, 3000, 4000]), {
    kind: 'load',
    message: /paused for 4 s during each of 3 attempts/
  })
})
