/** The plan of a gate: sides, rows and looks. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { GATE } from '../../../bin/presets.js'
import { affordableRounds, assertBudget, createGatePlan, keepRows, planLooks } from '../../../harness/gate/gate-plan.js'
import { groupBy } from '../../../harness/model/group-by.js'
import { PROCESSES_PER_HEAT, rowId, rowsOf, timedRowsOf } from '../../../harness/plan/rows.js'
import { gateStages, rowHeats } from '../../../harness/gate/stages.js'
import { heatSeconds } from '../../../harness/plan/step-seconds.js'
import { gatePlan } from './gate-fixture.js'

/** @import { Step } from '../../../harness/plan/steps.js' */

const plan = gatePlan()
const heats = Array.from({ length: 30 }, (_, round) => rowHeats(plan, round))
const sidesOf = (/** @type {Pick<Step, 'cells'>} */ { cells }) => cells.map(({ side }) => side)

test('cells have sides, and rows have none', () => {
  assert.deepEqual(plan.queues.map(({ name }) => name), ['heap', 'wheel'])
  assert.deepEqual(
    plan.cells.slice(0, 3).map(({ id, queue, side }) => [id, queue, side]),
    ['base', 'head', 'control'].map(side => [`refresh size=10 heap ${side} v20`, 'heap', side])
  )
  assert.deepEqual(
    rowsOf(plan).map(rowId),
    ['heap', 'wheel'].flatMap(queue => [10, 20].map(size => `refresh size=${size} ${queue} v20`))
  )
  assert.ok(rowsOf(plan).every(row => !('side' in row)))
})

test('both sides are counted first, then every round measures every row once, in a new random order', () => {
  const steps = gateStages(plan).flat()
  assert.deepEqual(
    steps.slice(0, 4).map(({ kind, cells }) => [kind, rowId(cells[0]), ...sidesOf({ cells })]),
    rowsOf(plan).map(row => ['count', rowId(row), 'base', 'head'])
  )
  assert.deepEqual(
    steps.slice(4).map(({ id, cells }) => [id, cells]),
    heats.flat().map(({ id, cells }) => [id, cells])
  )
  for (const round of heats) {
    assert.deepEqual(round.map(({ cells }) => rowId(cells[0])).sort(), rowsOf(plan).map(rowId).sort())
  }
  assert.ok(new Set(heats.map(round => round.map(({ id }) => id.replace(/\d+$/, '')).join())).size > 10)
  assert.equal(new Set(heats.flat().map(({ id }) => id)).size, heats.flat().length, 'each heat draws by its id')
  assert.deepEqual(rowHeats(plan, 7), rowHeats(gatePlan(), 7))
  assert.notDeepEqual(rowHeats(plan, 7), rowHeats(gatePlan({ seed: 2 }), 7))
})

test('either side starts first about as often, and one heat of four has a control, every row some', () => {
  for (const [, own] of groupBy(heats.flat(), ({ cells }) => rowId(cells[0]))) {
    const sides = own.map(sidesOf)
    const first = sides.filter(sides => sides.indexOf('base') < sides.indexOf('head')).length
    assert.ok(first >= 6 && first <= 24 && sides.flat().includes('control'), String(first))
  }
  assert.equal(heats.flat().flatMap(sidesOf).length / heats.flat().length, PROCESSES_PER_HEAT)
})

for (const [rounds, rows, looks] of /** @type {[number, number, number[][]][]} */ ([
  [1, 2, [[1, 1]]],
  [8, 2, [[8, 1]]],
  [30, 2, [[15, 0.5], [30, 0.5]]],
  [60, 2, [[12, 0.2], [30, 0.3], [60, 0.5]]],
  [60, 1, [[8, 0.08], [12, 0.12], [30, 0.3], [60, 0.5]]],
  [240, 1, [[8, 0.08], [12, 0.06], [48, 0.06], [120, 0.3], [240, 0.5]]],
  [40, 1, [[8, 0.2], [20, 0.3], [40, 0.5]]],
  [12, 1, [[12, 1]]]
])) {
  test(`looks of ${rounds} rounds of ${rows === 1 ? 'a single row' : 'several rows'}, and what each spends`, () => {
    const found = planLooks(rounds, rows).map(look => [look.rounds, Number(look.share.toFixed(9))])
    assert.deepEqual(found, looks)
  })
}

test('the first look of a single row can show a change that all of its heats agree on, and exclude none', () => {
  const scenario = { values: { size: [10] } }
  const { looks, rules: { alpha } } = gatePlan({ rounds: 60, queues: ['heap'], scenario }).of.gate
  assert.ok(2 ** -8 <= alpha * looks[0].share && 2 ** -8 > (alpha / 2) * looks[0].share)
})

