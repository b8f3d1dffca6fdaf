/** Ratios that are known well enough, and runs that say which are not. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { samplesByCell } from '../../../harness/judge/pairs.js'
import { findImprecise } from '../../../harness/judge/precision.js'
import { summarise } from '../../../harness/judge/summary.js'
import { aPlan, aRun } from '../a-run.js'

/**
 * A run of one table, whose ratios to the first queue scatter.
 *
 * @param {Record<string, {spread: number, heats?: number, phases?: boolean}>} queues
 * @param {{control?: object, until?: number}} [changed]
 */
const runOf = (queues, { control = { micro: 'list' }, until } = {}) =>
  aRun({
    plan: aPlan({
      settings: { control },
      end: { rounds: 20, budgetSeconds: 60, until },
      queues: ['list', ...Object.keys(queues)],
      scenario: { values: { size: [10_000] } }
    }),
    samplesOf ({ queue }) {
      const { spread = 0, heats = 10, phases = queue === 'list' } = queues[queue] ?? {}
      return Array.from({ length: heats }, (_, round) => ({
        kind: 'heat',
        heat: `round ${round}`,
        metrics: {
          nsPerOp: 10 * (1 + spread * (round % 2 === 0 ? 1 : -1)),
          ...(phases && { startNsPerTimer: 10, expireNsPerTimer: 10 })
        }
      }))
    }
  })

for (const [
  title,
  queues,
  imprecise,
  changed
] of /** @type {[string, Parameters<typeof runOf>[0], any[], any?][]} */ ([
    [
      'a ratio is known well enough when both ends of its interval are near it',
      { steady: { spread: 0.01 }, wild: { spread: 0.2 } },
      [['wild', 0.22]]
    ],
    [
      'fewer than five heats never tell',
      { heap: { spread: 0, heats: 4 }, wheel: { spread: 0, heats: 5 }, absent: { spread: 0, heats: 0 } },
      [
        ['heap', Infinity],
        ['absent', Infinity]
      ]
    ],
    ['where phases are timed apart, their sum does not count', { heap: { spread: 0.2, phases: true } }, []],
    [
      'without a control, the first queue stands in for it',
      { heap: { spread: 0.2 } },
      [['heap', 0.22]],
      { control: {} }
    ]
  ])) {
  test(title, () => {
    const {
      run: { plan },
      samples
    } = runOf(queues, changed)
    const found = findImprecise(plan, samplesByCell(samples), 0.03)
    assert.deepEqual(
      found.map(({ cell: { queue }, within }) => [queue, Number(within.toFixed(2))]),
      imprecise
    )
  })
}

test('a run that was to know its ratios better says which it does not, the worst first', () => {
  const warningsOf = (/** @type {Parameters<typeof runOf>[0]} */ queues) =>
    summarise(runOf(queues, { until: 0.03 })).warnings
  assert.deepEqual(warningsOf({ steady: { spread: 0.01 } }), [])
  assert.deepEqual(warningsOf({ wild: { spread: 0.2 }, steady: { spread: 0.01 }, new: { spread: 0, heats: 2 } }), [
    '2 ratios are not known within 3 % yet: new on refresh, size 10 000 (too few heats); wild on refresh, size 10 ' +
      '000 (22.5 %)'
  ])
  const many = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`queue-${i}`, { spread: 0.2 }]))
  assert.match(warningsOf(many)[0], /^8 ratios .*; 2 more$/)
})
