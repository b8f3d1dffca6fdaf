import { test } from 'node:test'
import assert from 'node:assert/strict'
import { onSlowCores, SlowCores } from '../../harness/slow-cores.js'

/** @param {number[]} loops  0: on a core that said itself that it was slow. */
const heats = loops => loops.map((loopMs, i) => /** @type {any} */ ({ heat: `heat ${i}`, core: { loopMs: loopMs || 4, isSlow: loopMs === 0 } }))
const cell = /** @type {any} */ ({ scenario: 'refresh-one-duration', params: { size: 100 } })

test('a core is slow that says so, or whose loop never was as fast as in the fastest heat', () => {
  const samples = heats([4.6, 4, 4.3, 0])
  assert.deepEqual(samples.map(onSlowCores([samples])), [true, false, false, true])
  assert.equal(onSlowCores([samples])(/** @type {any} */ ({ heat: 'of servers' })), false)
})

test('the warning counts heats, once each, and names the tables in which the slow ones count', () => {
  const slowCores = new SlowCores()
  slowCores.see([cell], [heats([4, 4, 4, 0]), heats([4, 4, 4, 0])])
  assert.deepEqual(slowCores.describe(), ['1 of 4 heats ran on a core that something else slowed down: they are left out'])
  slowCores.see([{ ...cell, params: { size: 1000 } }], [heats([4, 4, 5])])
  assert.deepEqual(slowCores.describe(), ['2 of 7 heats ran on a core that something else slowed down: they are left out, but for tables that have fewer ' +
    'than 3 others: refresh-one-duration, size 1 000'])
})

test('without a slow core there is no warning', () => {
  const slowCores = new SlowCores()
  slowCores.see([cell], [heats([4, 4.1])])
  assert.deepEqual(slowCores.describe(), [])
})
