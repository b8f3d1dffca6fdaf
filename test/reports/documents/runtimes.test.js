import { test } from 'node:test'
import assert from 'node:assert/strict'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { scenarioSections } from '../../../reports/documents/results.js'
import { runtimeBlocks } from '../../../reports/documents/runtimes.js'
import { smallRun } from '../fixture.js'

/**
 * The sorted list of the fixture on a server, with other flags and other figures.
 *
 * @param {Record<string, [number, number, number]>} costs  By flag: low, median and high.
 * @param {number} [n]  Samples.
 */
function blocksFor (costs, n = 3) {
  const { results, summary } = smallRun()
  const cell = /** @type {import('../../../harness/judge/summary.js').CellSummary} */ (summary.cells.find(({ scenario, queue }) => scenario === 'keep-alive' && queue === 'sorted-list'))
  const cells = Object.entries(costs).map(([flag, [low, median, high]]) => ({
    ...cell,
    runtime: `v20 --max-semi-space-size=${flag}`,
    metrics: { ...cell.metrics, cpuMicrosPerRequest: { ...cell.metrics.cpuMicrosPerRequest, low, median, high, n } }
  }))
  return renderMarkdown({ title: 'x', blocks: [], sections: scenarioSections(results, { ...summary, cells, skipped: [] }) }, 'pictures')
}

test('runtimes stand below each other, and the first that is as good as the lowest is named', () => {
  const text = blocksFor({ 16: [60, 64, 66], 64: [50, 52, 54], 256: [49, 51, 53] })
  assert.match(text, /By runtime, connections 50/)
  assert.match(text, /\| sorted-list \| v20 --max-semi-space-size=16 +\| +64 \(60–66\) \|[^]*\| sorted-list \| v20 --max-semi-space-size=256 +\| +51 \(49–53\) \|/)
  assert.match(text, /lowest with v20 --max-semi-space-size=256 \(51 \(49–53\) µs\); the first that is not clearly higher: v20 --max-semi-space-size=64 \(52 \(50–54\) µs\)\./)
})

test('a runtime that is shown to be the best is named alone', () => {
  assert.match(blocksFor({ 16: [60, 64, 66], 64: [50, 52, 54] }), /lowest with v20 --max-semi-space-size=64 \(52 \(50–54\) µs\); all before it are clearly higher\./)
})

test('the first runtime has none before it', () => {
  assert.match(blocksFor({ 16: [50, 52, 54], 64: [60, 64, 66] }), /lowest with v20 --max-semi-space-size=16 \(52 \(50–54\) µs\)\.\n/)
})

test('one sample does not show that a runtime is the best', () => {
  const text = blocksFor({ 16: [64, 64, 64], 64: [52, 52, 52] }, 1)
  assert.match(text, /lowest with v20 --max-semi-space-size=64 \(52 µs\); the first that is not clearly higher: v20 --max-semi-space-size=16 \(64 µs\)\./)
})

test('queues and metrics that are missing with one runtime keep their places', () => {
  const figure = (/** @type {number} */ median) => ({ metric: { unit: '', better: 'lower', median, low: median, high: median, n: 5, coverage: 0.94 } })
  const [time, work, bytes] = ['nsPerOp', 'workPerOp', 'bytesPerTimer'].map(metric => ({ metric, title: metric }))
  const tables = /** @type {any} */ ([
    { params: {}, runtime: 'v20', columns: [time, bytes], rows: [{ queue: 'heap', values: [figure(5), figure(56)] }] },
    { params: {}, runtime: 'v24', columns: [time, work, bytes], rows: [{ queue: 'heap', values: [figure(4), figure(8), null] }, { queue: 'node', values: [figure(3), figure(7), figure(90)] }] }
  ])
  const [table] = /** @type {any[]} */ (runtimeBlocks(tables))
  assert.deepEqual(table.columns.map((/** @type {any} */ { title }) => title), ['queue', 'runtime', 'nsPerOp', 'bytesPerTimer', 'workPerOp'])
  assert.deepEqual(table.rows.map((/** @type {any} */ { cells }) => cells.map((/** @type {any} */ { text }) => text)), [
    ['heap', 'v20', '5', '56', '-'],
    ['heap', 'v24', '4', '-', '8'],
    ['node', 'v24', '3', '90', '7']
  ])
})

test('one runtime has nothing to be compared with', () => {
  assert.doesNotMatch(blocksFor({ 16: [60, 64, 66] }), /By runtime/)
})
