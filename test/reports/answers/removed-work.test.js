/** Work that V8 has removed: no report ranks its time or gives a ratio, and the warning names the rows once. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../../harness/judge/summary.js'
import { answerOf } from '../../../reports/answers/run.js'
import { cautions } from '../../../reports/documents/results.js'

const TEXT = 'let the task return its result'

/** @param {Record<string, number>} tasks  Nanoseconds by task; those below 1 ns are as cheap as an empty loop. */
function summaryOf (tasks) {
  const cells = Object.keys(tasks).map(queue => ({ id: queue, scenario: 'work', params: {}, queue, runtime: 'v20' }))
  const samples = [0, 1, 2, 3].flatMap(round =>
    cells.map(({ id, ...place }) => ({
      ...place,
      cell: id,
      round,
      kind: 'heat',
      heat: `round ${round}`,
      heatSize: cells.length,
      started: '2026-01-01T00:00:00.000Z',
      seconds: 1,
      metrics: { nsPerOp: tasks[id] },
      slices: { nsPerOp: [tasks[id], tasks[id] * (1 + round / 1000)] },
      warnings: tasks[id] < 1 ? [{ kind: 'empty-loop', text: TEXT }] : []
    }))
  )
  const [control] = Object.keys(tasks)
  const plan = {
    cells,
    queues: cells.map(({ queue }) => ({ name: queue, origin: 'code' })),
    scenarios: [
      { name: 'work', title: 'work', kind: 'code', control, benchmark: { format: 'tinybench', group: 'work' } }
    ],
    settings: { rounds: 4, budgetSeconds: null, control: {} }
  }
  const run = { plan, command: [], started: '', ended: '', environment: { machine: {} } }
  return summarise(/** @type {any} */ ({ directory: 'r', run, samples, warnings: [] }))
}

test('a removed task is never the fastest, and the others keep their ratios', () => {
  const summary = summaryOf({ parse: 20, slow: 40, dead: 0.3 })
  const { text, reasons } = answerOf(summary)
  assert.equal(text, 'parse is the fastest on work.')
  assert.match(
    reasons.join(' '),
    /^parse is 2 times as fast as slow .* Left out: dead takes as long as an empty loop\.$/
  )
  assert.equal(summary.cells.find(({ queue }) => queue === 'dead')?.metrics.nsPerOp.ratio, undefined)
})

test('a removed control has no ratios, and one task that is left is compared with nothing', () => {
  const three = answerOf(summaryOf({ dead: 0.3, parse: 20, slow: 40 }))
  assert.equal(three.text, 'parse is the fastest on work.')
  assert.deepEqual(three.reasons, ['Left out: dead takes as long as an empty loop.'])
  for (const tasks of [{ dead: 0.3, parse: 20 }, { parse: 20, dead: 0.3 }]) {
    const { text, reasons } = answerOf(summaryOf(/** @type {any} */ (tasks)))
    assert.deepEqual([text, reasons], ['Nothing can be compared on work: dead takes as long as an empty loop.', []])
  }
  const { text } = answerOf(summaryOf({ dead: 0.3, gone: 0.3 }))
  assert.equal(text, 'Nothing can be compared on work: dead and gone take as long as an empty loop.')
})

test('the warning of removed work names its rows, once', () => {
  const told = cautions(summaryOf({ dead: 0.3, parse: 20, gone: 0.4 }))
  assert.deepEqual(told, [`as cheap as an empty loop in 2 cells (dead on work; gone on work): ${TEXT}`])
})
