/** Reports of a small run, and comparisons of many kinds: golden files that were read before they were committed. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { comparisonDocument } from '../../reports/documents/comparison.js'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument } from '../../reports/documents/run.js'
import { formats, gateReports } from '../../reports/formats.js'
import { picturesOf } from '../../reports/render/exports/markdown.js'
import { renderTerminal } from '../../reports/render/terminal.js'
import { assertGolden, joinCases } from './assert-golden.js'
import { CASES } from './comparison-record.js'
import { heatsRun } from './fixture.js'

/** Pictures to compare: lines and dots, light and dark. */
const PICTURES = [
  'refresh-one-duration-time-per-operation-ratio-to-duration-lists.svg',
  'keep-alive-server-cpu-per-request-ratio-to-node-dark.svg'
]
/** Most of a page is compressed. */
const PACKED = ['html']
const PLAIN = picocolors.createColors(false)
const FILES = new Map([['wheel', 'src/a,b.js']])

/** @returns {Promise<[name: string, text: string][]>} */
async function renderAll () {
  const { results, summary } = heatsRun()
  const document = () => runDocument(results, summary)
  const loaded = Object.entries(formats).filter(([name, { load }]) => load && !PACKED.includes(name))
  const reports = loaded.map(async ([name, { load }]) => [
    `heats.${name}`,
    (await load?.())?.render({ document, summary })
  ])
  const comparisons = Object.entries(gateReports).map(async ([name, { load }]) => {
    const { render } = await load()
    return [`comparisons.${name}`, joinCases(CASES, record => render(record, FILES))]
  })
  return /** @type {any} */ ([
    ['heats.terminal', renderTerminal(summaryDocument(summary), PLAIN)],
    ['comparisons.terminal', joinCases(CASES, record => renderTerminal(comparisonDocument(record), PLAIN))],
    ...(await Promise.all([...reports, ...comparisons])),
    ...picturesOf(document())
      .filter(({ name }) => PICTURES.includes(name))
      .map(({ name, text }) => [`report-pictures/${name}`, text])
  ])
}

const secondTexts = new Map(await renderAll())

for (const [name, text] of await renderAll()) {
  test(`${name} equals its golden file, and is rendered the same way twice`, () => {
    assertGolden(name, text)
    assert.equal(text, secondTexts.get(name))
  })
}
