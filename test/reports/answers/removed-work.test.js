/** Work that V8 has removed: no report ranks its time or gives a ratio, and the warning names the rows once. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../../harness/judge/summary.js'
import { answerOf } from '../../../reports/answers/run.js'
import { cautions } from '../../../reports/documents/results.js'
import { aPlan, aRun } from '../../harness/a-run.js'

const TEXT = 'let the task return its result'

/** @param {Record<string, number>} tasks  Nanoseconds by task; those below 1 ns are as cheap as an empty loop. */
function summaryOf (tasks) {
  const queues = Object.keys(tasks).map(name => ({ name, origin: 'code', scenarios: ['work'] }))
  const benchmark = { format: 'tinybench', group: 'work' }
  const scenario = { name: 'work', kind: 'code', values: {}, control: queues[0].name, benchmark }
  const run = aRun({
    plan: aPlan({ queues, scenario }),
    samplesOf: ({ queue }) =>
      [0, 1, 2, 3].map(round => ({
        kind: 'heat',
        heat: `round ${round}`,
        heatSize: queues.length,
        metrics: { nsPerOp: tasks[queue] },
        slices: { nsPerOp: [tasks[queue], tasks[queue] * (1 + round / 1000)] },
        warnings: tasks[queue] < 1 ? [{ kind: 'empty-loop', text: TEXT }] : []
      }))
  })
  return summarise(run)
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
