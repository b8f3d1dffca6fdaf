/** Findings of a calibration, from samples whose truth is known. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { BUDGET_SECONDS, judgeCalibration } from './judge.js'
import { BASE, EDITED, SERVER_SLOWDOWNS, SLOWDOWNS } from './measure.js'
import { createRandom } from '../../harness/model/random.js'
import { renderCalibration } from './report.js'

/**
 * @typedef {import('./samples.js').Heat} Heat
 *
 * @typedef {import('./samples.js').Measurement} Measurement
 */

const CELLS = ['heap on refresh', 'wheel on refresh', 'heap on start-cancel']
const HEATS = 24
const OPTIONS = { cores: 2, seed: 1, gatesDrawn: 60 }
const environment = /** @type {any} */ ({
  cores: 2,
  cpu: 'Quick',
  kernel: 'Linux',
  node: 'v20',
  gitCommit: 'abcdef',
  day: '2026-11-22',
  loadAverage: [0, 0, 0]
})

/**
 * Heats as a quiet machine would give them.
 *
 * @param {{spread?: number, shift?: number, seconds?: number, load?: boolean}} [options] `shift`:
 *   by which every head of identical code is slower; `seconds`: of a heat.
 * @returns {Measurement[]}
 */
function measured ({ spread = 0.01, shift = 0, seconds = 4, load = false } = {}) {
  const random = createRandom(3)
  const noise = () =>
    Math.exp(spread * Array.from({ length: 12 }, () => random(2 ** 20) / 2 ** 20).reduce((sum, part) => sum + part, -6))
  /** @type {(metric: string, slowdown?: number, base?: string) => import('./samples.js').HeatArm} */
  const arm = (metric, slowdown = 0, base) => {
    const ratio = (1 + slowdown) * noise()
    return { metrics: { [metric]: 40 * ratio }, ...(base && { base, ratios: { [metric]: ratio } }) }
  }
  /**
   * @type {(slowdown?: number, base?: string) => import('./samples.js').HeatArm}  Its mean has noise that slices lack.
   */
  const micro = (...slowed) => {
    const { metrics, ...rest } = arm('nsPerOp', ...slowed)
    return { metrics: { nsPerOp: metrics.nsPerOp * noise() }, ...rest }
  }
  const server = arm.bind(null, 'cpuMicrosPerRequest')
  /** @type {(kind: Heat['kind'], cells: string[], armsOf: () => Heat['arms']) => Heat[]} */
  const heats = (kind, cells, armsOf) =>
    cells.flatMap(cell =>
      Array.from({ length: HEATS }, (_, round) => ({ kind, cell, round, load, seconds, arms: armsOf() }))
    )
  /** @type {(slowdowns: number[], slowed: typeof micro) => Heat['arms']} */
  const bySlowdown = (slowdowns, slowed) =>
    Object.fromEntries(slowdowns.map(slowdown => [String(slowdown), slowed(slowdown, BASE)]))
  return [
    ...heats('identical', CELLS, () =>
      Object.fromEntries([0, 2, 4, 6].flatMap(i => [[`v${i}`, micro()], [`v${i + 1}`, micro(shift, `v${i}`)]]))
    ),
    ...heats('slowed', CELLS, () => ({ [BASE]: micro(), ...bySlowdown(SLOWDOWNS, micro) })),
    ...heats('servers', ['heap on keep-alive', 'wheel on keep-alive'], () => ({
      [BASE]: server(),
      [EDITED]: server(shift, BASE),
      ...bySlowdown(SERVER_SLOWDOWNS, server)
    })),
    ...CELLS.flatMap(cell =>
      [9, 9.5].map(head => ({
        kind: /** @type {const} */ ('counts'),
        cell,
        metric: 'workPerOp',
        same: head === 9,
        base: 9,
        head
      }))
    )
  ]
}

const calibration = judgeCalibration(measured(), OPTIONS)
const micro = /** @type {import('./judge.js').Findings} */ (calibration.alone.micro)
const servers = /** @type {import('./judge.js').Findings} */ (calibration.alone.servers)

test('identical code raises no false alarm, and slowdowns are found as far as they exceed the floor', () => {
  assert.deepEqual([micro.identical.regression, servers.identical.regression], [0, 0])
  const found = micro.slowed.map(({ outcomes }) => outcomes.regression / outcomes.rows)
  assert.ok(found[0] < 0.2 && found[2] > 0.9 && found[3] > 0.99 && found[4] > 0.99, String(found))
  assert.ok(found.every((share, i) => i === 0 || share >= found[i - 1]))
  assert.ok(servers.slowed[1].outcomes.regression / servers.slowed[1].outcomes.rows > 0.9)
})

test('code that is slower after a neutral edit is a false alarm, drawn or not', () => {
  const { alone: { micro } } = judgeCalibration(measured({ shift: 0.08 }), OPTIONS)
  assert.ok(micro && micro.identical.regression > 0.9 * micro.identical.rows, JSON.stringify(micro?.identical))
  assert.ok(micro.disjoint.every(({ outcomes }) => outcomes.regression > 0 && outcomes.pass === 0))
  assert.ok(micro.alarmed > 0.9 && micro.contaminated > 0.9 && micro.passed < 0.1)
})

