import { test } from 'node:test'
import assert from 'node:assert/strict'
import { atFullSpeed, onSlowCores, SlowCores } from '../../../harness/judge/slow-cores.js'

/** @param {number[]} loops  0: on a core that said itself that it was slow. */
const heats = loops => loops.map((loopMs, i) => /** @type {any} */ ({ heat: `heat ${i}`, core: { loopMs: loopMs || 4, isSlow: loopMs === 0 } }))
const cell = (/** @type {string} */ queue, size = 100) => /** @type {any} */ ({ scenario: 'refresh-one-duration', params: { size }, queue })

test('a core is slow that says so, or whose loop never was as fast as in the fastest heat', () => {
  const samples = heats([4.6, 4, 4.3, 0])
  assert.deepEqual(samples.map(onSlowCores([samples])), [true, false, false, true])
  assert.equal(onSlowCores([samples])(/** @type {any} */ ({ heat: 'of servers' })), false)
})

test('samples of slow cores are left out where at least three others are of heats', () => {
  const samples = heats([0, 4, 4, 4])
  const counted = /** @type {any} */ ({ metrics: { workPerOp: 1 } })
  assert.deepEqual(atFullSpeed([...samples, counted]), [...samples.slice(1), counted])
  const few = [...heats([0, 4, 4]), counted]
  assert.deepEqual(atFullSpeed(few), few)
  assert.deepEqual(atFullSpeed([counted]), [counted])
})

test('the warning counts samples, and names the ratios that count slow ones, for lack of heats in which neither queue was slow', () => {
  const slowCores = new SlowCores()
  const control = heats([4, 4, 4, 0])
  slowCores.see([cell('lists'), cell('heap')], [control, heats([4, 4, 4, 0])], control)
  assert.deepEqual(slowCores.describe(), ['in heats, 2 samples of 8 had a core that something else slowed down: no ratio counts them'])
  slowCores.see([cell('heap', 1000), cell('lists', 1000), cell('wheel', 1000)], [heats([0, 4, 4, 4]), control, heats([4, 4, 4, 4])], control)
  assert.deepEqual(slowCores.describe(), ['in heats, 4 samples of 20 had a core that something else slowed down: no ratio counts them, but for those ' +
    'with fewer than 3 others: heap on refresh-one-duration, size 1 000'])
})

test('where the control was slow too often, the ratios to it are named', () => {
  const slowCores = new SlowCores()
  const control = heats([0, 0, 4, 4])
  slowCores.see([cell('lists'), cell('heap')], [control, heats([4, 4, 4, 4])], control)
  assert.match(slowCores.describe()[0], /others: heap on refresh-one-duration, size 100$/)
})

test('a table without a control names the queues that were slow too often', () => {
  const slowCores = new SlowCores()
  slowCores.see([cell('heap'), cell('wheel')], [heats([0, 4, 4, 4]), heats([0, 0, 4, 4])], [])
  assert.match(slowCores.describe()[0], /others: wheel on refresh-one-duration, size 100$/)
})

test('what the core watch did not see is not counted, and without a slow core there is no warning', () => {
  const slowCores = new SlowCores()
  slowCores.see([cell('heap')], [[...heats([4, 4.1]), /** @type {any} */ ({ heat: 'of servers' }), /** @type {any} */ ({})]], [])
  assert.deepEqual(slowCores.describe(), [])
})
