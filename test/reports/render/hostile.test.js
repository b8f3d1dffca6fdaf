/** Names and messages that mean no good, or are very long, in every format. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { createColors } from 'picocolors'
import { Console } from '../../../bin/console.js'
import { withoutWorkflowCommands } from '../../../harness/model/text.js'
import { judgeFailed } from '../../../harness/judge/row.js'
import { summarise } from '../../../harness/judge/summary.js'
import { comparisonDocument } from '../../../reports/documents/comparison.js'
import { summaryDocument } from '../../../reports/documents/results.js'
import { runDocument } from '../../../reports/documents/run.js'
import { escapeText } from '../../../reports/markup.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { render as renderAnnotations } from '../../../reports/render/gate/annotations.js'
import { render as renderComment } from '../../../reports/render/gate/comment.js'
import { render as renderJunit } from '../../../reports/render/gate/junit.js'
import { renderTerminal } from '../../../reports/render/terminal.js'
import { recordWith } from '../comparison-record.js'
import { heatsRun } from '../fixture.js'
import { renamed } from '../renamed.js'

/** A clear screen, a bell, a title of the window, a reversed reading order, commands of GitHub, HTML, a table's bar. */
const HOSTILE =
  'x\u001b[2J\u0007\u001b]0;owned\u0007\u009b31m\u202egnp\r\n::error file=a::x\n##[set-output name=verdict]pass\n' +
  '<script>alert(1)</script>|`*_[a](javascript:b)@everyone%0A::error::y'

const row = {
  scenario: HOSTILE,
  params: { size: 10 },
  queue: HOSTILE,
  runtime: HOSTILE,
  metric: 'nsPerOp',
  gates: true,
  pairs: [],
  rounds: 0,
  failure: HOSTILE
}
const record = {
  ...recordWith(judgeFailed(row)),
  base: HOSTILE,
  head: HOSTILE,
  unmatched: [{ ...row, reason: HOSTILE }],
  warnings: [HOSTILE],
  command: ['timerq', HOSTILE]
}
const document = comparisonDocument(record)
/** All but line feeds. */
const OBEYED = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u

test('a terminal gets no control character from names, messages or warnings', () => {
  const text = renderTerminal(document, createColors(false))
  assert.doesNotMatch(text, OBEYED)
  assert.match(text, /owned/, 'the text is there')
})

test('JUnit holds no markup of data', () => assert.doesNotMatch(renderJunit(record), /<script|[^\P{Cc}\n]/u))

test('JUnit and drawings hold no character that XML 1.0 forbids', () => {
  const forbidden = 'a\uffff\ufffe\ud800\u0000b'
  const xml = renderJunit({ ...record, verdict: 'inconclusive', unmeasured: [forbidden] })
  assert.doesNotMatch(xml, /[\p{Cs}\ufffe\uffff\0]/u)
  assert.match(xml, /message="a {4}b"/)
  assert.equal(escapeText('😀'), '😀')
})

/** Names of tasks and groups, which are alike but for their ends. */
const LONG = { queue: `${'task '.repeat(60)}one`, scenario: `${'group '.repeat(50)}two` }

test('long names make no long line in a comparison, and the whole reason follows', () => {
  const rowOf = (/** @type {object} */ more) => judgeFailed({ ...row, ...LONG, runtime: 'v20', failure: 'no', ...more })
  const long = {
    ...record,
    comparisons: [rowOf({}), rowOf({ queue: LONG.queue.replace(/one$/, 'six') })],
    unmatched: [{ ...row, ...LONG, runtime: 'v20', reason: `no ${LONG.queue} in the base` }],
    warnings: [`${LONG.queue} on ${LONG.scenario}: is as cheap as an empty loop`],
    command: ['timerq', 'gate', '--task', LONG.queue]
  }
  const compared = comparisonDocument(long)
  for (const text of [...textsOf(compared), renderComment(long)]) {
    assertShortLines(text, { mostInTables: 360, ends: ['one', 'six', 'two'] })
  }
  assert.ok(renderMarkdown(compared).includes(LONG.queue), 'a command is there to be copied')
})

test('long names make no long line in a run, nor in its report', () => {
  const long = renamed(heatsRun().results, LONG.queue, LONG.scenario)
  const summary = summarise(long)
  for (const document of [summaryDocument(summary), runDocument(long, summary)]) {
    for (const text of textsOf(document)) assertShortLines(text, { mostInTables: 460, ends: ['one', 'two'] })
  }
  assert.ok(JSON.stringify(summary).includes(LONG.queue), 'JSON has the whole name')
})

/** @param {import('../../../reports/blocks.js').Document} document */
const textsOf = document => [renderMarkdown(document), renderTerminal(document, createColors(false))]

/**
 * @param {string} text
 * @param {{mostInTables: number, ends: string[]}} expected
 */
function assertShortLines (text, { mostInTables, ends }) {
  for (const end of ends) assert.match(text, new RegExp(`….{17}${end}\\b`))
  for (const [, file] of text.matchAll(/srcset="\/([^"]+)"/g)) assert.ok(file.length <= 255, file)
  for (const line of text.split('\n')) {
    if (/^ *timerq |^Next: |srcset|<img/.test(line)) continue
    const most = line.startsWith('|') ? mostInTables : 420
    assert.ok(line.length <= most, `${line.length}: ${line}`)
  }
}

test('an annotation is one command, whatever the names say', () => {
  const lines = renderAnnotations(record, new Map([[HOSTILE, HOSTILE]])).split('\n')
  assert.equal(lines.pop(), '')
  assert.deepEqual(
    lines.map(line => /^::error title=timerq%3A invalid(,file=[^,:]*)?::/.test(line)),
    [true, true]
  )
  assert.ok(lines.every(line => !/\p{Cc}/u.test(line)))
  assert.match(lines[1], /%250A/, 'what looks like an escape stays text')
})

test('on GitHub no line of a result, a note or progress is a command', t => {
  const before = process.env.GITHUB_ACTIONS
  process.env.GITHUB_ACTIONS = 'true'
  t.after(() => {
    if (before === undefined) delete process.env.GITHUB_ACTIONS
    else process.env.GITHUB_ACTIONS = before
  })
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const console = new Console({ stdout, stderr }, {})
  for (const json of [true, false]) console.show({ json }, { document: () => document, value: record })
  console.print(renderMarkdown(document))
  console.note(`difference: ${HOSTILE}`)
  console.showProgress({ done: 1, total: 2, unit: 'steps', text: HOSTILE })
  for (const written of [String(stdout.read()), String(stderr.read())]) {
    assert.doesNotMatch(written, /^\s*::/m)
    assert.doesNotMatch(written, /##\[/)
  }
  console.annotate('::error::ours\n')
  assert.equal(String(stderr.read()), '::error::ours\n')
})

test('JSON on GitHub says the same as elsewhere', () => {
  const stdout = new PassThrough()
  new Console({ stdout, stderr: new PassThrough() }, {}).show(
    { json: true },
    { document: () => document, value: record }
  )
  assert.deepEqual(JSON.parse(String(stdout.read())), JSON.parse(JSON.stringify(record)))
})

test('workflow commands become text, and other text stays as it is', () => {
  assert.equal(withoutWorkflowCommands('a ::error::x\nstd::vector'), 'a ::error::x\nstd::vector')
  assert.doesNotMatch(withoutWorkflowCommands('\t ::error::x\nx\n::stop-commands::t'), /^\s*::/m)
})
