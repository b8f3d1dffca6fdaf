/** Reports of a small run, compared with golden files that were read before they were committed. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument } from '../../reports/documents/run.js'
import { renderCsv } from '../../reports/render/exports.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { picturesOf } from '../../reports/render/pictures.js'
import { renderTerminal } from '../../reports/render/terminal.js'
import { assertGolden } from './assert-golden.js'
import { heatsRun } from './fixture.js'

/** Pictures to compare: lines and dots, light and dark. */
const PICTURES = [
  'refresh-one-duration-time-per-operation-ratio-to-duration-lists.svg',
  'keep-alive-server-cpu-per-request-ratio-to-node-dark.svg'
]

/** @returns {[name: string, text: string][]} */
function renderAll () {
  const { results, summary } = heatsRun()
  const document = runDocument(results, summary)
  return [
    ['heats.txt', renderTerminal(summaryDocument(summary), picocolors.createColors(false))],
    ['heats-report.md', renderMarkdown(document, 'report-pictures')],
    ['summary.csv', renderCsv(summary)],
    ...picturesOf(document)
      .filter(({ name }) => PICTURES.includes(name))
      .map(({ name, text }) => /** @type {[string, string]} */ ([`report-pictures/${name}`, text]))
  ]
}

const secondTexts = new Map(renderAll())

for (const [name, text] of renderAll()) {
  test(`${name} equals its golden file, and is rendered the same way twice`, () => {
    assertGolden(name, text)
    assert.equal(text, secondTexts.get(name))
  })
}
