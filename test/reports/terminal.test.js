import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { renderTerminal } from '../../reports/terminal.js'
import { smallRun } from './fixture.js'

const plain = picocolors.createColors(false)

test('of the numbers of samples the legend names the ends', () => {
  const { summary } = smallRun()
  const [first, second, ...rest] = summary.cells
  const withCount = (/** @type {typeof first} */ cell, /** @type {number} */ n) =>
    ({ ...cell, metrics: Object.fromEntries(Object.entries(cell.metrics).map(([name, metric]) => [name, { ...metric, n: metric.n > 1 ? n : 1 }])) })
  const text = renderTerminal({ ...summary, cells: [withCount(first, 5), withCount(second, 2), ...rest] }, plain)
  assert.match(text, /interval of 2–5 fresh processes a cell/)
  assert.match(renderTerminal(summary, plain), /interval of 3 fresh processes a cell/)
})
