/** A checked queue as a terminal shows it. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { checkedQueueDocument, checkSummary } from '../../../reports/documents/check.js'
import { renderTerminal } from '../../../reports/render/terminal.js'

const plain = picocolors.createColors(false)
const renderCheckedQueue = (/** @type {any} */ checked) => renderTerminal(checkedQueueDocument(checked), plain)
const renderCheckSummary = (/** @type {any} */ checked) => renderTerminal(checkSummary(checked), plain)

const kept = { clause: 'size', sentence: 'size is the number of pending timers', holds: true, counterexample: null }
const largest = { tried: 200_000, planned: 200_000 }
const sequences = { tried: 1500, planned: 1500, largest }
const broken = {
  clause: 'never-early',
  sentence: 'Nothing fires early',
  holds: false,
  counterexample: "test('x', () => {\n\n  act()\n})"
}

test('a checked queue is a line a clause, with the counter-example under a broken one', () => {
  assert.equal(
    renderCheckedQueue({ queue: 'mine', holds: false, clauses: [kept, broken, kept], sequences }),
    [
      'mine',
      '  holds   size is the number of pending timers',
      '  broken  Nothing fires early',
      '',
      "          test('x', () => {",
      '',
      '            act()',
      '          })',
      '',
      '  holds   size is the number of pending timers',
      ''
    ].join('\n')
  )
})

test('sequences that were not tried are reported, with the reason', () => {
  const endless = { clause: 'returns', sentence: 'Every operation returns', holds: false, counterexample: null }
  const sequences = { tried: 1200, planned: 1500, largest }
  const lastLine = (/** @type {any[]} */ clauses, /** @type {any} */ sequences) =>
    renderCheckedQueue({ queue: 'mine', holds: true, clauses, sequences }).trimEnd().split('\n').at(-1)
  assert.equal(lastLine([kept], sequences), '  tried 1200 of 1500 sequences: a slow queue, which is no fault')
  assert.equal(lastLine([endless], sequences), '  tried 1200 of 1500 sequences: an operation did not return')
  const slow = { tried: 1500, planned: 1500, largest: { tried: 20_000, planned: 200_000 } }
  assert.equal(lastLine([kept], slow), '  tried with up to 20 000 timers, not 200 000: a slow queue, which is no fault')
  assert.match(lastLine([kept], null) ?? '', /size/)
})

test('the summary counts queues and names those that broke clauses', () => {
  const good = { queue: 'good', holds: true, clauses: [kept], sequences }
  const bad = { queue: 'bad', holds: false, clauses: [broken, kept, broken], sequences }
  assert.equal(renderCheckSummary([good]), '1 of 1 queue kept the contract\n')
  assert.equal(renderCheckSummary([good, bad]), '1 of 2 queues kept the contract; clauses broken by bad (2)\n')
})
