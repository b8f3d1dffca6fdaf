import { test } from 'node:test'
import assert from 'node:assert/strict'
import { judgeCalibration } from './judge.js'
import { AGAIN, ARMS } from './measure.js'
import { createRandom } from '../../../harness/random.js'
import { calibrationPictures, renderCalibration } from './report.js'

const CELLS = ['heap on refresh', 'wheel on refresh']
const ROUNDS = 40

/** Samples as a quiet machine would give them; batches within a process differ less than processes. */
function measured () {
  const random = createRandom(3)
  const noise = () => Math.exp(0.02 * Array.from({ length: 12 }, () => random(2 ** 20) / 2 ** 20).reduce((sum, part) => sum + part, -6))
  const samples = CELLS.flatMap(cell => Array.from({ length: ROUNDS }, (_, round) => ARMS.map(arm => {
    const ns = 40 * (1 + (Number(arm) || 0)) * noise()
    return { cell, round, arm, ns, mean: ns, errorPercent: 0.5, seconds: 0.3 }
  })).flat())
  const counts = CELLS.flatMap(cell => [
    { kind: /** @type {const} */ ('same'), cell, metric: 'workPerOp', base: 9, head: 9 },
    { kind: /** @type {const} */ ('compare'), cell, metric: 'workPerOp', base: 9, head: 9.5 }
  ])
  return { samples, counts }
}

const GATE = { rounds: 30, budgetSeconds: 300, seed: 1 }
const calibration = judgeCalibration(measured(), GATE)

test('identical code raises no false alarm, and slowdowns are found as far as they exceed the floor', () => {
  assert.equal(calibration.identical.regression, 0)
  const found = calibration.slowed.map(({ outcomes }) => outcomes.regression / outcomes.rows)
  assert.ok(found[0] < 0.2 && found[3] > 0.99 && found[4] > 0.99, String(found))
  assert.ok(found.every((share, i) => i === 0 || share >= found[i - 1]))
})

test('the injected slowdown is measured, not believed', () => {
  for (const { slowdown, injected, cells } of calibration.slowed) {
    assert.ok(Math.abs(injected.median - slowdown) < 0.01, `${injected.median}, asked for ${slowdown}`)
    assert.deepEqual([injected.low, injected.high], [Math.min(...cells.map(cell => cell.injected)), Math.max(...cells.map(cell => cell.injected))])
  }
})

test('single runs judged by their own intervals cry wolf', () => {
  for (const { name, alarms } of calibration.rivals.filter(({ name }) => /intervals|Welch/.test(name))) assert.ok(alarms > 0.2, `${name}: ${alarms}`)
})

test('disjoint rows use every pair once: few, those of a first look, and all that are planned', () => {
  const uses = calibration.disjoint.map(({ pairs, planned, outcomes }) => [pairs, planned, outcomes.rows])
  assert.deepEqual(uses, [[8, 8, CELLS.length * 5], [15, 30, CELLS.length * 2], [30, 30, CELLS.length]])
  for (const { outcomes } of calibration.disjoint) assert.equal(outcomes.regression, 0)
})

test('the control of identical code seldom moves, and that of a machine that favours one side does', () => {
  assert.ok(calibration.contaminatedGates < 0.03, String(calibration.contaminatedGates))
  const { samples, counts } = measured()
  const favoured = samples.map(sample => sample.arm === AGAIN ? { ...sample, ns: sample.ns * 1.06 } : sample)
  const { contaminatedGates } = judgeCalibration({ samples: favoured, counts }, GATE)
  assert.ok(contaminatedGates > 0.8, String(contaminatedGates))
})

test('gates end when their time is spent', () => {
  const { identical } = judgeCalibration(measured(), { ...GATE, budgetSeconds: 7 })
  // Ten pairs of 0.675 s, five of each cell: too few to say anything.
  assert.deepEqual([identical.pairs, identical.inconclusive], [5, identical.rows])
})

test('counts that differ without a reason are alarms, one comparison more is found', () => {
  assert.deepEqual(calibration.exact, { same: 2, alarms: 0, compared: 2, found: 2, cellsFound: '2 of 2 cells' })
})

test('the page says what was measured and shows it', () => {
  const environment = /** @type {any} */ ({ cores: 2, cpu: 'Quick', kernel: 'Linux', node: 'v20', loadAverage: [0, 0, 0] })
  const report = { calibration, environment, cells: CELLS, timing: { warmupMs: 100, measureMs: 60 } }
  const page = renderCalibration(report)
  assert.match(page, /\| gates drawn from all these pairs with replacement +\| +1200 \| +0 \|/)
  assert.match(page, /in [\d.]+ % the control moved, which gives no verdict \(exit 4\)\./)
  assert.match(page, /gates of 8 pairs a row, the fewest at which a gate looks: kept so far, in 10\./)
  assert.match(page, /\| wheel on refresh +\| +[\d.]+ % \| +\+[\d.]+ % \| +\d+ % \|/)
  assert.match(page, /^2 x Quick, Linux, Node v20; load average 0, 0, 0 when measuring began\.$/m)
  assert.ok(!page.includes('NaN') && !page.includes('undefined'))
  assert.deepEqual(calibrationPictures(report).map(({ name }) => name), ['calibration-found.svg', 'calibration-found-dark.svg'])
})

test('nearly all is not called all', () => {
  const identical = { regression: 0, inconclusive: 3, pass: 997, rows: 1000, pairs: 20 }
  const environment = /** @type {any} */ ({ loadAverage: [0, 0, 0] })
  const page = renderCalibration({ calibration: { ...calibration, identical }, environment, cells: CELLS, timing: { warmupMs: 100, measureMs: 60 } })
  assert.match(page, /gates drawn from all these pairs with replacement .*\| +99\.7 % \| +0\.30 % \|/)
})
