/** The end of a warm-up. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { warmUp } from '../../../../harness/subject/micro/warm-up.js'

/**
 * @typedef {object} Case
 * @property {(cycle: number) => number} msOf  How long each cycle takes.
 * @property {number} minMs
 * @property {number} [spentMs]
 * @property {boolean} [isWall]
 * @property {number} cycles  Cycles that the warm-up takes.
 * @property {boolean} [isWarm]
 */

const steady = (/** @type {number} */ ms) => () => ms
const interrupted = (/** @type {number} */ cycle) => (cycle === 10 ? 30 : 0.5)

/** @type {Record<string, Case>} */
const CASES = {
  'steady cycles run for the minimum time': { msOf: steady(0.5), minMs: 20, cycles: 40 },
  'less what earlier cycles took': { msOf: steady(0.5), minMs: 20, spentMs: 8, cycles: 24 },
  'it waits for cycles that become faster late': { msOf: n => (n < 15 ? 2 : 1), minMs: 20, cycles: 15 + 1 + 20 },
  'many small gains are gains': { msOf: n => Math.max(0.5, 1 - 0.01 * n), minMs: 10, cycles: 71 },
  'five slow cycles are calm if they take twice the minimum': { msOf: steady(10), minMs: 20, cycles: 1 + 5 },
  'shorter ones as soon as they take that': { msOf: steady(4), minMs: 20, cycles: 1 + 10 },
  'slow cycles that become faster late': { msOf: n => (n < 4 ? 10 : 9), minMs: 20, cycles: 4 + 1 + 5 },
  'ten times the minimum is the end': { msOf: steady(50), minMs: 20, cycles: 4 },
  'also of what earlier cycles took': { msOf: steady(50), minMs: 20, spentMs: 300, cycles: 0 },
  'many cycles that never settle are reported': { msOf: n => 4 * 0.95 ** n, minMs: 5, cycles: 20, isWarm: false },
  'an interruption is time by the CPU clock': { msOf: interrupted, minMs: 20, cycles: 21 },
  'and warms nothing up by the wall clock': { msOf: interrupted, minMs: 20, isWall: true, cycles: 39 }
}

for (const [title, { msOf, minMs, spentMs = 0, isWall = false, cycles, isWarm = true }] of Object.entries(CASES)) {
  test(title, async () => {
    let ran = 0
    assert.deepEqual([await warmUp(() => msOf(ran++), minMs, spentMs, isWall), ran], [isWarm, cycles])
  })
}
