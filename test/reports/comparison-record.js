/** Comparisons as a gate makes them, of named kinds of rows. */
import { DEFAULT_RULES, judgeExact, judgeFailed } from '../../harness/judge/verdict.js'

/** @import { ComparisonRecord } from '../../harness/judge/compare.js' */
/** @import { Comparison } from '../../harness/judge/verdict.js' */

const cell = { scenario: 'refresh-one-duration', params: { size: 10_000 }, queue: 'binary-heap', runtime: 'v20.20.2' }
const timed = {
  metric: 'nsPerOp',
  unit: 'ns',
  better: 'lower',
  gates: true,
  exact: false,
  pairs: 20,
  spread: 0.021,
  detectable: 0.034,
  morePairs: null
}
const found = { base: 40, head: 40, ratio: 1.001, low: 0.991, high: 1.009, p: 1, change: 'same', verdict: 'pass' }

/**
 * A comparison of every kind of row, or of those named or given; its verdict is that of its worst row.
 *
 * @param {...(string | Comparison)} rows
 * @returns {ComparisonRecord}
 */
export function recordWith (...rows) {
  const isFull = rows.length === 0
  const comparisons = (isFull ? Object.keys(ROWS) : rows).map(row => (typeof row === 'string' ? rowOf(row) : row))
  const worst = ['regression', 'missed', 'invalid', 'inconclusive', 'pass'].find(verdict =>
    comparisons.some(row => row.gates && row.verdict === verdict)
  )
  return /** @type {any} */ ({
    format: 'timerq-comparison/1',
    verdict: worst ?? 'invalid',
    base: 'main',
    head: 'the working tree',
    rules: DEFAULT_RULES,
    comparisons,
    unmatched: isFull ? [{ ...cell, queue: 'new_wheel', reason: 'not in the base: nothing to compare with' }] : [],
    control: isFull ? { ratio: 1.0004, low: 0.994, high: 1.006, pairs: 60, moved: false } : null,
    warnings: isFull ? ['load average 3.4 on 2 cores: other programs were running'] : [],
    command: ['timerq', 'gate', '--base', 'main', '--seed', '7']
  })
}

/**
 * @param {string} kind
 * @param {object} [changes]
 * @returns {Comparison}
 */
export const rowOf = (kind, changes) => ({ ...ROWS[kind], ...changes })

/** @type {Record<string, any>} */
const ROWS = {
  same: { ...cell, ...timed, ...found },
  faster: { ...cell, queue: 'lazy-wheel', ...timed, ...found, ratio: 0.8, low: 0.79, high: 0.81, change: 'faster' },
  slightly: { ...cell, queue: 'lists', ...timed, ...found, ratio: 1.015, low: 1.008, high: 1.022, change: 'slower' },
  slower: {
    ...cell,
    queue: 'wheel',
    ...timed,
    ...found,
    ratio: 1.123,
    low: 1.1,
    high: 1.15,
    p: 0.0004,
    change: 'slower',
    verdict: 'regression'
  },
  unclear: {
    ...cell,
    queue: 'sorted-list',
    ...timed,
    ...found,
    ratio: 1.01,
    low: 0.9,
    high: 1.13,
    p: 0.71,
    verdict: 'inconclusive',
    detectable: null,
    morePairs: 14
  },
  failed: judgeFailed({
    ...cell,
    queue: 'broken',
    metric: 'nsPerOp',
    gates: true,
    pairs: [],
    rounds: 0,
    failure: 'head: the process ended with exit code 1: Error: <no> such thing'
  }),
  requests: {
    ...cell,
    scenario: 'keep-alive',
    params: { connections: 400 },
    ...timed,
    ...found,
    metric: 'requestsPerSecond',
    unit: '1/s',
    better: 'higher',
    gates: false,
    ratio: 0.95,
    low: 0.94,
    high: 0.96,
    p: 0.001,
    change: 'slower',
    verdict: 'regression'
  },
  work: judgeExact({ ...cell, queue: 'wheel', metric: 'workPerOp', gates: false }, 10, 11),
  bytes: judgeExact({ ...cell, metric: 'bytesPerTimer', gates: false }, 72, 72)
}
