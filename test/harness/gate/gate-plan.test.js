/** The plan of a gate: sides, rows and looks. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { GATE } from '../../../bin/presets.js'
import { affordableRounds, assertBudget, createGatePlan, planLooks } from '../../../harness/gate/gate-plan.js'
import { DEFAULT_RULES } from '../../../harness/judge/verdict.js'
import { PROCESSES_PER_HEAT, rowId, rowsOf, timedRowsOf } from '../../../harness/plan/rows.js'
import { gateStages, rowHeats } from '../../../harness/gate/steps.js'
import { heatSeconds } from '../../../harness/plan/step-seconds.js'
import { gatePlan } from './gate-fixture.js'

/** @import { Step } from '../../../harness/plan/steps.js' */

const plan = gatePlan()
const heats = Array.from({ length: 30 }, (_, round) => rowHeats(plan, round))
const sidesOf = (/** @type {Step} */ { cells }) => cells.map(({ side }) => side)

test('cells have sides, and neither a queue nor a row has', () => {
  assert.deepEqual(
    plan.queues.map(({ name }) => name),
    ['heap', 'wheel']
  )
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
    steps.slice(0, 4).map(({ kind, cells }) => [kind, rowId(cells[0]), ...cells.map(({ side }) => side)]),
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
})

test('either side starts first about as often', () => {
  for (const row of rowsOf(plan)) {
    const own = heats
      .flat()
      .filter(({ cells }) => rowId(cells[0]) === rowId(row))
      .map(sidesOf)
    const first = own.filter(sides => sides.indexOf('base') < sides.indexOf('head')).length
    assert.ok(first >= 6 && first <= 24, String(first))
  }
})

test('one heat of four has a control, and every row has some', () => {
  const controlled = heats.flat().filter(heat => sidesOf(heat).includes('control'))
  assert.equal(controlled.length, 30)
  assert.equal(heats.flat().flatMap(sidesOf).length / heats.flat().length, PROCESSES_PER_HEAT)
  assert.equal(new Set(controlled.map(({ cells }) => rowId(cells[0]))).size, 4)
})

test('the order of heats follows from the seed', () => {
  assert.deepEqual(rowHeats(plan, 7), rowHeats(gatePlan(), 7))
  assert.notDeepEqual(rowHeats(plan, 7), rowHeats(gatePlan({ seed: 2 }), 7))
  assert.equal(new Set(heats.flat().map(({ id }) => id)).size, heats.flat().length, 'each heat draws by its id')
})

test('early looks decide clear rows, each look spends by the pairs seen, and few pairs get no early look', () => {
  const looksAt = (/** @type {number} */ rounds) =>
    planLooks(rounds).map(look => [look.rounds, Number(look.share.toFixed(9))])
  assert.deepEqual([1, 8, 30, 40].map(looksAt), [
    [[1, 1]],
    [[8, 1]],
    [[15, 0.5], [30, 0.5]],
    [[8, 0.2], [20, 0.3], [40, 0.5]]
  ])
})

test('a gate of a single row looks at its first 8 heats, which can show a change that all agree on, and ' +
  'exclude none', () => {
  const [first, second, ...later] = planLooks(60, 1)
  assert.deepEqual([first.rounds, second.rounds, ...later], [8, 12, ...planLooks(60).slice(1)])
  const { alpha } = DEFAULT_RULES
  assert.ok(2 ** -8 <= alpha * first.share && 2 ** -8 > (alpha / 2) * first.share)
  assert.ok(Math.abs(first.share + second.share - planLooks(60)[0].share) < 1e-12)
  assert.deepEqual(
    planLooks(240, 1).map(({ rounds }) => rounds),
    [8, 48, 120, 240]
  )
  for (const rounds of [1, 8, 12, 40]) assert.deepEqual(planLooks(rounds, 1), planLooks(rounds))
  assert.deepEqual(planLooks(60, 2), planLooks(60))
  const single = gatePlan({ queues: ['heap'], scenario: { values: { size: [10] } } })
  assert.deepEqual(createGatePlan(single, single.of.gate).of.gate.looks, planLooks(single.end.rounds, 1))
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
    affordableRounds(settings, { servers, others }, seconds, 2)
  assert.ok(rounds(0, 6, 120) >= 60)
  const serverSeconds = heatSeconds(settings, { isHttp: true, cells: PROCESSES_PER_HEAT })
  assert.deepEqual(
    [rounds(1, 0, 100), rounds(2, 0, 100)],
    [Math.floor(100 / (0.5 * serverSeconds)), Math.floor(100 / serverSeconds)]
  )
  assert.equal(rounds(0, 2, 100), rounds(0, 1, 100))
  assert.equal(rounds(0, 3, 100), Math.floor(rounds(0, 1, 1000) / 20))
  assert.equal(rounds(0, 1, 0.1), 1)
})

test('a budget for fewer than eight heats of each row is refused with one that is enough', () => {
  const plan = gatePlan()
  assertBudget(plan)
  const short = { ...plan, of: { gate: { ...plan.of.gate, budgetSeconds: 3 } } }
  assert.throws(() => assertBudget(short), {
    exitCode: 2,
    message: /^--budget 3s is enough for about \d heats? of each of 4 cells, .* \(try --budget \d+s/
  })
  const scenarios = plan.scenarios.map(each => ({ ...each, subject: /** @type {const} */ ('task') }))
  assert.throws(() => assertBudget({ ...short, scenarios }), /fewer cells: --task/)
})

test('rows that are only counted have no heats, and a queue with a linear operation has none of them', () => {
  assert.deepEqual(timedRowsOf(gatePlan({ scenario: { steps: ['count'] } })), [])
  const { unmatched } = gatePlan({ scenario: { steps: ['count'] }, meta: { complexity: { insert: 'O(n)' } } }).of.gate
  assert.deepEqual(
    unmatched.map(({ reason }) => reason),
    Array(4).fill('an operation is declared linear, and counting would take hours')
  )
})
