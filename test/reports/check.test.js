import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { renderCheckedQueue, renderCheckSummary } from '../../reports/check.js'

const plain = picocolors.createColors(false)

const kept = { clause: 'size', sentence: 'size is the number of pending timers', holds: true, counterexample: null }
const broken = { clause: 'never-early', sentence: 'Nothing fires early', holds: false, counterexample: "test('x', () => {\n\n  act()\n})" }

test('a checked queue is a line a clause, with the counter-example under a broken one', () => {
  assert.equal(renderCheckedQueue({ queue: 'mine', holds: false, clauses: [kept, broken, kept] }, plain), [
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
    '',
    ''
  ].join('\n'))
})

test('the summary counts queues and names those that broke clauses', () => {
  const good = { queue: 'good', holds: true, clauses: [kept] }
  const bad = { queue: 'bad', holds: false, clauses: [broken, kept, broken] }
  assert.equal(renderCheckSummary([good]), '1 of 1 queue kept the contract\n')
  assert.equal(renderCheckSummary([good, bad]), '1 of 2 queues kept the contract; clauses broken by bad (2)\n')
})
