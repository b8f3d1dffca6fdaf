/** Markdown shows text from elsewhere as it is. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { code, createDocument, fold, list, paragraph, section, warnings, words } from '../../../reports/blocks.js'
import { comparisonDocument } from '../../../reports/documents/comparison.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { recordWith } from '../comparison-record.js'

/** A link, a picture, markup, a mention, a bar, an entity, ticks, a heading and the end of a line. */
const HOSTILE = '[x](http://evil) ![p](http://t/p.png) <img src=x> @scope/pkg a|b &lt; ``` ~s~ #1\n# h'
const SHOWN =
  '\\[x\\](http://evil) !\\[p\\](http://t/p.png) \\<img src=x\\> @&#8203;scope/pkg a\\|b &amp;lt; \\`\\`\\` \\~s\\~ ' +
    '\\#1 \\# h'

test('text from elsewhere is only text, in every kind of block', () => {
  const table = {
    kind: /** @type {const} */ ('table'),
    caption: HOSTILE,
    columns: [words(HOSTILE), words('code')],
    rows: [{ cells: [{ text: HOSTILE }, { text: HOSTILE, code: true }] }],
    remarks: [HOSTILE]
  }
  const blocks = [
    paragraph(HOSTILE),
    list([HOSTILE], HOSTILE),
    warnings([HOSTILE]),
    code(HOSTILE),
    table,
    fold(HOSTILE, [paragraph(HOSTILE)]),
    { kind: /** @type {const} */ ('answer'), text: HOSTILE, reasons: [HOSTILE] },
    { kind: /** @type {const} */ ('verdict'), name: HOSTILE, tone: /** @type {const} */ ('bad'), text: HOSTILE },
    { kind: /** @type {const} */ ('facts'), facts: /** @type {[string, string][]} */ ([[HOSTILE, HOSTILE]]) }
  ]
  const text = renderMarkdown(createDocument(blocks, [section(HOSTILE, [code('a\n```\nb')])], HOSTILE), 'pictures')
  assert.ok(text.includes(SHOWN), text)
  assert.ok(text.includes('````\na\n```\nb\n````'), 'a fence within code needs a longer fence')
  assert.ok(text.includes('a\\|b &lt; ``` ~s~ #1 # h````'), 'a bar would end the cell even in code')
  const withoutCode = text
    .replaceAll(/(?<!`)(`{4,})(?!`)[^]*?[^`]\1(?!`)/g, '')
    .replaceAll(/<summary>.*?<\/summary>/gs, '')
  const live = withoutCode.replaceAll(/\\./g, '')
  for (const harm of ['[x', '![', '<img', '@scope', '&lt;', '```', '~s', '\n# h']) {
    assert.ok(!live.includes(harm), `${harm} in ${live}`)
  }
  assert.doesNotMatch(text, /<summary>[^<]*<img/)
})

test('a command can be pasted into a shell, and run where its results are', () => {
  const command = [
    'timerq',
    'gate',
    '--base',
    'main',
    '--out',
    'results/a b',
    '--out=c',
    '--node-flags',
    '--a --b',
    '--queue',
    "it's"
  ]
  const text = renderMarkdown(comparisonDocument({ ...recordWith('same'), command }))
  assert.ok(text.includes("```sh\ntimerq gate --base main --node-flags '--a --b' --queue 'it'\\''s'\n```"), text)
})
