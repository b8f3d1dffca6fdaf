/**
 * Runs that a reader may see, by what is special about them: in a terminal, and as reports. Golden files that were read
 * before they were committed.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { rank } from '../../harness/judge/rank.js'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument, seededCommand } from '../../reports/documents/run.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { renderTerminal } from '../../reports/render/terminal.js'
import { assertGolden, assertNarrow, joinCases } from './assert-golden.js'
import { heatsRun } from './fixture.js'

/** @import { CellSummary, MetricSummary, Summary } from '../../harness/judge/records.js' */

const { results, summary } = heatsRun()
const LONG_RUNTIME = `${summary.environment.node} --min-semi-space-size=16 --max-semi-space-size=64`

/**
 * The recorded run with other cells in place of each of its own, ranked again.
 *
 * @param {(cell: CellSummary, index: number) => CellSummary | CellSummary[]} change
 * @param {object} [more]
 * @returns {Summary}
 */
function runWith (change, more) {
  const run = { ...summary, cells: structuredClone(summary.cells).flatMap(change), ...more }
  return { ...run, ranking: rank(run) }
}

/** @type {(scenario: string) => (cell: CellSummary) => CellSummary[]} */
const only = scenario => cell => (cell.scenario === scenario ? [cell] : [])

/** @type {(cell: CellSummary, change: (figures: MetricSummary) => void) => CellSummary} */
function withFigures (cell, change) {
  Object.values(cell.metrics).forEach(change)
  return cell
}

/** @param {CellSummary} cell  Of a size: it is timed in phases, and its ratio is small. */
function inPhases ({ metrics: { nsPerOp, ...others }, ...cell }) {
  if (nsPerOp.ratio) Object.assign(nsPerOp.ratio, { low: 0.00661, median: 0.00732, high: 0.00814 })
  const queue = cell.queue === 'sorted-list' ? 'sorted-list-from-tail' : cell.queue
  return { ...cell, queue, metrics: { nsPerOp, startNsPerTimer: nsPerOp, expireNsPerTimer: nsPerOp, ...others } }
}

const { scenario, params, runtime } = summary.cells[summary.cells.length - 1]
const place = { scenario, params, runtime }
const skipped = [
  { ...place, queue: 'sorted-list', kind: 'crash', reason: 'the process ended' },
  { ...place, queue: 'binary-heap', kind: 'out-of-time', reason: 'the time was over' },
  { ...place, queue: 'duration-lists', kind: 'out-of-time', reason: 'the time was over' }
]

const RUNS = {
  'in virtual time only': runWith(only('refresh-one-duration')),
  'a server only': runWith(only('keep-alive')),
  'all figures of servers are from heats': runWith(cell =>
    withFigures(cell, figures => {
      figures.isShared = true
    })
  ),
  'servers that took turns, as they use all cores': runWith(
    cell =>
      only('keep-alive')(cell).map(server =>
        withFigures(server, ({ ratio }) => {
          if (ratio) ratio.by = 'round'
        })
      )
  ),
  'one heat': runWith(cell =>
    withFigures(cell, ({ ratio, others = [] }) => {
      for (const known of ratio ? [ratio, ...others] : others) {
        Object.assign(known, { n: 1, coverage: 0, low: known.median, high: known.median })
      }
    })
  ),
  'a runtime with a long name': runWith(cell => ({ ...cell, runtime: LONG_RUNTIME })),
  'two runtimes': runWith(cell => [cell, { ...cell, runtime: 'v99.0.0' }]),
  'one queue': runWith(cell => (/duration-lists/.test(cell.queue) ? [cell] : [])),
  'phases, small ratios and a long name': runWith(cell => (cell.params.size ? inPhases(cell) : [])),
  'fewer heats of some queues': runWith(cell =>
    withFigures(cell, ({ ratio }) => {
      if (ratio && cell.params.connections) ratio.n = cell.queue === 'sorted-list' ? 3 : 4
    })
  ),
  'queues without a figure': runWith(cell => (cell.params.size || cell.queue === 'node' ? [cell] : []), { skipped }),
  'two disturbed cells': runWith((cell, i) => ({
    ...cell,
    warnings: i < 2 ? [{ kind: 'shared-core', text: '7 %' }] : []
  }))
}

/** Two swept parameters on two runtimes. */
const SWEPT_TWICE = runWith(
  cell =>
    cell.params.size
      ? ['v20.20.2', 'v24.0.0'].flatMap(runtime =>
          [10, 20].map(share => ({ ...cell, runtime, params: { ...cell.params, share } }))
        )
      : []
)

/** Skipped in some places of two swept parameters: such places are merged where every value goes with every other. */
const SKIPPED = [1000, 10_000].flatMap(size =>
  [0, 50].flatMap(share => {
    const cell = { scenario: 'mixed', runtime: 'v20', params: { size, share }, kind: 'crash' }
    return [
      { ...cell, queue: 'list', reason: 'it died' },
      ...(size + share > 1000 ? [{ ...cell, queue: 'heap', reason: 'it died' }] : []),
      ...(share === 0 ? [{ ...cell, queue: 'wheel', reason: `it died at ${size}` }] : [])
    ]
  })
)
const PROGRAM = { command: ['npm', 'start'], cwd: '', path: '/users', startSeconds: 1, askedPort: 3000 }
const { plan } = results.run
const ofProgram = { ...results.run, plan: { ...plan, of: { program: PROGRAM } } }

test('runs in a terminal equal their golden file, within 80 columns but for long names of runtimes', () => {
  const text = joinCases({ ...RUNS, 'two swept parameters': SWEPT_TWICE }, run =>
    renderTerminal(summaryDocument(run), picocolors.createColors(false))
  )
  assertGolden('runs.terminal', text)
  assertNarrow(text, /^Next: |max-semi-space-size/)
})

test('reports of runs equal their golden file', () => {
  const odd = runWith(
    (cell, i) => (i > 8 ? { ...cell, warnings: [{ kind: 'put-off', text: `${7 + (i % 2)} ns`, more: i % 3 }] } : cell),
    { skipped: SKIPPED }
  )
  const reports = {
    'phases in wide tables': runDocument(results, RUNS['phases, small ratios and a long name']),
    'two swept parameters': runDocument(results, SWEPT_TWICE),
    'nothing measured in one scenario': runDocument(results, RUNS['a server only']),
    'skipped cells, warnings and open tables': runDocument(results, odd),
    "a user's program": runDocument(/** @type {any} */ ({ ...results, run: ofProgram }), summary)
  }
  assertGolden(
    'runs.markdown',
    joinCases(reports, report => renderMarkdown(report, 'pictures'))
  )
})

test("the command that reproduces a run has its seed before the program's words", () => {
  const settings = /** @type {any} */ ({ seed: 7 })
  for (const [command, repeated] of [
    ['timerq run', 'timerq run --seed 7'],
    ['timerq try --budget 28s -- node a.js --seed 3', 'timerq try --budget 28s --seed 7 -- node a.js --seed 3'],
    ['timerq run --seed=7', 'timerq run --seed=7'],
    ['node measure.js', 'node measure.js']
  ]) {
    assert.equal(seededCommand({ command: command.split(' '), settings }).join(' '), repeated)
  }
})
