/** Times of single calls. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { take, urlOf } from '../../measure/entrants.js'

/**
 * Takes a tenth of a millisecond, a hundred times as long as other calls: no load on the machine hides the difference.
 */
const SWEEP = 100_000

/**
 * @param {string} scenario
 * @param {string} method
 * @param {number} every
 * @param {number} blocks
 */
async function tailsOf (scenario, method, every, blocks) {
  const { metrics } = await take('alone', {
    timing: { tailMs: 100, limitMs: 20_000 },
    queueUrl: urlOf(`test/harness/measure/micro/rarely-slow-queue.js?method=${method}&every=${every}&blocks=${blocks}`),
    scenarioUrl: urlOf(`scenarios/${scenario}.js`),
    params: { size: 100 },
    seed: 1
  })
  return metrics
}

test('a sweep in one advance of eight shows as the longest advance', async () => {
  const even = await tailsOf('staggered-expiry', 'advance', 8, 0)
  const sweeping = await tailsOf('staggered-expiry', 'advance', 8, SWEEP)
  assert.ok(even.longestAdvanceNs > 0)
  assert.ok(
    sweeping.longestAdvanceNs > 5 * even.longestAdvanceNs,
    `${sweeping.longestAdvanceNs} ns, without the sweep ${even.longestAdvanceNs} ns`
  )
})

test('a call that is slow once in 500 times shows at the 99.9th percentile, not at the 99th', async () => {
  const even = await tailsOf('refresh-one-duration', 'reschedule', 500, 0)
  const slow = await tailsOf('refresh-one-duration', 'reschedule', 500, SWEEP)
  assert.ok(slow.opP999Ns > 5 * even.opP999Ns, `${slow.opP999Ns} ns, without the slow calls ${even.opP999Ns} ns`)
  assert.ok(slow.opP999Ns > 5 * slow.opP99Ns, `last per mille ${slow.opP999Ns} ns, last percent ${slow.opP99Ns} ns`)
})

test('a workload that never advances the queue has no longest advance', async () => {
  const metrics = await tailsOf('refresh-one-duration', 'reschedule', 500, 0)
  assert.deepEqual(Object.keys(metrics), ['opP99Ns', 'opP999Ns'])
})
