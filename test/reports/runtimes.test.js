import { test } from 'node:test'
import assert from 'node:assert/strict'
import { renderMarkdown } from '../../reports/markdown.js'
import { scenarioSections } from '../../reports/results-section.js'
import { smallRun } from './fixture.js'

/**
 * The sorted list of the fixture on a server, with other flags and other figures.
 *
 * @param {Record<string, [number, number, number]>} costs  By flag: low, median and high.
 */
function blocksFor (costs) {
  const { results, summary } = smallRun()
  const cell = /** @type {import('../../harness/summary.js').CellSummary} */ (summary.cells.find(({ scenario, queue }) => scenario === 'keep-alive' && queue === 'sorted-list'))
  const cells = Object.entries(costs).map(([flag, [low, median, high]]) => ({
    ...cell,
    runtime: `v20 --max-semi-space-size=${flag}`,
    metrics: { ...cell.metrics, cpuMicrosPerRequest: { ...cell.metrics.cpuMicrosPerRequest, low, median, high } }
  }))
  return renderMarkdown({ title: 'x', blocks: [], sections: scenarioSections(results, { ...summary, cells, skipped: [] }) }, 'pictures')
}

test('runtimes stand below each other, and the first that is as good as the least is named', () => {
  const text = blocksFor({ 16: [60, 64, 66], 64: [50, 52, 54], 256: [49, 51, 53] })
  assert.match(text, /By runtime, connections 50/)
  assert.match(text, /\| sorted-list \| v20 --max-semi-space-size=16 +\| +64 \(60–66\) \|[^]*\| sorted-list \| v20 --max-semi-space-size=256 +\| +51 \(49–53\) \|/)
  assert.match(text, /the least with v20 --max-semi-space-size=256 \(51 \(49–53\) µs\); the first that is not shown to exceed it: v20 --max-semi-space-size=64 \(52 \(50–54\) µs\)\./)
})

test('a runtime that is shown to be the best is named alone', () => {
  assert.match(blocksFor({ 16: [60, 64, 66], 64: [50, 52, 54] }), /the least with v20 --max-semi-space-size=64 .*, which all that come before it are shown to exceed\./)
})

test('one runtime has nothing to be compared with', () => {
  assert.doesNotMatch(blocksFor({ 16: [60, 64, 66] }), /By runtime/)
})