test('two rounds share a stage, so that the only row of a gate keeps two cores busy; servers have one each', () => {
  const roundsOf = (/** @type {string} */ kind) =>
    gateStages(gatePlan({ queues: ['heap'], scenario: { kind, values: { size: [10] } } }))
      .slice(1, 3)
      .map(steps => steps.map(({ round }) => round))
  assert.deepEqual([roundsOf('micro'), roundsOf('http')], [[[0, 1], [2, 3]], [[0], [1]]])
})

test('a budget that is too small for the rounds asked for allows fewer, with looks of their own', () => {
  const { of: { gate }, ...parts } = gatePlan({ rounds: 60 })
  const short = createGatePlan({ ...parts, of: {} }, { ...gate, budgetSeconds: 20 })
  assert.ok(short.end.rounds < 60)
  assert.deepEqual(short.of.gate.looks, planLooks(short.end.rounds))
})

test('rows of a queue that the base lacks are listed with the reason', () => {
  const plan = gatePlan()
  const { cells, of } = createGatePlan(plan, plan.of.gate, [{ queue: 'wheel', reason: 'it is new' }])
  assert.ok(cells.every(({ queue }) => queue === 'heap'))
  assert.deepEqual(
    of.gate.unmatched.map(({ queue, params, reason }) => [queue, params.size, reason]),
    [10, 20].map(size => ['wheel', size, 'it is new'])
  )
})

test('rounds fit the budget: servers one after the other, micro rows in turns on the cores; most rows are decided ' +
  'early, and one round is always measured', () => {
  const settings = {
    micro: { ...GATE.micro, warmupMs: 50, leadMs: 1, turnMs: 4, turns: 40 },
    httpWarmupMs: 500,
    httpHeat: { seconds: 8, sliceMs: 200 }
  }
  const rounds = (/** @type {number} */ servers, /** @type {number} */ others, /** @type {number} */ seconds) =>
    affordableRounds({ settings }, { servers, others }, seconds, 2)
  assert.ok(rounds(0, 6, 120) >= 60)
  const serverSeconds = heatSeconds(settings, { isServer: true, cells: PROCESSES_PER_HEAT })
  assert.deepEqual(
    [rounds(1, 0, 100), rounds(2, 0, 100)],
    [Math.floor(100 / (0.5 * serverSeconds)), Math.floor(100 / serverSeconds)]
  )
  assert.equal(rounds(0, 2, 100), rounds(0, 1, 100))
  assert.equal(rounds(0, 3, 100), Math.floor(rounds(0, 1, 1000) / 20))
  assert.equal(rounds(0, 1, 0.1), 1)
})

test('a budget for fewer than eight heats of one row is refused with one that is enough', () => {
  const plan = gatePlan()
  assertBudget(plan)
  const short = { ...plan, of: { gate: { ...plan.of.gate, budgetSeconds: 1 } } }
  assert.throws(() => assertBudget(short), {
    exitCode: 2,
    message: /^--budget 1s is enough for about \d heats? of one cell, .* \(try --budget \d+s\)$/
  })
})

test('rows that the budget has no time for are left out; without a choice, the budget grows with the rows, up ' +
  'to half an hour', () => {
  const sizes = Array.from({ length: 3000 }, (_, i) => i)
  const fitsOf = (/** @type {number} */ rows, /** @type {object} */ gate) => {
    const plan = gatePlan({ queues: ['heap'], scenario: { values: { size: sizes.slice(0, rows) } } })
    const { fits, budgetSeconds } = keepRows({ ...plan, of: { gate: { ...plan.of.gate, ...gate } } }).of.gate
    return { fits, budgetSeconds }
  }
  const few = fitsOf(100, { budgetSeconds: 60 })
  assert.ok(Number(few.fits) > 10 && Number(few.fits) < 100, `${few.fits} rows in a minute`)
  assert.deepEqual(fitsOf(4, { leastSeconds: 300 }), { fits: 4, budgetSeconds: 300 })
  const grown = fitsOf(300, { leastSeconds: 300 })
  assert.ok(grown.fits === 300 && grown.budgetSeconds > 300)
  assert.equal(fitsOf(3000, { leastSeconds: 300 }).budgetSeconds, 1800)
  const slow = fitsOf(100, { budgetSeconds: 60, loadSeconds: 2 })
  assert.ok(Number(slow.fits) < Number(few.fits) / 2, 'files that load slowly')
})

test('rows that are only counted have no heats, and a queue with a linear operation has none of them', () => {
  assert.deepEqual(timedRowsOf(gatePlan({ scenario: { steps: ['count'] } })), [])
  const { unmatched } = gatePlan({ scenario: { steps: ['count'] }, meta: { complexity: { insert: 'O(n)' } } }).of.gate
  assert.deepEqual(
    unmatched.map(({ reason }) => reason),
    Array(4).fill('an operation is declared linear, and counting would take hours')
  )
})