test('the injected slowdown is measured, not believed', () => {
  for (const { slowdown, injected, cells } of [...micro.slowed, ...servers.slowed]) {
    assert.ok(Math.abs(injected.median - slowdown) < 0.01, `${injected.median}, asked for ${slowdown}`)
    assert.deepEqual(
      [injected.low, injected.high],
      [Math.min(...cells.map(cell => cell.injected)), Math.max(...cells.map(cell => cell.injected))]
    )
  }
})

test('a line of disjoint rows uses no heat twice: a pair of variants has 24, and the first look comes after 12', () => {
  const uses = micro.disjoint.map(({ pairs, planned, outcomes }) => [pairs, planned, outcomes.rows])
  const series = CELLS.length * 4
  assert.deepEqual(uses, [
    [8, 8, 3 * series],
    [12, 60, 2 * series],
    [24, 60, series]
  ])
  for (const { outcomes } of micro.disjoint) assert.equal(outcomes.regression, 0)
})

test('pairs of other variants begin a separate row', () => {
  const swapped = measured().map(line =>
    line.kind === 'identical' && line.round >= 20 ? { ...line, round: line.round + 4 } : line
  )
  const { alone } = judgeCalibration(swapped, OPTIONS)
  // Twenty heats of one pairing and four of the next hold two rows of eight, not three.
  assert.equal(alone.micro?.disjoint[0].outcomes.rows, CELLS.length * 4 * 2)
})

test('gates end when their time is spent', () => {
  // Four seconds a heat of eight processes are 1.1 s a heat of a gate; 4000 are 1100.
  const { alone: { micro } } = judgeCalibration(measured({ seconds: 4000 }), OPTIONS)
  assert.ok(micro && micro.identical.pairs < 1 && BUDGET_SECONDS < 1000, String(micro?.identical.pairs))
  assert.equal(micro.identical.pass + micro.identical.regression, 0)
})

test('what was measured under load is kept apart', () => {
  const { alone, loaded } = judgeCalibration([...measured(), ...measured({ load: true, shift: 0.08 })], OPTIONS)
  assert.equal(alone.micro?.identical.regression, 0)
  assert.ok(loaded.micro && loaded.micro.identical.regression > 0)
  assert.deepEqual([calibration.loaded.micro, calibration.loaded.servers], [null, null])
})

test('a head that was lost costs its pair, no more', () => {
  const lossy = measured().map(line => {
    if (line.kind !== 'identical' || line.round !== 3) return line
    const { v1: _, v2: __, ...arms } = line.arms
    return { ...line, arms }
  })
  const { alone: { micro } } = judgeCalibration(lossy, OPTIONS)
  // Two of four pairs of each cell have one heat less: two rows of eight are left of 23, and the last line has none.
  assert.deepEqual(
    micro?.disjoint.map(({ outcomes }) => outcomes.rows),
    [CELLS.length * (2 * 3 + 2 * 2), CELLS.length * (2 * 2 + 2), CELLS.length * 2]
  )
})

test('single processes judged one after the other cry wolf on a noisy machine', () => {
  const { alone: { micro } } = judgeCalibration(measured({ spread: 0.05 }), OPTIONS)
  assert.ok(micro && micro.rivals[0].alarms > 0.1, String(micro?.rivals[0].alarms))
})

test('counts that differ without a reason are alarms, one comparison more is found', () => {
  assert.deepEqual(calibration.exact, { same: 3, alarms: 0, compared: 3, found: 3, cellsFound: '3 of 3 cells' })
})

test('the page begins with how often the gate is wrong, and answers what was wanted', () => {
  const page = renderCalibration(calibration, environment)
  const rows = (CELLS.length * 4 + 2) * 3
  assert.match(
    page,
    new RegExp(
      `^# How often the gate is wrong\n\n\`timerq gate\` called 0 of ${rows} rows of identical code a regression ` +
        '\\(with 95 % certainty at most [\\d.]+ %\\)\\. In 2 minutes it finds a slowdown of 5 %: ' +
        'alone, in \\d+ % of micro rows and \\d+ % of servers\\.'
    )
  )
  assert.match(page, /\| 6 micro rows, one 5 % slower: found +\| 95 % +\| \d+ %: reached +\|/)
  assert.match(
    page,
    new RegExp(`\\| at most 1 in 1000 +\\| 0 in ${rows} \\(with 95 % certainty at most [\\d.]+ %\\): not reached +\\|`)
  )
  assert.match(page, /\| wheel on refresh +\| +[\d.]+ % \| +\+[\d.]+ % \| +\d+ % \|/)
  assert.match(
    page,
    /Machine: 2 x Quick, Linux, Node v20; timerq at abcdef; 2026-11-22, load average 0, 0, 0 when measuring began\.$/m
  )
  assert.ok(!/NaN|undefined|under load/.test(page.replace('"Under load" means', '')), page)
})

test('what was not measured is not shown as kept', () => {
  const page = renderCalibration(judgeCalibration([], OPTIONS), environment)
  assert.match(page, /^# How often the gate is wrong\n\nToo little has been measured so far/)
  assert.ok(!/: reached|NaN|undefined/.test(page))
})

test('nearly all is not called all', () => {
  const identical = { regression: 0, inconclusive: 3, pass: 997, rows: 1000, pairs: 20 }
  const page = renderCalibration(
    { ...calibration, alone: { ...calibration.alone, micro: { ...micro, identical } } },
    environment
  )
  assert.match(page, /drawn: up to 60 heats, two minutes .*\| +99\.7 % \| +0\.30 % \|/)
})
