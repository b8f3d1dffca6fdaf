import { test } from 'node:test'
import assert from 'node:assert/strict'
import { code, section } from '../../../reports/blocks.js'
import { comparisonDocument } from '../../../reports/documents/comparison.js'
import { recommendationDocument } from '../../../reports/documents/recommendation.js'
import { reproductionDocument } from '../../../reports/documents/reproduction.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { recordWith } from '../comparison-record.js'

/** A link, a picture, markup, a mention, a bar, an entity, ticks, a heading and a line's end. */
const HOSTILE = '[x](http://evil) ![p](http://t/p.png) <img src=x> @scope/pkg a|b &lt; ``` ~s~ #1\n# h'
const SHOWN = '\\[x\\](http://evil) !\\[p\\](http://t/p.png) \\<img src=x\\> @&#8203;scope/pkg a\\|b &amp;lt; \\`\\`\\` \\~s\\~ \\#1 \\# h'

/**
 * The text is there as text, and nowhere as it came but within code.
 *
 * @param {string} markdown
 */
function assertHarmless (markdown) {
  assert.ok(markdown.includes(SHOWN), markdown)
  const withoutCode = markdown.replaceAll(/(?<!`)(`{4,})(?!`)[^]*?[^`]\1(?!`)/g, '')
  const live = withoutCode.replaceAll(/\\./g, '')
  for (const harm of ['[x', '![', '<img', '@scope', '&lt;', '```', '~s', '\n# h']) assert.ok(!live.includes(harm), `${harm} in ${live}`)
}

test('names from elsewhere are only text in a comparison', () => {
  const record = recordWith('slower', 'failed')
  const comparisons = record.comparisons.map(row => ({ ...row, queue: HOSTILE, scenario: HOSTILE }))
  const text = renderMarkdown(comparisonDocument({
    ...record, comparisons, base: HOSTILE, head: `\`<img src=x>${HOSTILE}`, warnings: [HOSTILE], command: ['timerq', HOSTILE]
  }))
  assertHarmless(text)
  assert.ok(text.includes(`\`\`\`\`sh\ntimerq '${HOSTILE}'\n\`\`\`\`\n`), text)
})

test('a command can be pasted into a shell, and run where its results are', () => {
  const command = ['timerq', 'gate', '--base', 'main', '--out', 'results/a b', '--out=c', '--node-flags', '--a --b', '--queue', "it's"]
  const text = renderMarkdown(comparisonDocument({ ...recordWith('same'), command }))
  assert.ok(text.includes("```sh\ntimerq gate --base main --node-flags '--a --b' --queue 'it'\\''s'\n```"), text)
})

test('names from elsewhere are only text in a recommendation', () => {
  const figures = { median: 50, low: 49, high: 51, n: 7, coverage: 0.98 }
  const ranking = [
    { queue: HOSTILE, nsPerOp: figures, workPerOp: 3, coreShare: 0.05, saves: 0.05, ratio: { to: 'node', median: 0.5, low: 0.4, high: 0.6, n: 7 }, change: 'faster' },
    { queue: 'node', nsPerOp: figures, workPerOp: 3, coreShare: 0.1, saves: 0, ratio: null, change: null }
  ]
  const trace = { file: HOSTILE, operations: 1, timers: 1, starts: 1, refreshes: 0, cancels: 0, fires: 0, seconds: 1, perSecond: 1, perBusiestSecond: 1, expiringShare: 0, pendingPeak: 1, durations: { distinct: 1, shortest: 1 } }
  const text = renderMarkdown(recommendationDocument(/** @type {any} */ ({
    verdict: 'change',
    best: HOSTILE,
    control: 'node',
    ranking,
    trace,
    results: HOSTILE,
    environment: { cores: 2, cpu: HOSTILE, node: 'v20' },
    skipped: [{ queue: HOSTILE, reason: HOSTILE }],
    warnings: [HOSTILE]
  })))
  assertHarmless(text)
})

test('names from elsewhere are only text among what was reproduced', () => {
  const row = { id: 'A1', claim: HOSTILE, documented: HOSTILE, measured: HOSTILE, holds: true, verdict: /** @type {const} */ ('held'), command: HOSTILE }
  const text = renderMarkdown(reproductionDocument([row]))
  assertHarmless(text)
  assert.ok(text.includes('a\\|b &lt; ``` ~s~ #1 # h````'), text)
})

test('code that holds a fence is fenced by a longer one', () => {
  const document = { title: HOSTILE, blocks: [], sections: [section(HOSTILE, [code('a\n```\nb')])] }
  const text = renderMarkdown(document, 'pictures')
  assertHarmless(text)
  assert.ok(text.includes('````\na\n```\nb\n````'))
})
