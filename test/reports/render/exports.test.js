/** Summaries for other programs: CSV, github-action-benchmark, Bencher, and the schema. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { summarise } from '../../../harness/judge/summary.js'
import { renderBencher, renderBenchmarkAction, renderCsv } from '../../../reports/render/exports.js'
import { withAnswer } from '../../../reports/answers/run.js'
import { heatsRun } from '../fixture.js'
import { renamed } from '../renamed.js'

const { results, summary } = heatsRun()
const HEAP = { scenario: 'refresh-one-duration', queue: 'binary-heap', params: { size: 10 } }
const heap = summary.cells.find(
  ({ scenario, queue, params }) => scenario === HEAP.scenario && queue === HEAP.queue && params.size === 10
)
const heapMedian = Number(heap?.metrics.nsPerOp.median.toPrecision(7))

test('csv has a line for each cell and metric', () => {
  const text = renderCsv(summary)
  assert.equal(
    text.trimEnd().split('\n').length - 1,
    summary.cells.reduce((sum, { metrics }) => sum + Object.keys(metrics).length, 0)
  )
})

test('csv quotes what would end a field, and disarms what a spreadsheet would run', () => {
  const text = renderCsv(summarise(renamed(results, '=HYPERLINK("http://x","y"),\n1')))
  assert.match(text, /,"'=HYPERLINK\(""http:\/\/x"",""y""\),\n1",/)
})

test('csv holds no control characters but the ends of its lines', () => {
  const text = renderCsv(summarise(renamed(results, 'a\u001b[2Jb\u202e\r')))
  assert.match(text, /,a \[2Jb {2},/)
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202e]/u)
})

test('github-action-benchmark gets the metrics that are worse when they rise', () => {
  const entries = JSON.parse(renderBenchmarkAction(summary))
  const entry = entries.find(
    (/** @type {any} */ { name }) => name === 'refresh-one-duration size=10 binary-heap v20.20.2 nsPerOp'
  )
  assert.deepEqual({ unit: entry.unit, value: entry.value }, { unit: 'ns', value: heapMedian })
  assert.match(entry.range, /^± [\d.]+$/)
  for (const { name, unit, value } of entries) {
    assert.equal(typeof name + typeof unit + typeof value, 'stringstringnumber')
    assert.doesNotMatch(name, /requestsPerSecond|pendingPeak/)
  }
  assert.equal(new Set(entries.map((/** @type {any} */ { name }) => name)).size, entries.length)
})

test('Bencher gets a measure for each metric, with its interval', () => {
  const benchmarks = JSON.parse(renderBencher(summary))
  const measure = benchmarks['refresh-one-duration size=10 binary-heap v20.20.2']['ns-per-op']
  assert.equal(measure.value, heapMedian)
  assert.ok(measure.lower_value <= measure.value && measure.value <= measure.upper_value)
})

test('a summary keeps its published schema', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../../harness/store/schema/summary.schema.json', import.meta.url), 'utf8')
  )
  const validate = new Ajv({ allErrors: true }).compile(schema)
  validate(JSON.parse(JSON.stringify(withAnswer(summary))))
  assert.deepEqual(validate.errors, null)
  assert.equal(validate({ ...summary, ranking: { ...summary.ranking, take: 'wheel' } }), false)
  assert.equal(validate({ ...summary, growth: summary.growth.map(({ exponent, ...growth }) => growth) }), false)
  assert.equal(
    validate({ ...summary, cells: [{ ...summary.cells[0], metrics: { nsPerOp: { median: 'fast' } } }] }),
    false
  )
})
