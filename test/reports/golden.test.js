import { test } from 'node:test'
import assert from 'node:assert/strict'
import { runDocument } from '../../reports/documents/run.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { picturesOf } from '../../reports/render/pictures.js'
import { assertGolden } from './assert-golden.js'
import { smallRun } from './fixture.js'

/** One of each kind is enough. */
const PICTURES = ['refresh-one-duration-time-per-operation.svg', 'keep-alive-latency.svg', 'keep-alive-server-cpu-per-request-dark.svg',
  'keep-alive-garbage-collection-pauses.svg']

/** @returns {{name: string, text: string}[]} */
function renderAll () {
  const { results, summary } = smallRun()
  const document = runDocument(results, summary)
  return [
    { name: 'report.md', text: renderMarkdown(document, 'report-pictures') },
    { name: 'summary.json', text: JSON.stringify(summary, null, 2) + '\n' },
    ...picturesOf(document).filter(({ name }) => PICTURES.includes(name)).map(({ name, text }) => ({ name: `report-pictures/${name}`, text }))
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
