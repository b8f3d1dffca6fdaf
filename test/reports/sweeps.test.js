import { test } from 'node:test'
import assert from 'node:assert/strict'
import { growthAlong, linesOf, sweepsOf, rankedMetricsOf } from '../../reports/sweeps.js'

const place = { scenario: 'mixed', queue: 'heap', runtime: 'v20' }

/** Swept over four sizes and two shares; the exponent tells the line. */
const summary = /** @type {any} */ ({
  settings: { control: { micro: 'none' } },
  scenarios: [{ name: 'mixed', kind: 'micro', title: '' }],
  cells: [1, 2].flatMap(share => [10, 100, 1000, 10_000].map(size => ({ ...place, params: { size, share, decades: 2 }, metrics: { nsPerOp: {} } }))),
  growth: [
    ...[1, 2].map(share => ({ ...place, parameter: 'size', params: { share, decades: 2 }, metric: 'nsPerOp', exponent: share })),
    { ...place, parameter: 'share', params: { size: 10, decades: 2 }, metric: 'nsPerOp', exponent: 7 },
    { ...place, queue: 'list', parameter: 'size', params: { share: 1, decades: 2 }, metric: 'nsPerOp', exponent: 8 }
  ]
})

test('every line finds its own growth', () => {
  const lines = sweepsOf(summary).flatMap(linesOf)
  assert.deepEqual(lines.map(line => [line.others, growthAlong(summary, line, 'heap', 'nsPerOp')?.exponent]), [[{ share: 1 }, 1], [{ share: 2 }, 2]])
  assert.equal(growthAlong(summary, lines[0], 'heap', 'workPerOp'), undefined)
  assert.equal(growthAlong(summary, lines[1], 'list', 'nsPerOp'), undefined)
})

test('queues are ranked by the phases of its cycle, and by the whole where none are timed apart', () => {
  const metricsWith = (/** @type {string[]} */ ...names) => {
    const cells = [{ metrics: Object.fromEntries(names.map(name => [name, {}])) }]
    return rankedMetricsOf(/** @type {any} */ ({ sweep: { kind: 'micro' }, cells }))
  }
  assert.deepEqual(metricsWith('nsPerOp', 'workPerOp'), ['nsPerOp'])
  assert.deepEqual(metricsWith('nsPerOp', 'startNsPerTimer', 'expireNsPerTimer'), ['startNsPerTimer', 'expireNsPerTimer'])
  assert.deepEqual(metricsWith('nsPerOp', 'nextExpiryNsPerCall', 'advanceNsPerCall'), ['nextExpiryNsPerCall', 'advanceNsPerCall'])
})
