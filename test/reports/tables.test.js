/** Tables of a run, with their marks and cautions. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../harness/judge/summary.js'
import { cautions, describeIntervals, scenarioSections, summaryDocument } from '../../reports/documents/results.js'
import { contentsOf, growthTables, resultTable } from '../../reports/tables.js'
import { summaryOf } from '../harness/judge/summary-of-heats.js'
import { heatsRun, withSamples } from './fixture.js'

/** @import { Summary } from '../../harness/judge/records.js' */

/** @param {Summary} summary */
const sectionOf = summary => scenarioSections(summary)[0]

/** @param {{rows: {cells: {text: string}[]}[]}} table */
const textsOf = table => table.rows.map(({ cells }) => cells.map(({ text }) => text))

const figures = (/** @type {string} */ unit, /** @type {number} */ median) => ({
  unit,
  better: 'lower',
  median,
  low: median,
  high: median,
  n: 1,
  coverage: 1
})

/**
 * A summary of one micro scenario.
 *
 * @param {{params: Record<string, number>, queue: string, runtime?: string, metrics: object}[]} cells
 * @param {object} [more]
 */
function summaryWith (cells, more = {}) {
  const summary = summaryOf({})
  return /** @type {Summary} */ (
    /** @type {any} */ ({
      ...summary,
      scenarios: [{ name: 'mixed', kind: 'micro', title: '' }],
      queues: [...new Set(cells.map(({ queue }) => queue))].map(name => ({ name })),
      cells: cells.map(cell => ({ runtime: 'v20', ...cell, scenario: 'mixed', warnings: [] })),
      ...more
    })
  )
}

test('the fastest queue and the lowest count are marked, but not in a table of one queue', () => {
  const { results, summary } = heatsRun()
  const [{ queue: first }] = summary.cells
  const marksOf = (/** @type {Summary} */ summary) =>
    contentsOf(summary)
      .flatMap(content => resultTable(content, summary).rows)
      .flatMap(({ cells: [{ text }, ...cells] }) => cells.flatMap(({ best }, i) => (best ? [`${text} ${i}`] : [])))
  assert.deepEqual(marksOf(summary).slice(0, 3), ['duration-lists 0', 'binary-heap 4', 'sorted-list 5'])
  const alone = [...results.samples].filter(({ queue }) => queue === first)
  assert.deepEqual(marksOf(summarise(withSamples(results, alone))), [])
})

test('phases of a cycle stand next to their sum, which ranks', () => {
  const summary = summaryOf({ 'refresh 100': { wheel: [0.4, 0.5, 0.6] } })
  for (const cell of summary.cells) {
    Object.assign(cell.metrics, {
      startNsPerTimer: cell.metrics.nsPerOp,
      expireNsPerTimer: cell.metrics.nsPerOp,
      workPerOp: figures('blocks', 3)
    })
  }
  const { columns, rows } = resultTable(contentsOf(summary)[0], summary)
  assert.deepEqual(
    columns.map(({ title, wide }) => (wide ? `(${title})` : title)),
    ['queue', 'ns/op', 'ratio', 'start ns', '(ratio)', 'expire ns', '(ratio)', '(work/op)', '(heats)']
  )
  assert.deepEqual(
    rows.map(({ cells }) => cells.slice(0, 3).map(({ text }) => text)),
    [
      ['wheel', '50 (90–110)', '0.50x (0.40–0.60)'],
      ['lists', '100 (90–110)', '1.00x']
    ]
  )
})

test('a swept parameter has a table with the growth of each queue, and more parameters have a fold ' +
  'for each line', () => {
  const cells = ['v20', 'v24'].flatMap(runtime =>
    [1, 2, 3].flatMap(size =>
      [10, 20, 30].map(share => ({
        runtime,
        params: { size, share },
        queue: 'heap',
        metrics: { nsPerOp: figures('ns', size) }
      }))
    )
  )
  const place = { scenario: 'mixed', runtime: 'v20', queue: 'heap', parameter: 'size', metric: 'nsPerOp' }
  const growth = [10, 20].map(share => ({ ...place, params: { share }, exponent: share, low: share, high: share }))
  const folds = sectionOf(summaryWith(cells, { growth })).blocks.flatMap(block =>
    block.kind === 'fold' && block.title.startsWith('Share') ? [block] : []
  )
  assert.deepEqual(
    folds.map(({ title }) => title),
    ['v20', 'v24'].flatMap(runtime => ['10', '20', '30'].map(share => `Share ${share}, Node ${runtime}`))
  )
  const tables = folds.map(({ blocks }) => blocks.flatMap(block => (block.kind === 'table' ? textsOf(block) : [])))
  assert.deepEqual(tables.slice(0, 3), [
    [['heap', '1', '2', '3', '10.00']],
    [['heap', '1', '2', '3', '20.00']],
    [['heap', '1', '2', '3']]
  ])
  assert.deepEqual(
    growthTables(summaryWith(cells, { growth }), 'mixed').map(table => [table.caption, ...textsOf(table)]),
    [
      ['growth with size, share 10, Node v20', ['heap', '10.00']],
      ['growth with size, share 20, Node v20', ['heap', '20.00']]
    ]
  )
})

test('the legend of a run of several runtimes names the command that compares two', () => {
  const { summary } = heatsRun()
  const legendWith = (/** @type {string} */ runtime) =>
    JSON.stringify(summaryDocument({ ...summary, cells: [...summary.cells, { ...summary.cells[0], runtime }] }))
  assert.match(legendWith('v99'), /Runtimes do not meet in heats here: timerq gate --runtime compares two\./)
  assert.doesNotMatch(legendWith(summary.cells[0].runtime), /gate --runtime/)
})

test('the heats behind the ratios are counted, and too few of them are a caution', () => {
  const about = (/** @type {number} */ n, /** @type {number} */ coverage) => {
    const summary = summaryOf({ 'refresh 100': { wheel: [0.4, 0.5, 0.6] } }, { n, coverage })
    return [describeIntervals(summary.cells), ...cautions(summary)]
  }
  assert.deepEqual(about(8, 0.953), ['x is paired within 8 heats (coverage 95 %); times move with the machine.'])
  assert.deepEqual(about(1, 0), [
    'x is paired within 1 heat (no interval yet); times move with the machine.',
    'fewer than 3 heats in 1 of 2 cells: only gross differences count; ask for more rounds, or for fewer cells'
  ])
})

test('disturbed cells are counted in one caution', () => {
  const { summary } = heatsRun()
  summary.cells.forEach((cell, i) => {
    cell.warnings = i < 2 ? [{ kind: 'shared-core', text: '7 %' }] : []
  })
  assert.deepEqual(cautions(summary), [
    'other programs ran on the measured core in 2 of 13 cells: repeat the run on a quiet machine'
  ])
})
