import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../../harness/judge/summary.js'
import { renderPage } from '../../../reports/render/page/page.js'
import { heatsRun } from '../fixture.js'

/**
 * @param {number} copies  Of each sample.
 */
function pageOf (copies) {
  const { results } = heatsRun()
  const summary = summarise(results)
  const samples = Array.from({ length: copies }, (_, copy) => [...results.samples].map(sample => ({ ...sample, round: copy }))).flat()
  const page = renderPage({ title: 'x', blocks: [], sections: [] }, { ...results, samples }, summary)
  const [, data] = page.match(/id="sample-data">(.*)<\/script>/) ?? []
  return { page, total: samples.length, cells: summary.cells.length, rows: /** @type {any[][]} */ (JSON.parse(data).samples) }
}

test('a page holds all samples of a usual run', () => {
  const { page, total, rows } = pageOf(2)
  assert.equal(rows.length, total)
  assert.doesNotMatch(page, /too many samples/)
})

test('of very many samples, a page holds the first and the last of each cell, says how many, and where all are', () => {
  const { results } = heatsRun()
  const { page, total, cells, rows } = pageOf(Math.ceil(60_000 / results.samples.length))
  assert.ok(total > 50_000)
  assert.ok(rows.length <= 50_000 && rows.length > 40_000, String(rows.length))
  const half = Math.floor(50_000 / cells / 2)
  assert.match(page, new RegExp(`of each cell it shows at most ${2 * half}, the first ${half} and the last ${half}; samples\\.jsonl has all\\.`))
  const lines = rows.filter(([cell]) => cell === 0).map(([, line]) => line)
  assert.equal(lines.length, 2 * half)
  assert.ok(lines[0] <= results.samples.length && lines.at(-1) > total - results.samples.length)
})
