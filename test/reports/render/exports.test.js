/** Summaries for other programs, and the schema. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { summarise } from '../../../harness/judge/summary.js'
import { formats } from '../../../reports/formats.js'
import { render as renderCsv } from '../../../reports/render/exports/csv.js'
import { withAnswer } from '../../../reports/answers/run.js'
import { render as renderComment } from '../../../reports/render/gate/comment.js'
import { recordWith, rowOf } from '../comparison-record.js'
import { heatsRun } from '../fixture.js'
import { renamed } from '../renamed.js'

const { results, summary } = heatsRun()

test('csv quotes what would end a field, disarms what a spreadsheet would run, and holds no control characters', () => {
  const text = renderCsv({ summary: summarise(renamed(results, '=HYPERLINK("http://x","y"),\n1\u001b[2Jb\u202e\r')) })
  assert.match(text, /,"'=HYPERLINK\(""http:\/\/x"",""y""\),\n1 \[2Jb {2}",/)
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202e]/u)
})

test('an open end of an interval is no value, in every export', async () => {
  const [{ metrics, ...cell }] = summary.cells
  const open = { ...summary, cells: [{ ...cell, metrics: { nsPerOp: { ...metrics.nsPerOp, high: Infinity } } }] }
  for (const [name, { load, isDocument }] of Object.entries(formats)) {
    if (!load || isDocument) continue
    const { render } = await load()
    const [text, usual] = [open, summary].map(summary => render({ document: () => assert.fail(), summary }))
    assert.doesNotMatch(text, /null|Infinity|NaN/, name)
    assert.ok(usual.length > text.length, name)
  }
})

test('a summary keeps its published schema', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../../harness/store/schema/summary.schema.json', import.meta.url), 'utf8')
  )
  const validate = new Ajv({ allErrors: true }).compile(schema)
  validate(JSON.parse(JSON.stringify(withAnswer(summary))))
  assert.deepEqual(validate.errors, null)
  assert.equal(validate({ ...summary, ranking: { ...summary.ranking, take: 'wheel' } }), false)
  assert.equal(
    validate({ ...summary, cells: [{ ...summary.cells[0], metrics: { nsPerOp: { median: 'fast' } } }] }),
    false
  )
})

test('a comment of a thousand rows has room on GitHub, with the rows that changed first', () => {
  for (const slower of [1, 600]) {
    const rows = Array.from({ length: 1130 }, (_, i) =>
      rowOf(i < 1130 - slower ? 'same' : 'slower', { queue: `task ${i} of a file with many tasks` })
    )
    const text = renderComment(recordWith(...rows, 'work'))
    assert.ok(text.length < 60_000, `${text.length} characters`)
    assert.match(text, /❌ task 1129 of a file|❌ 12\.3 % slower/)
    assert.match(text, /\d+ further rows are in the job's summary/i)
  }
  assert.doesNotMatch(renderComment(recordWith('same', 'slower')), /further rows/)
})
