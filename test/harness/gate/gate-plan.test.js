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
    ['heap 10', 'heap 20', 'wheel 10', 'wheel 20'].map(row => row.replace(/(.*) (.*)/, 'refresh size=$2 $1 v20'))
  )
  assert.ok(rowsOf(plan).every(row => !('side' in row)))
})

test('both sides are counted first, then every round measures every row once, in a new random order', () => {
  const rows = rowsOf(plan).map(rowId)
  const steps = gateStages(plan).flat()
  assert.deepEqual(
    steps.slice(0, 4).map(({ kind, cells }) => [kind, rowId(cells[0]), ...sidesOf({ cells })]),
    rows.map(row => ['count', row, 'base', 'head'])
  )
  const measured = steps.slice(4).map(({ id, cells }) => ({ id, cells }))
  assert.deepEqual(measured, heats.flat().map(({ id, cells }) => ({ id, cells })))
  for (const round of heats) assert.deepEqual(round.map(({ cells }) => rowId(cells[0])).sort(), rows.sort())
  assert.ok(new Set(heats.map(round => round.map(({ id }) => id.replace(/\d+$/, '')).join())).size > 10)
  assert.equal(new Set(measured.map(({ id }) => id)).size, measured.length, 'each heat draws by its id')
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

for (const line of `
  1   of several | 1: 1
  8   of several | 8: 1
  30  of several | 15: 0.5, 30: 0.5
  60  of several | 12: 0.2, 30: 0.3, 60: 0.5
  60  of one     | 8: 0.08, 12: 0.12, 30: 0.3, 60: 0.5
  240 of one     | 8: 0.08, 12: 0.06, 48: 0.06, 120: 0.3, 240: 0.5
  40  of one     | 8: 0.2, 20: 0.3, 40: 0.5
  12  of one     | 12: 1
`.trim().split('\n')) {
  const [rounds, looks] = line.split('|').map(cell => cell.trim())
  test(`rounds: ${rounds}; looks, and what each spends: ${looks}`, () => {
    const found = planLooks(parseInt(rounds), rounds.endsWith('one') ? 1 : 2)
    assert.equal(found.map(({ rounds, share }) => `${rounds}: ${Number(share.toFixed(9))}`).join(', '), looks)
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

test('rows of a queue that the base lacks, and counted rows of linear operations, are listed with the reason', () => {
  const plan = gatePlan()
  const { cells, of } = createGatePlan(plan, plan.of.gate, [{ queue: 'wheel', reason: 'it is new' }])
  const listed = of.gate.unmatched.map(({ queue, params, reason }) => [queue, params.size, reason])
  assert.deepEqual(listed, [['wheel', 10, 'it is new'], ['wheel', 20, 'it is new']])
  assert.ok(cells.every(({ queue }) => queue === 'heap'))
  const counted = { steps: ['count'] }
  assert.deepEqual(timedRowsOf(gatePlan({ scenario: counted })), [])
  const { unmatched } = gatePlan({ scenario: counted, meta: { complexity: { insert: 'O(n)' } } }).of.gate
  const reason = 'an operation is declared linear, and counting would take hours'
  assert.deepEqual(unmatched.map(({ reason }) => reason), Array(4).fill(reason))
})

test('an expectation that names no row is refused, unless it names a count that must not grow', () => {
  const plan = gatePlan()
  const expecting = (/** @type {any} */ change, /** @type {string} */ rows) => () =>
    createGatePlan(plan, { ...plan.of.gate, expect: [{ change, rows }] }, [{ queue: 'wheel', reason: 'it is new' }])
  const message = (/** @type {string} */ words) =>
    `--expect ${words} names no scenario and no queue of this gate (there are refresh and heap)`
  for (const words of ['level:list', 'faster:allocation', 'not-slower:wheel']) {
    assert.throws(expecting(...words.split(':')), { exitCode: 2, message: message(words) })
  }
  for (const words of ['faster:he*', 'level:refresh', 'not-slower:allocation']) expecting(...words.split(':'))()
})

test('rounds fit the budget: servers one after the other, micro rows in turns on the cores; most rows are decided ' +
  'early, and one round is always measured', () => {
  const settings = {
    micro: { ...GATE.micro, warmupMs: 50, leadMs: 1, turnMs: 4, turns: 40 },
    httpWarmupMs: 500,
    httpHeat: { seconds: 8, sliceMs: 200 }
  }
  /** @type {(servers: number, others: number, seconds: number) => number} */
  const rounds = (servers, others, seconds) => affordableRounds({ settings }, { servers, others }, seconds, 2)
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
