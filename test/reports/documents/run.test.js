import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../../harness/judge/summary.js'
import { runDocument } from '../../../reports/documents/run.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { renderPage } from '../../../reports/render/page/page.js'
import { smallRun } from '../fixture.js'

/**
 * @param {import('../../../harness/store/results.js').Results} results
 * @param {Partial<import('../../../harness/judge/summary.js').Summary>} [changed]
 */
function render (results, changed = {}) {
  const summary = { ...summarise(results), ...changed }
  const document = runDocument(results, summary)
  return { markdown: renderMarkdown(document, 'pictures'), page: renderPage(document, results, summary) }
}

test('a report is the same, however the path of its results is typed', () => {
  const { results } = smallRun()
  assert.deepEqual(render({ ...results, directory: './results/small/' }), render(results))
})

test('the command to repeat a run does not name its folder, which is not empty any more', () => {
  const { results } = smallRun()
  const command = ['timerq', 'run', '--out', 'results/x', '--queue', './my queue.js', '--out=results/y']
  const { markdown } = render({ ...results, run: { ...results.run, command } })
  assert.match(markdown, /\ntimerq run --queue '\.\/my queue\.js' --seed 1\n/)
})

test('what is missing of a scenario without parameters is named without gaps', () => {
  const { results, summary: { cells: [cell] } } = smallRun()
  const nowhere = { scenario: 'trace', params: {}, queue: 'wheel', runtime: 'v20' }
  const { markdown } = render(results, {
    skipped: [{ ...nowhere, kind: 'crash', reason: 'it died' }],
    cells: [{ ...cell, ...nowhere, warnings: ['rare slow cycles: 7 ns'] }]
  })
  assert.match(markdown, /^- wheel on trace: it died\.$/m)
  assert.match(markdown, /^- wheel on trace: 7 ns\.$/m)
})
