/** Rules that end the measuring of a cell, a table or a plan. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Budget } from '../../../harness/run/budget.js'
import { allOf, failures, knownWithin, timeIsUp } from '../../../harness/run/stop-rules.js'
import { giveUpHopeless } from '../../../harness/trace/hopeless.js'
import { HEAP, heatsOf, LIST, planOf, WHEEL } from './plans.js'

/**
 * The queues that a rule wants in the next heat.
 *
 * @param {import('../../../harness/run/execute.js').StopRule} rule
 * @param {import('../../../harness/plan/plan.js').Plan} plan
 * @param {number} round
 * @param {'heat' | 'count'} [kind]
 */
function queuesIn (rule, plan, round, kind = 'heat') {
  const step = { kind, cells: plan.cells, round, id: '' }
  return plan.cells.filter(cell => rule.wants(cell, step)).map(({ queue }) => queue)
}

const THREE = [HEAP, WHEEL, LIST]

/**
 * Shows a rule some rounds of heats. The list scatters; all else always takes the same time.
 *
 * @param {import('../../../harness/run/execute.js').StopRule} rule
 * @param {import('../../../harness/plan/plan.js').Plan} plan
 * @param {{rounds?: number, from?: number, metric?: string, changed?: (queue: string) => object}} [heats]
 */
function show (rule, plan, { rounds = 5, from = 0, metric = 'nsPerOp', changed = () => ({}) } = {}) {
  const heats = heatsOf(plan, rounds, ({ queue }, round) => ({
    metrics: { [metric]: queue === 'list' ? 1 + round : 1 },
    ...changed(queue)
  }))
  for (const samples of heats.slice(from)) rule.see(samples)
}

test('a cell is given up when it fires the wrong timers, uses up its time at first, or fails twice', () => {
  const plan = planOf({ queues: THREE })
  for (const { kinds, given } of [
    { kinds: ['wrong'], given: true },
    { kinds: ['time-limit'], given: true },
    { kinds: [undefined, 'time-limit'], given: false },
    { kinds: ['crash'], given: false },
    { kinds: ['crash', undefined, 'crash'], given: true },
    { kinds: ['load', 'load'], given: true },
    { kinds: [undefined, undefined], given: false }
  ]) {
    const rule = failures()
    for (const kind of kinds) {
      rule.see(/** @type {any} */ ([{ cell: plan.cells[1].id, failure: kind && { kind, message: '' } }]))
    }
    assert.deepEqual(queuesIn(rule, plan, 1), given ? ['heap', 'list'] : ['heap', 'wheel', 'list'], String(kinds))
  }
})

test('a queue whose ratio is known gets no more heats, from five heats on; its control goes on for the others', () => {
  const plan = planOf({ queues: THREE })
  const rule = knownWithin(plan, 0.03)
  show(rule, plan, { rounds: 4 })
  assert.deepEqual(queuesIn(rule, plan, 4), ['heap', 'wheel', 'list'], 'the fifth heat is always measured')
  show(rule, plan, { from: 4 })
  assert.deepEqual(queuesIn(rule, plan, 5), ['heap', 'list'])
  assert.deepEqual([rule.open, rule.total], [1, 1])
  assert.deepEqual(
    queuesIn(rule, plan, 5, 'count'),
    ['heap', 'wheel', 'list'],
    'counts have nothing to do with precision'
  )
})

test('a queue that is far slower than the control gets no more heats after the first, and the control none when no ' +
  'other queue does', () => {
  const plan = planOf({ queues: THREE })
  const rule = giveUpHopeless(plan)
  /** @type {Record<string, number>} */
  const ns = { heap: 1, wheel: 1.9, list: 2.1 }
  const changed = (/** @type {string} */ queue) => ({ metrics: { nsPerOp: ns[queue] } })
  assert.deepEqual(queuesIn(rule, plan, 0), ['heap', 'wheel', 'list'])
  show(rule, plan, { rounds: 1, changed })
  assert.deepEqual(queuesIn(rule, plan, 1), ['heap', 'wheel'])
  assert.deepEqual(queuesIn(rule, plan, 1, 'count'), ['heap', 'wheel', 'list'])
  const alone = planOf({ queues: [HEAP, LIST] })
  const other = giveUpHopeless(alone)
  show(other, alone, { rounds: 1, changed })
  assert.deepEqual(queuesIn(other, alone, 1), [])
})

const failing = (/** @type {string} */ queue) =>
  queue === 'list' ? { metrics: {}, failure: { kind: 'crash', message: '' } } : {}
for (const [what, planned, shown, wanted] of /** @type {[string, object, object, string[]][]} */ ([
  ['a table whose ratios are all known is measured no more', {}, {}, []],
  [
    'a server goes on with the others of its table: the number of servers decides the time of a request',
    { queues: THREE, scenario: { kind: 'http' } },
    { metric: 'cpuMicrosPerRequest' },
    ['heap', 'wheel', 'list']
  ],
  ['a queue that was given up keeps no table open', { queues: THREE }, { changed: failing }, []]
])) {
  test(what, () => {
    const plan = planOf(planned)
    const rule = knownWithin(plan, 0.03)
    show(rule, plan, shown)
    assert.deepEqual([queuesIn(rule, plan, 5), rule.open], [wanted, wanted.length > 0 ? 1 : 0])
  })
}

test('no step begins that does not fit in the time that is left', () => {
  const plan = planOf({ end: { budgetSeconds: 3600 } })
  const fits = (/** @type {number} */ budgetSeconds) => {
    const rule = timeIsUp(plan, new Budget(budgetSeconds))
    rule.see(heatsOf(plan, 1, () => ({ seconds: 1000 }))[0])
    return queuesIn(rule, plan, 1).length > 0
  }
  assert.deepEqual([fits(3000), fits(900)], [true, false])
})

test('within a time budget a slow queue gets three heats and no counts', () => {
  const plan = planOf({ end: { budgetSeconds: 3600 } })
  const rule = timeIsUp(plan, new Budget(3600))
  show(rule, plan, { rounds: 1, changed: queue => ({ isSlow: queue === 'wheel' }) })
  assert.deepEqual(queuesIn(rule, plan, 2), ['heap', 'wheel'])
  assert.deepEqual(queuesIn(rule, plan, 3), ['heap'])
  assert.deepEqual(queuesIn(rule, plan, 0, 'count'), ['heap'])
})

test('a cell is measured while all rules want it', () => {
  const plan = planOf()
  /** @type {any[]} */
  const seen = []
  const only = (/** @type {string} */ name) => ({
    see: (/** @type {any} */ samples) => seen.push(samples),
    wants: (/** @type {{queue: string}} */ { queue }) => queue === name
  })
  const both = { see () {}, wants: () => true }
  assert.deepEqual(queuesIn(allOf([both, only('wheel')]), plan, 0), ['wheel'])
  allOf([only('heap'), only('wheel')]).see([])
  assert.equal(seen.length, 2)
})
