import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { summarise } from '../../../harness/judge/summary.js'
import { describeCoverage, fewHeats, heatsIn, scenarioSections, summaryDocument } from '../../../reports/documents/results.js'
import { tablesOf } from '../../../reports/tables.js'
import { renderTerminal } from '../../../reports/render/terminal.js'
import { heatsRun } from '../fixture.js'

test('what is folded below maps names its runtime where there are several', () => {
  const metric = { unit: 'ns', better: 'lower', median: 5, low: 4, high: 6, n: 5, coverage: 0.9 }
  const foldsOn = (/** @type {string[]} */ ...runtimes) => {
    const places = runtimes.flatMap(runtime => [1, 2, 3].flatMap(size => [10, 20, 30].map(share => ({ runtime, params: { size, share } }))))
    const [section] = scenarioSections(/** @type {any} */ ({ samples: [] }), /** @type {any} */ ({
      settings: { control: { micro: 'none' } },
      environment: { node: 'v20' },
      scenarios: [{ name: 'mixed', kind: 'micro', title: '' }],
      queues: [{ name: 'heap' }],
      cells: places.map(place => ({ ...place, scenario: 'mixed', queue: 'heap', metrics: { nsPerOp: metric }, warnings: [] })),
      growth: [],
      skipped: []
    }))
    return section.blocks.flatMap(block => block.kind === 'fold' && block.title.startsWith('Share') ? [block.title] : [])
  }
  assert.deepEqual(foldsOn('v20'), ['Share 10', 'Share 20', 'Share 30'])
  assert.deepEqual(foldsOn('v20', 'v24'), ['v20', 'v24'].flatMap(runtime => ['10', '20', '30'].map(share => `Share ${share}, Node ${runtime}`)))
})

test('what is measured alone says so only where it was: without windows it comes from heats', () => {
  const { results } = heatsRun()
  const captionOf = (/** @type {import('../../../harness/store/results.js').Sample[]} */ samples) =>
    /^CPU per request is from heats.*\n.*$/m.exec(renderTerminal(summaryDocument(summarise({ ...results, samples })), picocolors.createColors(false)))?.[0].split('\n')[1]
  assert.equal(captionOf([...results.samples]), 'Requests/s are from windows in which each was alone: they rank no queues.')
  assert.equal(captionOf([...results.samples].filter(({ kind }) => kind !== 'alone')), 'Requests/s are from heats, too: compare them only with each other.')
})

test('a figure that is the only one of its table is not marked as the best', () => {
  const { results } = heatsRun()
  const [first] = summarise(results).cells
  const marksOf = (/** @type {import('../../../harness/store/results.js').Sample[]} */ samples) => tablesOf(summarise({ ...results, samples }))
    .flatMap(({ rows }) => rows.flatMap(({ values }) => values.filter(value => value?.best))).length
  assert.ok(marksOf([...results.samples]) > 0)
  assert.equal(marksOf([...results.samples].filter(({ queue }) => queue === first.queue)), 0)
})

test('a report of a slack sweep has a table of lateness, in which queues that are equally late have no best', () => {
  const figures = (/** @type {string} */ unit, /** @type {number} */ median) => ({ unit, better: 'lower', median, low: median, high: median, n: 1, coverage: 1 })
  const lateness = { heap: { 0: 0, 64: 62 }, wheel: { 0: 0, 64: 126 } }
  const summary = /** @type {any} */ ({
    settings: { control: { micro: 'none' } },
    environment: { node: 'v20' },
    scenarios: [{ name: 'cache', kind: 'micro', title: '' }],
    queues: Object.keys(lateness).map(name => ({ name })),
    cells: Object.entries(lateness).flatMap(([queue, late]) => Object.entries(late).map(([slack, ms]) => ({
      scenario: 'cache', params: { slack: Number(slack) }, queue, runtime: 'v20', metrics: { nsPerOp: figures('ns', 5), virtualLatenessP99Ms: figures('ms', ms) }, warnings: []
    }))),
    growth: [],
    skipped: []
  })
  const [section] = scenarioSections(/** @type {any} */ ({ samples: [] }), summary)
  const table = section.blocks.find(block => block.kind === 'table' && block.caption.startsWith('Lateness'))
  assert.ok(table?.kind === 'table')
  assert.equal(table.caption, 'Lateness of expiries in virtual time, 99th percentile, ms, by slack')
  assert.deepEqual(table.rows.map(({ cells }) => cells.map(({ text }) => text)), [['heap', '0', '62'], ['wheel', '0', '126']])
  assert.deepEqual(table.rows.map(({ cells }) => cells.map(({ best }) => best === true)), [[false, false, true], [false, false, false]])
  const shown = tablesOf(summary).map(({ columns, rows }) => rows.map(({ values }) => values[columns.findIndex(({ title }) => title === 'p99 late ms')]?.best))
  assert.deepEqual(shown, [[false, false], [true, false]])
})

test('a ratio of one heat has no interval, and says nothing about those of others', () => {
  const cellOf = (/** @type {number} */ n) => {
    const ratio = { to: 'lists', by: 'heat', median: 2, low: 1, high: 3, n, coverage: { 1: 0, 2: 0.5, 3: 0.95 }[n] }
    return /** @type {any} */ ({ scenario: 's', params: {}, queue: `q${n}`, runtime: 'v20', metrics: { nsPerOp: { n, ratio } }, warnings: [] })
  }
  const about = (/** @type {number[]} */ ...counts) => {
    const cells = counts.map(cellOf)
    return [describeCoverage(/** @type {any} */ (heatsIn(cells))), ...fewHeats(/** @type {any} */ ({ cells })).map(text => text.split('; ask')[0])]
  }
  assert.deepEqual(about(1, 3), ["coverage 95 %, by Student's t", 'one heat in 1 of 2 cells: no interval can be given, and only gross differences count'])
  assert.deepEqual(about(1, 2), ['coverage 50 %', 'one or two heats in 2 of 2 cells: the interval shown holds the true ratio with a probability of 50 % only, and only gross differences count'])
  assert.deepEqual(about(1), ['too few for an interval', 'one heat in 1 of 1 cell: no interval can be given, and only gross differences count'])
})
