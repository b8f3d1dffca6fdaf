import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument } from '../../reports/documents/run.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { picturesOf } from '../../reports/render/pictures.js'
import { renderTerminal } from '../../reports/render/terminal.js'
import { assertGolden } from './assert-golden.js'
import { heatsRun, smallRun } from './fixture.js'

/** One of each kind is enough. */
const HEATS_PICTURES = ['refresh-one-duration-time-per-operation-ratio-to-duration-lists.svg', 'keep-alive-server-cpu-per-request-ratio-to-node.svg']
const PICTURES = ['refresh-one-duration-time-per-operation.svg', 'keep-alive-latency.svg', 'keep-alive-server-cpu-per-request-dark.svg',
  'keep-alive-garbage-collection-pauses.svg']

/** @returns {{name: string, text: string}[]} */
function renderAll () {
  const { results, summary } = smallRun()
  const document = runDocument(results, summary)
  const heats = heatsRun()
  const ofHeats = runDocument(heats.results, heats.summary)
  return [
    { name: 'report.md', text: renderMarkdown(document, 'report-pictures') },
    { name: 'summary.json', text: JSON.stringify(summary, null, 2) + '\n' },
    ...picturesOf(document).filter(({ name }) => PICTURES.includes(name)).map(({ name, text }) => ({ name: `report-pictures/${name}`, text })),
    { name: 'heats.txt', text: renderTerminal(summaryDocument(heats.summary), picocolors.createColors(false)) },
    { name: 'heats-report.md', text: renderMarkdown(ofHeats, 'report-pictures') },
    ...picturesOf(ofHeats).filter(({ name }) => HEATS_PICTURES.includes(name)).map(({ name, text }) => ({ name: `report-pictures/${name}`, text }))
  ]
}

const again = new Map(renderAll().map(({ name, text }) => [name, text]))

for (const { name, text } of renderAll()) {
  test(`${name} is as it was when somebody last read it`, () => {
    assertGolden(name, text)
  })

  test(`${name} has the same bytes every time`, () => {
    assert.equal(text, again.get(name))
  })
}
