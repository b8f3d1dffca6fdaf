/** The cost of a known function: ticks count, other programs do not. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { BusyWork } from '../../../../harness/profile/subject/busy.js'

test('a short call that was hit by a tick counts in full, an interrupted one as the median', t => {
  const { imul } = Math
  t.after(() => {
    Math.imul = imul
  })
  let micros = 0
  let step = 1
  // Ten steps a call.
  Math.imul = () => {
    micros += step
    return 0
  }
  t.mock.method(performance, 'now', () => micros / 1000)
  const busyWork = new BusyWork(10)
  const [undisturbed, hit, interrupted] = [step, 9, 900]
  for (step of [undisturbed, undisturbed, undisturbed, hit, interrupted]) busyWork.run()
  assert.equal(Math.round(busyWork.totalMicros()), 10 + 10 + 10 + 90 + 10)
})
