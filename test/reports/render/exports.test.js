/** Summaries for other programs: CSV, github-action-benchmark, Bencher, and the schema. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { summarise } from '../../../harness/judge/summary.js'
import { cellId } from '../../../harness/model/cell.js'
import { renderBencher, renderBenchmarkAction, renderCsv } from '../../../reports/render/exports.js'
import { withAnswer } from '../../../reports/answers/run.js'
import { heatsRun } from '../fixture.js'
import { renamed } from '../renamed.js'

const { results, summary } = heatsRun()
const HEAP = 'refresh-one-duration size=10 binary-heap v20.20.2'
const heap = summary.cells.find(cell => cellId(cell) === HEAP)
const heapMedian = Number(heap?.metrics.nsPerOp.median.toPrecision(7))

test('csv quotes what would end a field, disarms what a spreadsheet would run, and holds no control characters', () => {
  const text = renderCsv(summarise(renamed(results, '=HYPERLINK("http://x","y"),\n1\u001b[2Jb\u202e\r')))
  assert.match(text, /,"'=HYPERLINK\(""http:\/\/x"",""y""\),\n1 \[2Jb {2}",/)
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202e]/u)
})

test('github-action-benchmark gets the metrics that are worse when they rise', () => {
  const entries = JSON.parse(renderBenchmarkAction(summary))
  const entry = entries.find((/** @type {any} */ { name }) => name === `${HEAP} nsPerOp`)
  assert.deepEqual([entry.unit, entry.value], ['ns', heapMedian])
  assert.match(entry.range, /^± [\d.]+$/)
  for (const { name, unit, value } of entries) {
    assert.equal(typeof name + typeof unit + typeof value, 'stringstringnumber')
    assert.doesNotMatch(name, /requestsPerSecond|pendingPeak/)
  }
  assert.equal(new Set(entries.map((/** @type {any} */ { name }) => name)).size, entries.length)
})

test('Bencher gets a measure for each metric, with its interval', () => {
  const benchmarks = JSON.parse(renderBencher(summary))
  const measure = benchmarks[HEAP]['ns-per-op']
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
